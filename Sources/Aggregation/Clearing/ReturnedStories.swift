import FeedModel
import FeedStorage
import System

/// Which cleared stories have come back by themselves, and where they stand now.
struct ReturnedStories {
  private let cleared: ItemTable
  private let stored: ItemTable
  private let feeds: MovedFeeds
  /// By the place of the cleared story; -1 for one that has not come back.
  private var places: [Int32]
  /// Stories that came since the clearing and have another id than all that were cleared.
  private var fresh: [ItemKey: [Int]] = [:]
  private var wanted = FingerprintFilter()

  init(
    of cleared: ItemTable,
    in stored: ItemTable,
    since date: Date,
    feeds: MovedFeeds,
  ) throws(StorageError) {
    self.cleared = cleared
    self.stored = stored
    self.feeds = feeds
    places = Array(repeating: -1, count: cleared.count)
    try findByID(since: date.timeIntervalSinceReferenceDate)
    try findByKey()
  }

  subscript(position: Int) -> Int? {
    places[position] < 0 ? nil : Int(places[position])
  }

  private mutating func findByID(since date: Double) throws(StorageError) {
    guard var old = ItemReader(cleared), var new = ItemReader(stored) else { return }
    var positions: [UInt64: Int] = [:]
    for position in 0..<cleared.count {
      try old.move(to: position)
      let id = try Self.id(of: position, in: cleared, old)
      if positions[id] == nil { positions[id] = position }
    }
    for place in 0..<stored.count {
      try new.move(to: place)
      if let position = positions[try Self.id(of: place, in: stored, new)], places[position] < 0 {
        places[position] = Int32(place)
      } else if let since = try new.instants().stored, since >= date {
        let item = try new.identity()
        wanted.add(item)
        fresh[ItemID.key(of: item), default: []].append(place)
      }
    }
  }

  /// The id of the story that a reader is at; of one that another program gave, a hash.
  private static func id(
    of position: Int,
    in table: ItemTable,
    _ reader: borrowing ItemReader,
  ) throws(StorageError) -> UInt64 {
    if let id = try reader.idNumber() { return id }
    return UInt64(bitPattern: Int64(try table.id(at: position).hashValue))
  }

  /// A feed that has moved, or had renamed its stories before they were cleared, gives them new ids
  /// when they come back.
  private mutating func findByKey() throws(StorageError) {
    guard !fresh.isEmpty, var reader = ItemReader(cleared) else { return }
    for position in 0..<cleared.count where places[position] < 0 {
      try reader.move(to: position)
      guard try wanted.mayContain(reader) else { continue }
      let key = ItemID.key(of: try reader.identity())
      let own = Set(feeds.feeds(try reader.feedURLs()))
      for place in fresh[key] ?? []
      where try !own.isDisjoint(with: stored.story(at: place).strings(.feeds)) {
        fresh[key]?.removeAll { $0 == place }
        places[position] = Int32(place)
        break
      }
    }
  }
}
