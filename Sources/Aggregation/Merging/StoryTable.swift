package import FeedModel
package import FeedStorage
package import System

/// The stored stories, newest first, as a merge looks at them.
package protocol StoryTable {
  associatedtype Scanner: StoryScanner
  var count: Int { get }
  func item(at index: Int) throws(StorageError) -> StoredItem
  func id(at index: Int) throws(StorageError) -> String
  func date(at index: Int) throws(StorageError) -> Date?
  func stored(at index: Int) throws(StorageError) -> Date?
  func isRead(at index: Int) throws(StorageError) -> Bool
  func isStarred(at index: Int) throws(StorageError) -> Bool
  /// For a few properties of many stories; nil when there are none.
  func scanner() -> Scanner?
}

/// Looks at a few properties of many stories; see `ItemScanner`.
package protocol StoryScanner {
  /// The URLs of the feeds met so far; `forEachFeed` gives positions in it.
  var feeds: [String] { get }
  mutating func move(to index: Int) throws(StorageError)
  func withUTF8(
    of text: ItemScanner.Text,
    _ body: (UnsafeRawBufferPointer) -> Void,
  ) throws(StorageError)
  /// The story's id as a number; nil for a story that another program wrote, and that has none.
  func idNumber() throws(StorageError) -> UInt64?
  /// Seconds since 2001.
  func instants() throws(StorageError) -> (date: Double?, stored: Double?)
  mutating func forEachFeed(_ body: (Int) -> Void) throws(StorageError)
  /// Whether the story surely has the content of an item; false where only a closer look can say.
  func surelyHas(_ item: Item) throws(StorageError) -> Bool
}

extension ItemScanner: StoryScanner {}

extension ItemTable: StoryTable {
  package func scanner() -> ItemScanner? { ItemScanner(self) }
}

extension StoryScanner {
  /// As of when the story counts, in seconds since 2001.
  func instant(now: Date) throws(StorageError) -> Double {
    let (date, stored) = try instants()
    return StoryTime.place(date: date, stored: stored, now: now)
  }
}

extension StoryTable {
  /// As of when each story counts, in seconds since 2001; of those that are `known`, others are not a
  /// number.
  func instants(now: Date, known: [Double] = []) throws(StorageError) -> [Double] {
    guard var scanner = scanner() else { return [] }
    var instants = known.isEmpty ? Array(repeating: .nan, count: count) : known
    for position in instants.indices where instants[position].isNaN {
      try scanner.move(to: position)
      instants[position] = try scanner.instant(now: now)
    }
    return instants
  }
}

/// Finds the one element that has a key; a key that several have finds none.
struct UniqueIndex<Key: Hashable> {
  private var places: [Key: Int] = [:]
  private static var ambiguous: Int { -1 }

  /// - Parameter keys: of each element in turn; nil for one that has none.
  init(_ keys: some Sequence<Key?>) {
    for (place, key) in keys.enumerated() {
      guard let key else { continue }
      places[key] = places[key] == nil ? place : Self.ambiguous
    }
  }

  subscript(key: Key?) -> Int? {
    guard let key, let place = places[key], place != Self.ambiguous else { return nil }
    return place
  }
}
