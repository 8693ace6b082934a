import FeedModel
import FeedStorage

@testable import Aggregation

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Stored stories without files: what `ItemTable` is for a merge.
struct StoredStories: StoryTable, Hashable {
  var items: [StoredItem] = []
  /// What retention has left, of each feed.
  var dropped: [String: [UInt64]] = [:]
  /// What the reader has cleared, of each feed.
  var cleared: [String: [UInt64]] = [:]

  var count: Int { items.count }
  func item(at index: Int) throws(StorageError) -> StoredItem { items[index] }
  func id(at index: Int) throws(StorageError) -> String { items[index].id }
  func date(at index: Int) throws(StorageError) -> Date? { items[index].item.date }
  func stored(at index: Int) throws(StorageError) -> Date? { items[index].stored }
  func isRead(at index: Int) throws(StorageError) -> Bool { items[index].isRead }
  func isStarred(at index: Int) throws(StorageError) -> Bool { items[index].isStarred }

  func scanner() -> StoredStoriesScanner? { StoredStoriesScanner(items: items) }

  /// Merges deliveries and applies the edits.
  ///
  /// - Returns: what was found of each feed, and the edits.
  @discardableResult
  mutating func merge(
    _ deliveries: [FeedDelivery],
    keep: Int = 1000,
    at now: Date,
  ) throws -> (findings: [FeedFindings], edits: [ItemEdit]?) {
    var merge = ItemMerge(self, now: now)
    let dropped = deliveries.map { self.dropped[$0.feed] ?? [] }
    let findings = try merge.deliver(
      deliveries,
      dropped: dropped,
      cleared: deliveries.map { cleared[$0.feed] ?? [] },
      keep: keep,
    )
    for (delivery, found) in zip(deliveries, findings) {
      cleared[delivery.feed] = found.cleared
      self.dropped[delivery.feed] = found.dropped
    }
    let edits = try merge.edits()
    try apply(edits, with: merge.insertions)
    return (findings, edits)
  }

  /// Merges one feed's stories.
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

  mutating func apply(_ edits: [ItemEdit]?, with insertions: Insertions) throws {
    guard let edits else { return }
    items = try edits.flatMap { edit -> [StoredItem] in
      switch edit {
      case .keep(let range): Array(items[range])
      case .replace(_, let item), .insert(let item): [item]
      case .mark(let range, let marks): items[range].map { marks.applied(to: $0) }
      case .insertNumber(let number): [try insertions.story(number)]
      case .adjust, .bring, .bringAdjusted, .bringReplaced:
        preconditionFailure("feeds do not bring these")
      }
    }
  }

  var titles: [String] { items.map(\.item.title) }

  /// The stored story with this title.
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

struct StoredStoriesScanner: StoryScanner {
  let items: [StoredItem]
  private(set) var feeds: [String] = []
  private var place = 0

  init(items: [StoredItem]) {
    self.items = items
  }

  mutating func move(to index: Int) throws(StorageError) {
    place = index
  }

  func withUTF8(
    of text: ItemScanner.Text,
    _ body: (UnsafeRawBufferPointer) -> Void,
  ) throws(StorageError) {
    let stored = items[place]
    let value: String? =
      switch text {
      case .id: stored.id
      case .title: stored.item.title
      case .link: stored.item.link
      case .guid: stored.item.guid
      case .summary: stored.item.summary
      }
    guard var value else { return }
    value.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  func instants() throws(StorageError) -> (date: Double?, stored: Double?) {
    let stored = items[place]
    return (
      stored.item.date?.timeIntervalSinceReferenceDate,
      stored.stored?.timeIntervalSinceReferenceDate,
    )
  }

  func idNumber() throws(StorageError) -> UInt64? { ItemID.number(of: items[place].id.utf8) }

  func surelyHas(_ item: Item) throws(StorageError) -> Bool { items[place].item == item }

  mutating func forEachFeed(_ body: (Int) -> Void) throws(StorageError) {
    for url in items[place].feeds {
      if let number = feeds.firstIndex(of: url) {
        body(number)
      } else {
        feeds.append(url)
        body(feeds.count - 1)
      }
    }
  }
}

/// Saturday, 1 June 2024, 12:00 UTC, and some hours later.
func hour(_ hours: Double) -> Date {
  Date(timeIntervalSince1970: 1_717_243_200 + hours * 3600)
}

/// A story of a well-made feed: it has a guid and a link that follow from its name.
func story(_ name: String, at hours: Double? = nil, title: String? = nil) -> Item {
  Item(
    title: title ?? name,
    link: "https://a.example/\(name)",
    pubDate: hours.map { "hour \($0)" } ?? "",
    date: hours.map(hour),
    guid: "tag:a.example:\(name)",
  )
}

extension ItemMarks {
  fileprivate func applied(to story: StoredItem) -> StoredItem {
    var story = story
    story.isRead = isRead ?? story.isRead
    story.isStarred = isStarred ?? story.isStarred
    return story
  }
}
