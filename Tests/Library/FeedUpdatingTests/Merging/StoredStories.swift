import FeedModel
import PropertyLists
import TestSupport

@testable import FeedStorage
@testable import FeedUpdating

/// The stored stories in their order, and the numbers of stories that their feeds remember.
struct StoredStories: Hashable {
  var items: [StoredItem] = []
  /// The stories of each feed that retention has evicted.
  var evicted: [String: [UInt64]] = [:]
  /// The stories of each feed that the reader has cleared.
  var cleared: [String: [UInt64]] = [:]

  /// Merges deliveries and applies the changes.
  ///
  /// - Returns: the findings of each feed, and the changes.
  @discardableResult
  mutating func merge(
    _ deliveries: [FeedDelivery],
    keep: Int = 1000,
    at now: Date,
  ) throws -> (findings: [FeedFindings], changes: StoryChanges) {
    var merge = ItemMerge(try ItemTable(items), now: now)
    let findings = try merge.deliver(remembered(deliveries, keep: keep))
    for (delivery, found) in zip(deliveries, findings) {
      cleared[delivery.feed] = found.cleared
      evicted[delivery.feed] = found.evicted
    }
    let changes = try merge.changes()
    try apply(changes, with: merge.insertions)
    return (findings, changes)
  }

  func remembered(_ deliveries: [FeedDelivery], keep: Int) -> [FeedDelivery] {
    deliveries.map { delivery in
      var delivery = delivery
      delivery.keep = keep
      delivery.evicted = evicted[delivery.feed] ?? []
      delivery.cleared = cleared[delivery.feed] ?? []
      return delivery
    }
  }

  @discardableResult
  mutating func deliver(
    _ items: [Item],
    of feed: String = "https://a.example/feed",
    isComplete: Bool = true,
    oldBefore: Date? = nil,
    keep: Int = 1000,
    at now: Date,
  ) throws -> FeedFindings {
    var delivery = FeedDelivery(feed: feed, items: items, isComplete: isComplete)
    delivery.oldBefore = oldBefore
    return try merge([delivery], keep: keep, at: now).findings[0]
  }

  mutating func apply(_ changes: StoryChanges, with insertions: Insertions) throws {
    items = try changes.order(of: items.count).map { story in
      switch story {
      case .stored(let position): changes.replaced[position] ?? items[position]
      case .made(let number): try insertions.story(number)
      case .returned, .returnedReplaced: preconditionFailure("feeds do not bring these")
      }
    }
  }

  var titles: [String] { items.map(\.item.title) }

  subscript(title: String) -> StoredItem? {
    get { items.first { $0.item.title == title } }
    set {
      guard let newValue, let place = items.firstIndex(where: { $0.item.title == title }) else {
        return
      }
      items[place] = newValue
    }
  }
}

extension ItemTable {
  /// Makes one as the second save does, with the keys of all stories, or as the first one.
  init(_ stories: [StoredItem], isIndexed: Bool = true) throws {
    self = try ItemTable.empty.saved(StoryChanges(adding: stories))
    guard isIndexed, !stories.isEmpty else { return }
    self = try saved(StoryChanges(adding: []))
    precondition(StoryIndex(self)?.isEmpty == false)
  }

  private func saved(_ changes: StoryChanges) throws -> ItemTable {
    var bytes: [UInt8] = []
    var builder = DataFileBuilder(self, changes, keeping: kept(under: changes))
    try builder.write { bytes += $0 }
    return try ItemTable(PropertyList.reader(PropertyListBytes(bytes)), path: "", status: nil)
  }
}

/// Saturday, 1 June 2024, 12:00 UTC, and some hours later.
func hour(_ hours: Double) -> Date {
  Date(timeIntervalSince1970: 1_717_243_200 + hours * 3600)
}

/// Returns a story of a well-made feed: its guid and link follow from its name.
func story(_ name: String, at hours: Double? = nil, title: String? = nil) -> Item {
  Item(
    title: title ?? name,
    link: "https://a.example/\(name)",
    pubDate: hours.map { "hour \($0)" } ?? "",
    date: hours.map(hour),
    guid: "tag:a.example:\(name)",
  )
}

extension StoryChanges {
  func order(of count: Int) -> [PlacedStory] {
    var order: [PlacedStory] = []
    var rest = placed[...]
    for position in 0...count {
      while let first = rest.first, first.before <= position {
        order.append(first.story)
        rest.removeFirst()
      }
      if position < count, !leaves(position) { order.append(.stored(position)) }
    }
    return order
  }
}
