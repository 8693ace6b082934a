import FeedModel

/// A document as `parse --json` prints it (design §2 "Output").
enum FeedJSON {
  static let fields: [JSONField<Feed>] = [
    JSONField(
      "format",
      "rss0.90, rss0.91, rss0.92, rss1.0, rss2.0, atom0.3, atom1.0, jsonfeed1.0 or jsonfeed1.1",
    ) { .string($0.format.rawValue) },
    JSONField("title", "plain text") { .text($0.title) },
    JSONField("link", "the feed's web page") { .text($0.link) },
    JSONField("description", "plain text") { .text($0.description) },
    JSONField("language", "as the document has it, such as en-us") { .text($0.language) },
    JSONField("date", "when the document was made, as YYYY-MM-DDTHH:MM:SSZ") {
      .date($0.date)
    },
    JSONField("items", "the stories in the document's order", array: itemFields) { $0.items },
  ]

  private static let itemFields: [JSONField<Item>] = [
    JSONField("title", "plain text") { .text($0.title) },
    JSONField("link", "an absolute URL") { .text($0.link) },
    JSONField("pubDate", "the date as it was published") { .text($0.pubDate) },
    JSONField("date", "the same as YYYY-MM-DDTHH:MM:SSZ, null when it is not surely a date") {
      .date($0.date)
    },
    JSONField("guid", "what the feed knows it by") { .text($0.guid) },
    JSONField("author", "who wrote it") { .text($0.author) },
    JSONField("summary", "plain text") { .text($0.summary) },
    JSONField("categories", "what it is about, an array of strings") {
      .strings($0.categories)
    },
    JSONField(
      "enclosures",
      "files that it carries",
      // A string, as the attribute of a document is.
      array: StoryJSON.enclosureFields { .text($0.map { String($0) }) },
    ) { $0.enclosures },
  ]
}
