import FeedModel

/// A story as `news show` lays it out.
struct StoryCard {
  let names: FeedName
  let dates: RelativeDate
  let style: Style
  let columns: Int

  init(names: FeedName, dates: RelativeDate, style: Style, columns: Int) {
    self.names = names
    self.dates = dates
    self.style = style
    self.columns = min(max(columns, 20), 100)
  }

  func lines(_ story: StoredItem) -> [String] {
    let title = SafeText.line(story.item.title)
    var lines = TerminalText.wrap(title.isEmpty ? "(untitled)" : title, to: columns)
      .map(style.bold)
    let summary = SafeText.line(story.item.summary ?? "")
    if !summary.isEmpty { lines += [""] + TerminalText.wrap(summary, to: columns) }
    return lines + [""] + facts(story).map(line)
  }

  private func line(_ fact: (name: String, value: String)) -> String {
    style.dim(TerminalText.fit(fact.name, to: 10)) + "  " + fact.value
  }

  private func facts(_ story: StoredItem) -> [(name: String, value: String)] {
    let item = story.item
    var facts = story.feeds.enumerated().map { index, feed in
      (name: index == 0 ? "Feed" : "", value: names.name(of: feed))
    }
    if let author = item.author { facts.append(("Author", SafeText.line(author))) }
    if let date = item.date {
      let instant = date.wholeSeconds
      facts.append(("Date", "\(dates.exactText(instant)) (\(dates.text(instant)))"))
    }
    if !item.pubDate.isEmpty { facts.append(("Published", SafeText.line(item.pubDate))) }
    if let stored = story.stored {
      facts.append(("Stored", dates.exactText(stored.wholeSeconds)))
    }
    if SafeLink.isSafe(item.link) { facts.append(("Link", style.link(item.link, to: item.link))) }
    if let guid = item.guid { facts.append(("Guid", SafeText.line(guid))) }
    let categories = item.categories.map { SafeText.line($0) }.joined(separator: ", ")
    if !categories.isEmpty { facts.append(("Categories", categories)) }
    for enclosure in item.enclosures where SafeLink.isSafe(enclosure.url) {
      facts.append(("Enclosure", Self.text(enclosure)))
    }
    facts.append(("Marks", Self.marks(story)))
    facts.append(("Id", SafeText.line(story.id)))
    return facts
  }

  private static func marks(_ story: StoredItem) -> String {
    (story.isRead ? "read" : "unread") + (story.isStarred ? ", starred" : "")
  }

  /// `https://… (audio/mpeg, 12.3 MB, 34:12)`.
  private static func text(_ enclosure: Enclosure) -> String {
    var facts: [String] = []
    if let type = enclosure.type { facts.append(SafeText.line(type)) }
    if let length = enclosure.length { facts.append(size(length)) }
    if let duration = enclosure.duration, duration > 0 { facts.append(time(duration)) }
    return enclosure.url + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
  }

  private static func size(_ bytes: Int64) -> String {
    guard bytes >= 1_000_000 else {
      return bytes >= 1000 ? "\(bytes / 1000) kB" : "\(bytes) bytes"
    }
    return "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
  }

  private static func time(_ seconds: Int) -> String {
    let tail = "\(CivilTime.padded(seconds / 60 % 60)):\(CivilTime.padded(seconds % 60))"
    return seconds >= 3600 ? "\(seconds / 3600):\(tail)" : tail
  }
}
