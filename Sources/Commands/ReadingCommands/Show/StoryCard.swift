import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import HTMLText

struct StoryCard {
  private let names: FeedName
  private let dates: RelativeDate
  private let layout: CardLayout
  private var style: Style { layout.style }

  private let textColumns: Int
  private let signs: StorySigns
  private let pictures: [String: [String]]

  /// Lays out for `width` columns; nil for the terminal's, of which text takes at most 80.
  init(
    _ context: CommandContext,
    _ names: FeedName,
    width: Int? = nil,
    pictures: [String: [String]] = [:],
  ) {
    (self.names, self.pictures) = (names, pictures)
    dates = RelativeDate(clock: context.clock)
    layout = CardLayout(context, labelColumns: 10, width: width)
    textColumns = width ?? min(layout.columns, 80)
    signs = StorySigns(isUnicode: context.isUTF8, hasLooks: context.style.isColored)
  }

  func lines(_ story: StoredItem, _ document: StoryDocument? = nil) -> [String] {
    let links = StoryLinks(story.item, document)
    var lines = title(story) + body(story, document, links)
    lines +=
      [""] + self.lines(origin(story, links) + details(story)) + chapters(story.item, links)
    if !links.urls.isEmpty { lines += [""] + self.lines(links, of: story.item) }
    return lines
  }

  /// Lays out for reading: feed, title, author and date on top; other facts with `hasDetails`.
  func page(_ story: StoredItem, _ document: StoryDocument?, hasDetails: Bool) -> [String] {
    let links = StoryLinks(story.item, document)
    let feeds = story.feeds.map(names.name(of:)).joined(separator: ", ")
    let marks = [
      story.isRead ? nil : "unread", story.isStarred ? "starred" : nil, story.article.words,
    ]
    let origin = [
      story.item.author.map { SafeText.line($0) }, story.item.date.map { text($0.wholeSeconds) },
    ]
    let byline = (origin + marks).compactMap(\.self).joined(separator: ", ")
    var lines = dimmed(feeds) + title(story) + dimmed(byline)
    if hasDetails { lines += [""] + self.lines(details(story)) }
    lines += body(story, document, links) + chapters(story.item, links)
    if !links.urls.isEmpty { lines += [""] + self.lines(links, of: story.item) }
    return lines
  }

  private func dimmed(_ text: String) -> [String] {
    text.isEmpty ? [] : TerminalText.wrap(text, to: layout.columns).map(style.dim)
  }

  private func title(_ story: StoredItem) -> [String] {
    layout.title(StoryTitle.text(story.item.title, summary: nil))
  }

  private func body(
    _ story: StoredItem,
    _ document: StoryDocument?,
    _ links: StoryLinks,
  ) -> [String] {
    let summary = SafeText.line(story.item.summary ?? "")
    if let document {
      let text = text(document, links, of: story.item)
      return text.isEmpty ? [] : [""] + text
    }
    return summary.isEmpty ? [] : [""] + text(summary, links)
  }

  private func text(_ document: StoryDocument, _ links: StoryLinks, of item: Item) -> [String] {
    let facts = item.enclosures.map { ($0.url, $0.words) }
    var text = StoryLayout(
      columns: textColumns,
      signs: signs,
      links: links,
      facts: Dictionary(facts) { first, _ in first },
      pictures: pictures,
    )
    text.add(document)
    return text.lines.map { $0.text(style) }
  }

  private func text(_ summary: String, _ links: StoryLinks) -> [String] {
    let words = summary.split(separator: " ").map { word in
      guard let link = TextLink(in: word), let number = links.number(of: link.url) else {
        return String(word)
      }
      return "\(link.before)\(link.text) [\(number)]\(link.after)"
    }
    return TerminalText.wrap(words.joined(separator: " "), to: layout.columns)
  }

  /// Returns `[2] https://… (audio/mpeg, 12.3 MB, 34:12)` for each link.
  ///
  /// The part in brackets goes below where it has no room.
  private func lines(_ links: StoryLinks, of item: Item) -> [String] {
    let width = String(links.urls.count).count + 2
    return links.urls.enumerated().flatMap { index, url in
      let number = TerminalText.right("[\(index + 1)]", in: width)
      let line = style.dim(number) + " " + style.link(url, to: url)
      let words = Self.words(url, of: item)
      guard !words.isEmpty else { return [line] }
      let room = layout.columns - width - 1
      if url.utf8.count + 3 + TerminalText.width(words) <= room {
        return [line + style.dim(" (\(words))")]
      }
      let below = TerminalText.wrap("(\(words))", to: room)
      return [line] + below.map { TerminalText.spaces(width + 1) + style.dim($0) }
    }
  }

