internal import FeedModel
internal import FeedStorage
internal import FeedUpdating
internal import System

/// A store, and feeds that bring its stories again and some new ones.
struct MergeWorkload {
  enum Kind {
    /// Nine stories in ten again.
    case usual
    case renamed
    /// The stories of the next feed, too.
    case shared
    /// One link for all stories, which were renamed.
    case oneLink
    /// One title and date for all stories, which were renamed.
    case oneTitle
    case oneGUID
  }

  private let known: [FeedDelivery]
  /// The newer nine in ten of each feed's stories again, and one in ten new.
  private let next: [FeedDelivery]
  let store: LibraryStore

  /// Writes the store.
  ///
  /// `stories` are in the store, and as many come, evenly from `feeds` feeds.
  init(stories: Int, feeds: Int, kind: Kind = .usual, folder: String) throws {
    let each = stories / feeds
    known = (0..<feeds).map { feed in
      Self.delivery(feed, (0..<each).map { Self.item($0, of: feed, kind, again: "") })
    }
    next = (0..<feeds).map { feed in
      let new = -each / 10..<each - each / 10
      let own = new.map { Self.item($0, of: feed, kind, again: "-again") }
      guard kind == .shared else { return Self.delivery(feed, own) }
      let other = (feed + 1) % feeds
      let others = (0..<each).map { Self.item($0, of: other, kind, again: "") }
      return Self.delivery(feed, zip(own, others).flatMap { [$0, $1] })
    }
    store = LibraryStore(home: "\(folder)/merge-\(kind)-\(stories)-\(feeds)")
    let deliveries = known
    try store.update { (library) in
      let merge = try Self.merge(deliveries, in: library.items)
      var changes = try merge.changes()
      changes.made = MadeStories(merge.insertions.story)
      return (LibraryChange(changes), ())
    }
  }

  /// Returns the number of stories after a merge of which nothing is saved.
  func merge() throws -> Int {
    let items = try store.read().items
    return try Self.merge(next, in: items).changes().count(of: items.count)
  }

  /// Returns the number of stories when all feeds move at once.
  func move() throws -> Int {
    let items = try store.read().items
    var merge = ItemMerge(items, now: Self.now)
    try merge.move(known.map { (from: $0.feed, to: $0.feed + "/moved") })
    return try merge.changes().count(of: items.count)
  }

  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private static func merge(_ deliveries: [FeedDelivery], in table: ItemTable) throws -> ItemMerge {
    var merge = ItemMerge(table, now: now)
    _ = try merge.deliver(deliveries)
    return merge
  }

  private static func delivery(_ feed: Int, _ items: [Item]) -> FeedDelivery {
    var delivery = FeedDelivery(feed: "https://www.example.org/feed/\(feed)", items: items)
    delivery.keep = 0
    return delivery
  }

  private static func item(_ number: Int, of feed: Int, _ kind: Kind, again: String) -> Item {
    var item = Item(
      title: "Maker of batteries to open plant number \(number) of \(feed) – sources",
      link: "https://www.example.org/\(feed)/us-batteries-plant-\(number)",
      pubDate: "Mon, 18 Mar 2019 14:02:11 GMT",
      date: Date(timeIntervalSince1970: 1_790_000_000 - Double(number * 60)),
      guid: "tag:example.org,2026:\(feed):\(number)",
    )
    switch kind {
    case .usual, .shared: return item
    case .renamed: break
    case .oneLink: item.link = "https://www.example.org/\(feed)/page"
    case .oneTitle:
      item.title = "Untitled"
      item.date = Date(timeIntervalSince1970: 1_790_000_000)
    case .oneGUID: item.guid = "tag:example.org,2026:one"
    }
    if kind != .oneGUID { item.guid? += again }
    return item
  }
}
