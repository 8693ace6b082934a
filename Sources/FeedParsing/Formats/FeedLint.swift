import FeedModel
import System

enum FeedLint {
  /// The number of stories examined: the same fault is in all of them or in none.
  private static let maximumItems = 1_000
  static let maximumNotes = 20

  /// Looks at a feed; only the items at the positions `unresolved` may have links without a base.
  static func notes(
    on feed: Feed,
    unresolved: [Int],
    hasRelativeLinks: Bool,
  ) -> [String] {
    let items = feed.items.prefix(maximumItems)
    let notes = [
      feed.title == nil ? "the feed has no title" : nil,
      feed.link == nil ? "the feed has no link" : nil,
      count(items.filter(\.isEmpty), "without title, description and link"),
      count(items.filter { !$0.hasText(.link) && !$0.isEmpty }, "without a link"),
      baseless(unresolved.prefix { $0 < items.endIndex }.map { items[$0] }),
      hasRelativeLinks ? "links are relative" : nil,
      dates(items),
      undated(items),
      guids(items),
    ]
    return notes.compactMap(\.self)
  }

  private static func count(_ items: [Item], _ fault: String) -> String? {
    switch items.count {
    case 0: nil
    case 1: "1 story \(fault)"
    default: "\(items.count) stories \(fault)"
    }
  }

  private static func baseless(_ items: [Item]) -> String? {
    guard let item = items.first(where: \.isUnresolved) else { return nil }
    return
      "relative links have no base, such as “\(SafeText.prefix(item.link, maximumCharacters: 60))”"
  }

  private static func dates(_ items: ArraySlice<Item>) -> String? {
    let odd = items.filter { $0.hasText(.pubDate) && $0.date == nil }
    guard let first = odd.first else { return nil }
    let example = SafeText.prefix(first.pubDate, maximumCharacters: 60)
    return "\(odd.count == 1 ? "a date is" : "\(odd.count) dates are") not surely one: “\(example)”"
  }

  private static func undated(_ items: ArraySlice<Item>) -> String? {
    let undated = items.filter { !$0.hasText(.pubDate) }
    return undated.count == items.count && !items.isEmpty
      ? "no story has a date" : count(undated, "without a date")
  }

  private static func guids(_ items: ArraySlice<Item>) -> String? {
    var seen = Set<String>(minimumCapacity: items.count)
    let again = items.lazy.compactMap(\.guid).first { !seen.insert($0).inserted }
    return again.map { "stories share a guid: “\(SafeText.prefix($0, maximumCharacters: 60))”" }
  }
}

extension Item {
  var isEmpty: Bool {
    !hasText(.title) && !hasText(.link) && !hasText(.summary) && enclosures.isEmpty
  }
}
