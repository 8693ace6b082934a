import FeedModel

/// A story as `news show` lays it out: title, text, facts, numbered links.
struct StoryCard {
  let names: FeedName
  let dates: RelativeDate
  let style: Style
  let columns: Int

  private static let labelColumns = 10

  init(names: FeedName, dates: RelativeDate, style: Style, columns: Int) {
    self.names = names
    self.dates = dates
    self.style = style
    // Longer lines are hard to read.
    self.columns = min(max(columns, 20), 100)
  }

  func lines(_ story: StoredItem) -> [String] {
    let links = StoryLinks(story.item)
    let title = StoryTitle.text(story.item.title, summary: nil)
    var lines = TerminalText.wrap(title, to: columns).map(style.bold)
    let summary = TerminalText.withoutSoftHyphens(SafeText.line(story.item.summary ?? ""))
    if !summary.isEmpty { lines += [""] + text(summary, links) }
    lines += [""] + facts(story).flatMap(self.lines)
    if !links.urls.isEmpty { lines += [""] + self.lines(links, of: story.item) }
    return lines
  }

  /// The summary, with its number behind each link.
  private func text(_ summary: String, _ links: StoryLinks) -> [String] {
    let words = summary.split(separator: " ").map { word in
      guard let link = TextLink(in: word), let number = links.number(of: link.url) else {
        return String(word)
      }
      return "\(link.before)\(link.url) [\(number)]\(link.after)"
    }
    return TerminalText.wrap(words.joined(separator: " "), to: columns)
  }

  /// `[2] https://… (audio/mpeg, 12.3 MB, 34:12)`.
  private func lines(_ links: StoryLinks, of item: Item) -> [String] {
    let places = String(links.urls.count).count + 2
    return links.urls.enumerated().map { index, url in
      let number = TerminalText.right("[\(index + 1)]", in: places)
      let enclosure = item.enclosures.first { $0.url == url }.map(EnclosureText.facts) ?? ""
      return style.dim(number) + " " + style.link(url, to: url) + style.dim(enclosure)
    }
  }

  /// A label and a value that is wrapped beside it.
  private func lines(_ fact: (name: String, value: String)) -> [String] {
    let indent = Self.labelColumns + 2
    let values = TerminalText.wrap(fact.value, to: max(columns - indent, 8))
    return values.enumerated().map { index, value in
      let label = TerminalText.fit(index == 0 ? fact.name : "", to: Self.labelColumns)
      return style.dim(label) + "  " + value
    }
  }

  private func facts(_ story: StoredItem) -> [(name: String, value: String)] {
    let item = story.item
    var facts = story.feeds.enumerated().map { index, feed in
      (name: index == 0 ? "Feed" : "", value: names.name(of: feed))
    }
    if let author = item.author { facts.append(("Author", SafeText.line(author))) }
    if let date = item.date { facts.append(("Date", text(date.wholeSeconds))) }
    if !item.pubDate.isEmpty { facts.append(("Published", SafeText.line(item.pubDate))) }
    if let stored = story.stored { facts.append(("Stored", text(stored.wholeSeconds))) }
    if let guid = item.guid, guid != item.link { facts.append(("Guid", SafeText.line(guid))) }
    let categories = item.categories.map { SafeText.line($0) }.joined(separator: ", ")
    if !categories.isEmpty { facts.append(("Categories", categories)) }
    facts.append(("Marks", Self.marks(story)))
    facts.append(("Id", SafeText.line(story.id)))
    return facts
  }

  /// `2026-11-01 10:42 (3 h ago)`, and without how long ago where that is a day again.
  private func text(_ instant: Int) -> String {
    let exact = dates.exactText(instant)
    return dates.isAgo(instant) ? "\(exact) (\(dates.text(instant)))" : exact
  }

  private static func marks(_ story: StoredItem) -> String {
    (story.isRead ? "read" : "unread") + (story.isStarred ? ", starred" : "")
  }
}
