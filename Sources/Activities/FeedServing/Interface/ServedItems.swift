internal import CommandLine
internal import FeedModel
internal import FeedStorage
internal import HTMLParsing
internal import HTMLText
internal import System

/// Stories in the form of the interface.
struct ServedItems {
  private let texts: StoryTextIndex
  private let stories: ServedStories

  init(_ library: ServedLibrary, _ stories: ServedStories) {
    (texts, self.stories) = (library.textIndex, stories)
  }

  func story(_ served: ServedStory) throws -> StoredItem {
    try stories.library.items.item(at: Int(served.position))
  }

  /// Returns a story with its whole text, or only its summary.
  func value(_ served: ServedStory, isWhole: Bool) throws -> PrintedJSON {
    let story = try story(served)
    let item = story.item
    let link = SafeLink.absolute(link(of: story))
    let published = PrintedJSON.integer(Int(served.place.date / 1_000_000))
    let feed = feed(of: story)
    let origin = PrintedJSON.object([
      ("streamId", .string(feed.stream)), ("title", .string(feed.title)),
      ("htmlUrl", .string(feed.page)),
    ])
    var members: [(key: String, value: PrintedJSON)] = [
      ("id", .string(ServerItemID(low: served.number).text)),
      ("crawlTimeMsec", .string(String(served.place.arrived / 1_000))),
      ("timestampUsec", .string(String(served.place.arrived))), ("published", published),
      ("updated", published), ("title", .string(Self.title(of: item))),
      ("canonical", .array([.object([("href", .string(link))])])),
      (
        "alternate",
        .array([.object([("href", .string(link)), ("type", .string("text/html"))])]),
      ),
      ("categories", .strings(categories(of: story))), ("origin", origin),
      ("summary", .object([("content", .string(html(of: story, isWhole: isWhole)))])),
    ]
    // Liferea knows a star by this alone.
    if story.isStarred { members.append(("marked", .boolean(true))) }
    // Another home that syncs with this one knows a story by its own title.
    if item.title.isEmpty { members.append(("untitled", .boolean(true))) }
    if let guid = item.guid { members.append(("guid", .string(guid))) }
    if let author = item.author { members.append(("author", .string(author))) }
    let enclosures = item.enclosures.filter { SafeLink.isAbsolute($0.url) }.map(Self.enclosure)
    if !enclosures.isEmpty { members.append(("enclosure", .array(enclosures))) }
    return .object(members)
  }

  /// Returns the link without trackers, as long as those are no part of what it is recognized by:
  /// another home that syncs with this one goes by links.
  private func link(of story: StoredItem) -> String {
    let (link, shown) = (story.item.link, stories.removal.link(of: story))
    return ItemID.linkKey(shown) == ItemID.linkKey(link) ? shown : link
  }

  /// Returns the title, or the beginning of the text: Readrops reads no list with an empty one.
  static func title(of item: Item) -> String {
    item.title.isEmpty ? StoryTitle.text(item) : item.title
  }

  /// Returns a file with its type, without which Capy Reader reads no list.
  private static func enclosure(_ file: Enclosure) -> PrintedJSON {
    var members: [(key: String, value: PrintedJSON)] = [
      ("href", .string(file.url)), ("type", .string(file.type ?? "")),
    ]
    if let length = file.length { members.append(("length", .integer(Int(length)))) }
    return .object(members)
  }

  private func categories(of story: StoredItem) -> [String] {
    streams(of: story).map(\.text) + story.item.categories.filter { !Self.isOfReaders($0) }
  }

  /// Returns the story's states, the folders of its feeds, and its tags.
  func streams(of story: StoredItem) -> [StreamID] {
    var streams: [StreamID] = [.readingList]
    streams.append(story.isRead ? .read : .unread)
    if story.isStarred { streams.append(.starred) }
    var known: Set<String> = []
    let folders = story.feeds.compactMap { stories.feeds.feed(at: $0) }.flatMap(\.tags)
    for tag in folders + story.tags where known.insert(tag.lowercased()).inserted {
      streams.append(.label(tag))
    }
    return streams
  }

  /// Returns true for a feed's category that an app could take for the reader's own state or label.
  private static func isOfReaders(_ category: String) -> Bool {
    category.hasPrefix("user/") || category.contains("state/com.google/")
      || category.contains("/label/")
  }

  /// Returns the first followed feed of the story.
  func feed(of story: StoredItem) -> (stream: String, title: String, page: String) {
    let url = story.feeds.first { stories.feeds.feed(at: $0) != nil } ?? story.feeds.first ?? ""
    return (
      StreamID.feed(ServedFeeds.name(ofFeed: url)).text, stories.feeds.title(of: url),
      stories.feeds.feed(at: url)?.page ?? "",
    )
  }

  /// Returns the shown text as it was published, or only its summary; plain text becomes HTML.
  func html(of story: StoredItem, isWhole: Bool) -> String {
    let summary = story.item.summary ?? ""
    guard isWhole else { return Self.html(String(summary.prefix(Self.longestSummary))) }
    // The summary remains where texts cannot be read.
    guard let text = try? texts.text(of: story) else { return Self.html(summary) }
    return text.isHTML ? text.string : Self.html(text.string)
  }

  /// The most characters of a summary in the place of a text: that of a story without a text is
  /// all of it.
  private static let longestSummary = 1_000

  private static func html(_ plain: String) -> String {
    guard !plain.isEmpty else { return "" }
    var bytes: [UInt8] = []
    var plain = plain
    plain.withUTF8 { MarkupEscape.append($0, to: &bytes) }
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return "<p>\(lines.joined(separator: "<br>\n"))</p>"
  }
}
