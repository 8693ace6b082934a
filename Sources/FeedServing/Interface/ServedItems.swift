internal import CommandLine
internal import FeedModel
internal import FeedParsing
internal import FeedStorage
internal import System

/// Stories in the form of the interface.
struct ServedItems {
  private let texts: StoryTextIndex
  private let stories: ServedStories

  init(_ library: ServedLibrary, _ stories: ServedStories) {
    (texts, self.stories) = (library.textIndex, stories)
  }

  func value(_ served: ServedStory) throws(StorageError) -> PrintedJSON {
    let story = try stories.library.items.item(at: Int(served.position))
    let item = story.item
    let link = SafeLink.absolute(item.link)
    let published = PrintedJSON.integer(Int(served.place.date / 1_000_000))
    var members: [(key: String, value: PrintedJSON)] = [
      ("id", .string(ServerItemID(low: served.number).text)),
      ("crawlTimeMsec", .string(String(served.place.arrived / 1_000))),
      ("timestampUsec", .string(String(served.place.arrived))), ("published", published),
      ("updated", published), ("title", .string(item.title)),
      ("canonical", .array([.object([("href", .string(link))])])),
      (
        "alternate",
        .array([.object([("href", .string(link)), ("type", .string("text/html"))])]),
      ),
      ("categories", .strings(categories(of: story))), ("origin", origin(of: story)),
      ("summary", .object([("content", .string(html(of: story)))])),
    ]
    if let guid = item.guid { members.append(("guid", .string(guid))) }
    if let author = item.author { members.append(("author", .string(author))) }
    let enclosures = item.enclosures.filter { SafeLink.isAbsolute($0.url) }.map(Self.enclosure)
    if !enclosures.isEmpty { members.append(("enclosure", .array(enclosures))) }
    return .object(members)
  }

  private static func enclosure(_ file: Enclosure) -> PrintedJSON {
    var members: [(key: String, value: PrintedJSON)] = [("href", .string(file.url))]
    if let type = file.type { members.append(("type", .string(type))) }
    if let length = file.length { members.append(("length", .integer(Int(length)))) }
    return .object(members)
  }

  /// Returns the story's states, the folders of its feeds, its tags, and its feed's own categories.
  private func categories(of story: StoredItem) -> [String] {
    var streams: [StreamID] = [.readingList]
    streams.append(story.isRead ? .read : .unread)
    if story.isStarred { streams.append(.starred) }
    var known: Set<String> = []
    let folders = story.feeds.compactMap { stories.feeds.feed(at: $0) }.flatMap(\.tags)
    for tag in folders + story.tags where known.insert(tag.lowercased()).inserted {
      streams.append(.label(tag))
    }
    return streams.map(\.text) + story.item.categories.filter { !Self.isOfReaders($0) }
  }

  /// Returns true for a feed's category that an app could take for the reader's own state or label.
  private static func isOfReaders(_ category: String) -> Bool {
    category.hasPrefix("user/") || category.contains("state/com.google/")
      || category.contains("/label/")
  }

  /// Returns the first followed feed of the story.
  private func origin(of story: StoredItem) -> PrintedJSON {
    let url = story.feeds.first { stories.feeds.feed(at: $0) != nil } ?? story.feeds.first ?? ""
    return .object([
      ("streamId", .string(StreamID.feed(ServedFeeds.name(ofFeed: url)).text)),
      ("title", .string(stories.feeds.title(of: url))),
      ("htmlUrl", .string(stories.feeds.feed(at: url)?.state.link ?? "")),
    ])
  }

  /// Returns the shown text as it was published; plain text becomes HTML.
  private func html(of story: StoredItem) -> String {
    // The summary remains where texts cannot be read.
    guard let text = try? texts.text(of: story) else {
      return Self.html(story.item.summary ?? "")
    }
    return text.isHTML ? text.string : Self.html(text.string)
  }

  private static func html(_ plain: String) -> String {
    guard !plain.isEmpty else { return "" }
    var bytes: [UInt8] = []
    var plain = plain
    plain.withUTF8 { MarkupEscape.append($0, to: &bytes) }
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    return "<p>\(lines.joined(separator: "<br>\n"))</p>"
  }
}
