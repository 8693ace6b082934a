import CommandSupport
import FeedStorage
import Searching

/// The positions of the stories that a list is to have, and which of them are in one row.
struct FoundStories {
  let positions: [Int]
  let similar: SimilarStories

  init(_ positions: [Int], _ similar: SimilarStories = SimilarStories()) {
    (self.positions, self.similar) = (positions, similar)
  }
}

/// The rows of the stories that were listed last, which are made anew for other stories only.
///
/// A mark makes a new version of the store, and its list has the same stories at the same positions.
struct ListedRows {
  private var key: Int?
  private var similar = SimilarStories()

  /// The stories, from the newest, that are put in rows: more would keep the keys waiting.
  private static let maximumStories = 50_000

  mutating func rows(
    _ context: CommandContext,
    of positions: [Int],
    in library: Library,
    if isGrouped: Bool,
  ) throws -> FoundStories {
    guard isGrouped else { return FoundStories(positions) }
    let newest = positions.count > Self.maximumStories ? positions.sorted() : positions
    let stories = newest.prefix(Self.maximumStories)
    let key = try Self.key(stories, library.items)
    if key != self.key {
      similar = try SimilarStories(context, among: Array(stories), of: library.items, rows: .max)
      self.key = key
    }
    return FoundStories(positions, similar)
  }

  private static func key(_ positions: ArraySlice<Int>, _ items: ItemTable) throws -> Int {
    var hasher = Hasher()
    try items.forEachStory(at: positions) { position, reader in
      hasher.combine(position)
      hasher.combine(try reader.idNumber())
    }
    return hasher.finalize()
  }
}
