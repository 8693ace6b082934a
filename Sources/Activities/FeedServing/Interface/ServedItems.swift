internal import CommandLine
internal import FeedModel
internal import FeedReading
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

  /// Returns a story without trackers; in its link they stay where they are a part of what it is
  /// recognized by: another home that syncs with this one goes by links.
  func story(_ served: ServedStory) throws -> StoredItem {
    let stored = try stories.library.items.item(at: Int(served.position))
    var story = stories.removal.story(stored)
    if ItemID.linkKey(story.item.link) != ItemID.linkKey(stored.item.link) {
      story.item.link = stored.item.link
    }
    return story
  }

  /// Returns a story with its whole text, or only its summary.
  func value(_ served: ServedStory, isWhole: Bool) throws -> PrintedJSON {
    let story = try story(served)
    let item = story.item
    let link = SafeLink.absolute(item.link)
    let published = PrintedJSON.integer(Int(served.place.date / 1_000_000))
    let feed = feed(of: story)
    let origin = PrintedJSON.object([
      ("streamId", .string(feed.stream)), ("title", .string(feed.title)),
      ("htmlUrl", .string(feed.page)),
    ])
    var members: [(key: String, value: PrintedJSON)] = [
      ("id", .string(ServerItemID(low: served.number).text)),
      ("crawlTimeMsec", .string(String(served.place.arrived / 1_000))),
      ("timestampUsec", .string(String(served.stamp))), ("published", published),
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
    if let author = item.author {
      members.append(("author", .string(MarkupSigns.text(author))))
    }
    let enclosures = item.enclosures.filter { SafeLink.isAbsolute($0.url) }.map(Self.enclosure)
    if !enclosures.isEmpty { members.append(("enclosure", .array(enclosures))) }
    return .object(members)
  }

  /// Returns the title, or the beginning of the text: Readrops reads no list with an empty one.
  static func title(of item: Item) -> String {
    MarkupSigns.text(item.title.isEmpty ? StoryTitle.text(item) : item.title)
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
    let folders = story.feeds.compactMap { stories.feeds.feed(at: $0) }.flatMap(\.tags)
    return streams + (folders + story.tags).distinct { $0.lowercased() }.map { .label($0) }
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

  /// Returns the text as `publish` has it, or only its summary, below what the story has beside it.
  func html(of story: StoredItem, isWhole: Bool) -> String {
    let document = (isWhole ? try? wholeText(of: story) : nil) ?? Self.summary(of: story)
    let shown = document.withFiles(of: story.item)
    let html = StoryHTML.markup(shown, below: 1, plays: true)
    return String(decoding: html.bytes.dropLast(), as: UTF8.self)
  }

  private func wholeText(of story: StoredItem) throws -> StoryDocument {
    try StoryReading.shown(try texts.text(of: story), of: story, stories.removal)
  }

  /// Returns the beginning of the summary, which remains where texts cannot be read; that of a
  /// story without a text is all of it.
  private static func summary(of story: StoredItem) -> StoryDocument {
    let summary = (story.item.summary ?? "").prefix(longestSummary)
    let text = StoryText(isHTML: false, bytes: Array(summary.utf8))
    return StoryDocumentReader.document(text, link: "")
  }

  /// The most characters of a summary in the place of a text.
  private static let longestSummary = 1_000
}
