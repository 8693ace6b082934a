import FeedModel
import FeedParsing

/// A stored story as `list --json` prints it (design §2 "Output").
enum StoryJSON {
  static func value(_ number: Int?, _ story: StoredItem) -> JSONValue {
    let item = story.item
    return .object([
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
    ])
  }

  private static func value(_ enclosure: Enclosure) -> JSONValue {
    .object([
      JSONMember("url", .string(enclosure.url)),
      JSONMember("type", .text(enclosure.type)),
      JSONMember("length", .number(enclosure.length.map { Int($0) })),
    ])
  }
}
