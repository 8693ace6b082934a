import FeedModel
import FeedParsing

/// A stored story as `list --json` prints it (design §2 "Output").
enum StoryJSON {
  static let keys = [
    JSONKey("n", "the number to open it by; null where it was named by its id"),
    JSONKey("id", "sixteen hexadecimal digits that stay the same as long as it is stored"),
    JSONKey("title", "plain text"),
    JSONKey("pubDate", "the date as it was published"),
    JSONKey("date", "the same as YYYY-MM-DDTHH:MM:SSZ, null when it is not surely a date"),
    JSONKey("link", "where it can be read, an absolute URL"),
    JSONKey("guid", "what its feed knows it by"),
    JSONKey("feeds", "the URLs of the feeds that carry it"),
    JSONKey("author", "who wrote it"),
    JSONKey("summary", "plain text, at most 1,000 characters"),
    JSONKey("read", "whether it was read"),
    JSONKey("starred", "whether it has a star"),
    JSONKey("enclosures", "files that it carries, such as recordings", inside: enclosureKeys),
  ]

  /// Those of `show`.
  static let wholeKeys =
    keys + [
      JSONKey("stored", "when it was stored first, as YYYY-MM-DDTHH:MM:SSZ"),
      JSONKey("categories", "what its feed files it under"),
      JSONKey("links", "its link, those of its enclosures and those in its text"),
    ]

  static let enclosureKeys = [
    JSONKey("url", "where the file is"),
    JSONKey("type", "its media type"),
    JSONKey("length", "its bytes, as the feed has it"),
  ]

  static func value(_ number: Int?, _ story: StoredItem) -> JSONValue {
    .object(members(number, story))
  }

  /// The same, and what else `show` knows.
  static func whole(_ number: Int?, _ story: StoredItem) -> JSONValue {
    .object(
      members(number, story) + [
        JSONMember("stored", .text(story.stored.map(FeedDate.rfc3339String))),
        JSONMember("categories", .strings(story.item.categories)),
        JSONMember("links", .strings(StoryLinks(story.item).urls)),
      ]
    )
  }

  private static func members(_ number: Int?, _ story: StoredItem) -> [JSONMember] {
    let item = story.item
    return [
      JSONMember("n", .number(number)),
      JSONMember("id", .string(story.id)),
      JSONMember("title", .text(item.title)),
      JSONMember("pubDate", .text(item.pubDate)),
      JSONMember("date", .text(item.date.map(FeedDate.rfc3339String))),
      JSONMember("link", .text(item.link)),
      JSONMember("guid", .text(item.guid)),
      JSONMember("feeds", .strings(story.feeds.map(FeedName.withoutPassword))),
      JSONMember("author", .text(item.author)),
      JSONMember("summary", .text(item.summary)),
      JSONMember("read", .boolean(story.isRead)),
      JSONMember("starred", .boolean(story.isStarred)),
      JSONMember("enclosures", .array(item.enclosures.map(value))),
    ]
  }

  private static func value(_ enclosure: Enclosure) -> JSONValue {
    .object([
      JSONMember("url", .string(enclosure.url)),
      JSONMember("type", .text(enclosure.type)),
      JSONMember("length", .number(enclosure.length.map { Int($0) })),
    ])
  }
}
