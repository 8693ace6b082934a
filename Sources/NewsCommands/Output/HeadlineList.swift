import Aggregation
import FeedModel

/// The new headlines of a run, grouped by feed.
struct HeadlineList {
  let style: Style
  /// Columns to fit each line into; nil cuts nothing.
  let columns: Int?
  let names: [String: String]

  init(_ report: RefreshReport, style: Style, columns: Int?) {
    self.style = style
    self.columns = columns
    var names: [String: String] = [:]
    for feed in report.feeds {
      names[feed.url] = Self.name(feed)
      if let moved = feed.movedTo { names[moved] = Self.name(feed) }
    }
    self.names = names
  }

  /// One group for each feed with new stories, in the order of the subscriptions.
  func lines(_ report: RefreshReport) -> [String] {
    var groups: [String: [StoredItem]] = [:]
    for item in report.newItems {
      groups[feed(of: item), default: []].append(item)
    }
    let order = report.feeds.flatMap { [$0.url, $0.movedTo].compactMap(\.self) }
    let known = Set(order)
    let others = groups.keys.filter { !known.contains($0) }.sorted()
    var seen: Set<String> = []
    return (order + others).filter { seen.insert($0).inserted }
      .flatMap { group($0, groups[$0] ?? []) }
  }

  /// What the feed is called that brought a story.
  func name(of item: StoredItem) -> String {
    let feed = feed(of: item)
    return names[feed] ?? FeedName.printableURL(feed)
  }

  private func feed(of item: StoredItem) -> String {
    item.feeds.first { names[$0] != nil } ?? item.feeds.first ?? ""
  }

  private func group(_ feed: String, _ items: [StoredItem]) -> [String] {
    guard !items.isEmpty else { return [] }
    let name = names[feed] ?? FeedName.printableURL(feed)
    let count = " (\(items.count))"
    let head = style.bold(cut(name, leaving: count.count)) + style.dim(count)
    return [head] + items.map(headline)
  }

  private func headline(_ item: StoredItem) -> String {
    let text = cut(StoryTitle.text(item.item), leaving: 2)
    return "  " + style.link(text, to: item.item.link)
  }

  private func cut(_ text: String, leaving reserved: Int) -> String {
    columns.map { TerminalText.cut(text, to: max($0 - reserved, 1)) } ?? text
  }

  private static func name(_ feed: FeedReport) -> String {
    let title = SafeText.line(feed.title)
    return title.isEmpty || title == feed.url ? FeedName.printableURL(feed.url) : title
  }
}
