import FeedModel
import FeedParsing

/// A document as `parse --json` prints it (design §2 "Output").
enum FeedJSON {
  static let keys = [
    JSONKey(
      "format",
      "rss0.90, rss0.91, rss0.92, rss1.0, rss2.0, atom0.3, atom1.0, jsonfeed1.0 or jsonfeed1.1",
    ),
    JSONKey("title", "plain text"),
    JSONKey("link", "the feed's web page"),
    JSONKey("description", "plain text"),
    JSONKey("language", "as the document has it, such as en-us"),
    JSONKey("date", "when the document was made, as YYYY-MM-DDTHH:MM:SSZ"),
    JSONKey("items", "the stories in the document's order", inside: itemKeys),
  ]

  private static let itemKeys = [
    JSONKey("title", "plain text"),
    JSONKey("link", "an absolute URL"),
    JSONKey("pubDate", "the date as it was published"),
    JSONKey("date", "the same as YYYY-MM-DDTHH:MM:SSZ, null when it is not surely a date"),
    JSONKey("guid", "what the feed knows it by"),
    JSONKey("author", "who wrote it"),
    JSONKey("summary", "plain text"),
    JSONKey("categories", "what it is about, an array of strings"),
    JSONKey("enclosures", "files that it carries", inside: StoryJSON.enclosureKeys),
  ]

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
