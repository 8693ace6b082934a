import Aggregation
import FeedModel
import FeedStorage

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
      let name = FeedName.printable(title: feed.title, url: feed.url)
      for url in [feed.url, feed.movedTo].compactMap(\.self) { names[url] = name }
    }
    self.names = names
  }

  /// Calls `print` with each line: one group for each feed with new stories, in the order of the
  /// subscriptions.
  func forEachLine(of report: RefreshReport, _ print: (String) -> Void) throws(StorageError) {
    var groups: [String: [Int]] = [:]
    for index in report.newItems.indices {
      groups[feed(of: report.newItems.feeds(of: index)), default: []].append(index)
    }
    let order = report.feeds.flatMap { [$0.url, $0.movedTo].compactMap(\.self) }
    let known = Set(order)
    let others = groups.keys.filter { !known.contains($0) }.sorted()
    for feed in order + others {
      guard let group = groups.removeValue(forKey: feed) else { continue }
      print(head(feed, count: group.count))
      for index in group { print(headline(try report.newItems.item(at: index))) }
    }
  }

  func name(of item: StoredItem) -> String {
    let feed = feed(of: item.feeds)
    return names[feed] ?? FeedName.printableURL(feed)
  }

  private func feed(of feeds: [String]) -> String {
    feeds.first { names[$0] != nil } ?? feeds.first ?? ""
  }

  private func head(_ feed: String, count: Int) -> String {
    let name = names[feed] ?? FeedName.printableURL(feed)
    let count = " (\(count))"
    return style.bold(cut(name, leaving: count.count)) + style.dim(count)
  }

  private func headline(_ item: StoredItem) -> String {
    let text = cut(StoryTitle.text(item.item), leaving: 2)
    return "  " + style.link(text, to: item.item.link)
  }

  private func cut(_ text: String, leaving reserved: Int) -> String {
    columns.map { TerminalText.cut(text, to: max($0 - reserved, 1)) } ?? text
  }
}
