internal import Aggregation
internal import FeedModel
internal import FeedStorage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Feeds that bring what is stored already and something new.
struct MergeWorkload {
  /// What the store holds, by feed.
  private let known: [FeedDelivery]
  /// What comes next: of each feed's stories the newer nine in ten again, and one in ten is new.
  private let next: [FeedDelivery]
  let store: LibraryStore

  /// - Parameters:
  ///   - stories: stories in the store, and in what comes.
  ///   - feeds: feeds that bring them, each as many.
  ///   - folder: where the store goes.
  /// - Throws: when the store cannot be written.
  init(stories: Int, feeds: Int, folder: String) throws {
    let each = stories / feeds
    known = (0..<feeds).map { Self.delivery($0, stories: 0..<each) }
    next = (0..<feeds).map { Self.delivery($0, stories: -each / 10..<each - each / 10) }
    store = LibraryStore(home: "\(folder)/merge-\(stories)-\(feeds)")
    let deliveries = known
    try store.update { (library) throws(StorageError) in
      let (edits, insertions) = try Self.edits(deliveries, in: library.items)
      return (LibraryChange(items: try edits?.map(insertions.whole)), ())
    }
  }

  /// Decides what becomes of the stored stories; nothing is saved.
  ///
  /// - Returns: the number of edits.
  func merge() throws -> Int {
    try Self.edits(next, in: try store.read().items).edits?.count ?? 0
  }

  private static func edits(
    _ deliveries: [FeedDelivery],
    in table: ItemTable,
  ) throws(StorageError) -> (edits: [ItemEdit]?, insertions: Insertions) {
    var merge = ItemMerge(table, now: Date(timeIntervalSince1970: 1_800_000_000))
    let dropped = deliveries.map { _ in [UInt64]() }
    _ = try merge.deliver(deliveries, dropped: dropped, keep: 0)
    return (try merge.edits(), merge.insertions)
  }

  private static func delivery(_ feed: Int, stories: Range<Int>) -> FeedDelivery {
    FeedDelivery(
      feed: "https://www.example.org/feed/\(feed)",
      items: stories.map { item($0, of: feed) },
    )
  }

  private static func item(_ number: Int, of feed: Int) -> Item {
    Item(
      title: "Maker of batteries to open plant number \(number) of \(feed) – sources",
      link: "https://www.example.org/\(feed)/us-batteries-plant-\(number)",
      pubDate: "Mon, 18 Mar 2019 14:02:11 GMT",
      date: Date(timeIntervalSince1970: 1_790_000_000 - Double(number * 60)),
      guid: "tag:example.org,2026:\(feed):\(number)",
    )
  }
}

extension Insertions {
  /// The edit with the story itself in place of its number.
  fileprivate func whole(_ edit: ItemEdit) throws(StorageError) -> ItemEdit {
    guard case .insertNumber(let number) = edit else { return edit }
    return .insert(try story(number))
  }
}
