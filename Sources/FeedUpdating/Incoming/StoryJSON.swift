package import CommandLine
package import FeedModel
internal import System

/// A stored story as JSON, as every command prints it.
package enum StoryJSON {
  package static let id = JSONField<StoredItem>(
    "id",
    "sixteen hexadecimal digits that stay the same as long as it is stored",
  ) { .string($0.id) }
  package static let title = JSONField<StoredItem>("title", "plain text") { .text($0.item.title) }
  package static let stored = JSONField<StoredItem>(
    "stored",
    "when it was stored first, as YYYY-MM-DDTHH:MM:SSZ",
  ) { .date($0.stored) }

  package static let fields: [JSONField<StoredItem>] = [
    id, title,
    JSONField("pubDate", "the date as it was published") { .text($0.item.pubDate) },
    JSONField("date", "the same as YYYY-MM-DDTHH:MM:SSZ, null when it is not surely a date") {
      .date($0.item.date)
    },
    JSONField("link", "where it can be read, an absolute URL") {
      .text(SafeLink.absolute($0.item.link))
    },
    JSONField("guid", "what its feed knows it by") { .text($0.item.guid) },
    JSONField("feeds", "the URLs of the feeds that carry it") {
      .strings($0.feeds.map { WebURL.redacted($0) })
    },
    JSONField("author", "who wrote it") { .text($0.item.author) },
    JSONField(
      "summary",
      "plain text: at most 1,000 characters, or 200 where the whole text is kept",
    ) { .text($0.item.summary) },
    JSONField("read", "whether it was read") { .boolean($0.isRead) },
    JSONField("starred", "whether it has a star") { .boolean($0.isStarred) },
    JSONField("tags", "what rules filed it under") { .strings($0.tags) },
    JSONField(
      "enclosures",
      "files that it carries, such as recordings",
      array: enclosureFields { .number($0.map { Int($0) }) } + [
        JSONField("duration", "its seconds, as the feed has them") { .number($0.duration) }
      ],
    ) { $0.item.enclosures.filter { SafeLink.isAbsolute($0.url) } },
    JSONField("file", "where its episode is saved; null where it is not") {
      .text($0.isDownloaded ? $0.file : nil)
    },
    relatedField.of(\.item),
  ]

  package static let textFields: [JSONField<StoryText?>] = [
    JSONField("html", "the whole text as it was published, where that is HTML and stored") {
      .text($0.flatMap { $0.isHTML ? $0.string : nil })
    },
    JSONField("text", "the same, where it is plain text") {
      .text($0.flatMap { $0.isHTML ? nil : $0.string })
    },
    JSONField("base", "what relative links in it are against; null for the story's link") {
      .text($0?.base)
    },
    JSONField("cut", "whether its page shows only the beginning of it") {
      .boolean($0?.isCut ?? false)
    },
  ]

  package static let relatedField = JSONField<Item>(
    "related",
    "files beside those (Podcasting 2.0)",
    array: [
      JSONField("role", "alternate, chapters or transcript") { .string($0.role.rawValue) },
      JSONField("url", "where the file is") { .string($0.url) },
      JSONField("type", "its media type") { .text($0.type) },
      JSONField("length", "its bytes, as the feed has it") { .number($0.length.map { Int($0) }) },
      JSONField("language", "as the feed has it, such as en") { .text($0.language) },
    ],
  ) { $0.related.filter { SafeLink.isAbsolute($0.url) } }

  package static func enclosureFields(
    length: @escaping @Sendable (Int64?) -> PrintedJSON
  ) -> [JSONField<Enclosure>] {
    [
      JSONField("url", "where the file is") { .string($0.url) },
      JSONField("type", "its media type") { .text($0.type) },
      JSONField("length", "its bytes, as the feed has it") { length($0.length) },
    ]
  }
}

extension StoredItem {
  /// Whether its file is where it was saved; a link in its place is somebody else's.
  package var isDownloaded: Bool {
    file.map { FileStatus(at: $0, followingLinks: false)?.kind == .file } ?? false
  }
}
