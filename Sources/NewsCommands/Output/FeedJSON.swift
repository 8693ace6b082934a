import FeedModel
import FeedParsing

/// A document as `parse --json` prints it (design §2 "Output").
enum FeedJSON {
  static func value(_ feed: Feed) -> JSONValue {
    .object([
      JSONMember("format", .string(feed.format.rawValue)),
      JSONMember("title", .text(feed.title)),
      JSONMember("link", .text(feed.link)),
      JSONMember("description", .text(feed.description)),
      JSONMember("language", .text(feed.language)),
      JSONMember("date", .text(feed.date.map(FeedDate.rfc3339String))),
      JSONMember("items", .array(feed.items.map(value))),
    ])
  }

  private static func value(_ item: Item) -> JSONValue {
    .object([
      JSONMember("title", .text(item.title)),
      JSONMember("link", .text(item.link)),
      JSONMember("pubDate", .text(item.pubDate)),
      JSONMember("date", .text(item.date.map(FeedDate.rfc3339String))),
      JSONMember("guid", .text(item.guid)),
      JSONMember("author", .text(item.author)),
      JSONMember("summary", .text(item.summary)),
      JSONMember("categories", .strings(item.categories)),
      JSONMember("enclosures", .array(item.enclosures.map(value))),
    ])
  }

  /// `length` is a string, as the attribute of a document is.
  private static func value(_ enclosure: Enclosure) -> JSONValue {
    .object([
      JSONMember("url", .string(enclosure.url)),
      JSONMember("type", .text(enclosure.type)),
      JSONMember("length", .text(enclosure.length.map { String($0) })),
    ])
  }
}
