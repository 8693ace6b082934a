import FeedModel
import FeedParsing

/// A stored story as JSON (design §2 "Output").
enum StoryJSON {
  static let number = JSONField<NamedStory>(
    "n",
    "the number to open it by; null where it was named by its id",
  ) { .number($0.number) }
  static let id = JSONField<NamedStory>(
    "id",
    "sixteen hexadecimal digits that stay the same as long as it is stored",
  ) { .string($0.story.id) }
  static let title = JSONField<NamedStory>("title", "plain text") { .text($0.story.item.title) }
  static let stored = JSONField<NamedStory>(
    "stored",
    "when it was stored first, as YYYY-MM-DDTHH:MM:SSZ",
  ) { .date($0.story.stored) }

  static let fields: [JSONField<NamedStory>] = [
    number, id, title,
    JSONField("pubDate", "the date as it was published") { .text($0.story.item.pubDate) },
    JSONField("date", "the same as YYYY-MM-DDTHH:MM:SSZ, null when it is not surely a date") {
      .date($0.story.item.date)
    },
    JSONField("link", "where it can be read, an absolute URL") {
      .text(SafeLink.absolute($0.story.item.link))
    },
    JSONField("guid", "what its feed knows it by") { .text($0.story.item.guid) },
    JSONField("feeds", "the URLs of the feeds that carry it") {
      .strings($0.story.feeds.map { WebURL.redacted($0) })
    },
    JSONField("author", "who wrote it") { .text($0.story.item.author) },
    JSONField(
      "summary",
      "plain text: at most 1,000 characters, or 200 where the whole text is kept",
    ) { .text($0.story.item.summary) },
    JSONField("read", "whether it was read") { .boolean($0.story.isRead) },
    JSONField("starred", "whether it has a star") { .boolean($0.story.isStarred) },
    JSONField("tags", "what rules filed it under") { .strings($0.story.tags) },
    JSONField(
      "enclosures",
      "files that it carries, such as recordings",
      array: enclosureFields { .number($0.map { Int($0) }) } + [
        JSONField("duration", "its seconds, as the feed has them") { .number($0.duration) }
      ],
    ) { $0.story.item.enclosures },
    JSONField("file", "where its episode is saved; null where it is not") {
      .text($0.story.isDownloaded ? $0.story.file : nil)
    },
    relatedField.of(\.story.item),
  ]

  static let wholeFields: [JSONField<ShownStory>] =
    fields.map { $0.of(\.named) } + [
      stored.of(\.named),
      JSONField("categories", "what its feed files it under") {
        .strings($0.named.story.item.categories)
      },
      JSONField("links", "its link, those of its files and those in its text") {
        .strings(StoryLinks($0.named.story.item, $0.document).urls)
      },
    ] + textFields.map { $0.of(\.text) }

  static let textFields: [JSONField<StoryText?>] = [
    JSONField("html", "the whole text as it was published, where that is HTML and stored") {
      .text($0.flatMap { $0.isHTML ? $0.string : nil })
    },
    JSONField("text", "the same, where it is plain text") {
      .text($0.flatMap { $0.isHTML ? nil : $0.string })
    },
    JSONField("base", "what relative links in it are against; null for the story's link") {
      .text($0?.base)
    },
  ]

  static let relatedField = JSONField<Item>(
    "related",
    "files beside those (Podcasting 2.0)",
    array: [
      JSONField("role", "alternate, chapters or transcript") { .string($0.role.rawValue) },
      JSONField("url", "where the file is") { .string($0.url) },
      JSONField("type", "its media type") { .text($0.type) },
      JSONField("length", "its bytes, as the feed has it") { .number($0.length.map { Int($0) }) },
      JSONField("language", "as the feed has it, such as en") { .text($0.language) },
    ],
  ) { $0.related }

  static func enclosureFields(
    length: @escaping @Sendable (Int64?) -> PrintedJSON
  ) -> [JSONField<Enclosure>] {
    [
      JSONField("url", "where the file is") { .string($0.url) },
      JSONField("type", "its media type") { .text($0.type) },
      JSONField("length", "its bytes, as the feed has it") { length($0.length) },
    ]
  }
}