  func menu(_ links: StoryLinks, of item: Item) -> [String] {
    let width = String(links.urls.count).count + 2
    return links.urls.enumerated().map { index, url in
      let words = Self.words(url, of: item)
      let facts = words.isEmpty ? "" : " (\(words))"
      let room = max(layout.columns - width - 1 - TerminalText.width(facts), 20)
      let name = url.replacing(#/^https?://(www\.)?/#, with: "")
      return style.dim(TerminalText.right("[\(index + 1)]", in: width)) + " "
        + style.link(TerminalText.cut(name, to: room), to: url) + style.dim(facts)
    }
  }

  private static func words(_ url: String, of item: Item) -> String {
    item.enclosures.first { $0.url == url }?.words
      ?? item.related.first { $0.url == url }?.words ?? (url == item.comments ? "comments" : "")
  }

  private typealias Fact = (name: String, value: String)

  private func lines(_ facts: [Fact]) -> [String] {
    facts.flatMap { layout.fact($0.name, [$0.value]) }
  }

  private func origin(_ story: StoredItem, _ links: StoryLinks) -> [Fact] {
    let item = story.item
    var facts = story.feeds.enumerated().map { index, feed in
      (name: index == 0 ? "Feed" : "", value: names.name(of: feed))
    }
    if let author = item.author { facts.append(("Author", SafeText.line(author))) }
    let people = item.people.map { "\($0.words)\(Self.sign(of: $0.url, links))" }
    if !people.isEmpty { facts.append(("People", people.joined(separator: ", "))) }
    if let episode = Self.episode(item) { facts.append(("Episode", episode)) }
    if let date = item.date { facts.append(("Date", text(date.wholeSeconds))) }
    return facts
  }

  private func details(_ story: StoredItem) -> [Fact] {
    let item = story.item
    var facts: [Fact] = []
    if !item.pubDate.isEmpty { facts.append(("Published", SafeText.line(item.pubDate))) }
    if let stored = story.stored { facts.append(("Stored", text(stored.wholeSeconds))) }
    if let guid = item.guid, ![guid, WebURL.withoutTracking(guid)].contains(item.link) {
      facts.append(("Guid", SafeText.line(guid)))
    }
    let categories = item.categories.map { SafeText.line($0) }.joined(separator: ", ")
    if !categories.isEmpty { facts.append(("Categories", categories)) }
    let tags = story.tags.map { SafeText.line($0) }.joined(separator: ", ")
    if !tags.isEmpty { facts.append(("Tags", tags)) }
    if let note = story.note { facts.append(("Note", SafeText.line(note))) }
    if let file = story.file, story.isDownloaded { facts.append(("File", SafeText.line(file))) }
    facts.append(("Marks", Self.marks(story)))
    if let words = story.article.words { facts.append(("Text", words)) }
    facts.append(("Id", SafeText.line(story.id)))
    return facts
  }

  private func chapters(_ item: Item, _ links: StoryLinks) -> [String] {
    let last = item.chapters.map(\.start).max() ?? 0
    let facts = item.chapters.enumerated().map { index, chapter in
      let title = SafeText.line(chapter.title) + Self.sign(of: chapter.url, links)
      let value = "\(FileDescription.time(chapter.start, beside: last)) \(title)"
      return (name: index == 0 ? "Chapters" : "", value: value)
    }
    return facts.isEmpty ? [] : [""] + lines(facts)
  }

  private static func sign(of url: String?, _ links: StoryLinks) -> String {
    url.flatMap(links.number).map { " [\($0)]" } ?? ""
  }

  private static func episode(_ item: Item) -> String? {
    let parts = [item.season.map { "season \($0)" }, item.episode.map { "episode \($0)" }]
    let text = parts.compactMap(\.self).joined(separator: ", ")
    return text.isEmpty ? nil : text
  }

  /// Returns `2026-11-01 10:42 (3 h ago)`; without the age where that is a date as well.
  private func text(_ instant: Int) -> String {
    let exact = dates.exactText(instant)
    return dates.isAgo(instant) ? "\(exact) (\(dates.text(instant)))" : exact
  }

  private static func marks(_ story: StoredItem) -> String {
    let others = StoryFlag.allCases.filter { $0 != .read && story.flags[$0] }.map(\.field.name)
    return ([story.isRead ? "read" : "unread"] + others).joined(separator: ", ")
  }
}
