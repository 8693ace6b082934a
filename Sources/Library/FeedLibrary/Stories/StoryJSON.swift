package import CommandLine
package import FeedModel
internal import System

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

  package static let fields = ItemField.allCases.compactMap(listed)

  /// The field for lists, or nil for one that only `ExportedStory` has.
  private static func listed(_ field: ItemField) -> JSONField<StoredItem>? {
    switch field {
    case .id: id
    case .title: title
    case .pubDate: JSONField("pubDate", "the date as it was published") { .text($0.item.pubDate) }
    case .date: dateField.of(\.item)
    case .link:
      JSONField("link", "where it can be read, an absolute URL without trackers") {
        .text(SafeLink.absolute($0.item.link))
      }
    case .guid: JSONField("guid", "what its feed knows it by") { .text($0.item.guid) }
    case .feeds:
      JSONField("feeds", "the URLs of the feeds that carry it") {
        .strings($0.feeds.map { WebURL.redacted($0) })
      }
    case .author: JSONField("author", "who wrote it") { .text($0.item.author) }
    case .summary: JSONField("summary", summaryMeaning) { .text($0.item.summary) }
    case .read: JSONField("read", "whether it was read") { .boolean($0.isRead) }
    case .starred: JSONField("starred", "whether it has a star") { .boolean($0.isStarred) }
    case .tags: JSONField("tags", "its own, by rules and by hand") { .strings($0.tags) }
    case .note: JSONField("note", "what the reader has written on it") { .text($0.note) }
    case .enclosures: enclosures
    case .file:
      JSONField("file", "where its episode is saved; null where it is not") {
        .text($0.isDownloaded ? $0.file : nil)
      }
    case .related: relatedField.of(\.item)
    case .season: season.of(\.item)
    case .episode: episode.of(\.item)
    case .comments: comments.of(\.item)
    case .chapters: chapters.of(\.item)
    case .people: people.of(\.item)
    case .stored, .guidIsPermaLink, .categories, .text, .pageText, .articleText, .rules, .matched,
      .changed, .previous, .arrived:
      nil
    }
  }

  package static let dateField = JSONField<Item>(
    "date",
    "the same as YYYY-MM-DDTHH:MM:SSZ, null when it is not surely a date",
  ) { .date($0.date) }

  private static let summaryMeaning =
    "plain text: at most 1,000 characters, or 200 where the whole text is kept"

  private static let enclosures = JSONField<StoredItem>(
    "enclosures",
    "files that it carries, such as recordings",
    array: enclosureFields { .number($0.map { Int($0) }) } + [
      JSONField("duration", "its seconds, as the feed has them") { .number($0.duration) }
    ],
  ) { $0.item.enclosures.filter { SafeLink.isAbsolute($0.url) } }

  package static let pageText = JSONField<StoredItem>(
    "pageText",
    "whether that text is its page's",
  ) { .boolean($0.article.isShown) }

  package static let published: [JSONField<Item>] = [
    relatedField, season, episode, comments, chapters, people,
  ]

  private static let relatedField = JSONField<Item>(
    "related",
    "files, pages and pictures beside those",
    array: [
      JSONField("role", "alternate, chapters, transcript, external, related, via or image") {
        .string($0.role.rawValue)
      },
      JSONField("url", "where the file is") { .string($0.url) },
      JSONField("type", "its media type") { .text($0.type) },
      JSONField("length", "its bytes, as the feed has it") { .number($0.length.map { Int($0) }) },
      JSONField("language", "as the feed has it, such as en") { .text($0.language) },
    ],
  ) { $0.related.filter { SafeLink.isAbsolute($0.url) } }

  private static let season = JSONField<Item>("season", "the number of a podcast's season") {
    .number($0.season)
  }

  private static let episode = JSONField<Item>("episode", "the number of a podcast's episode") {
    .number($0.episode)
  }

  private static let comments = JSONField<Item>("comments", "where readers comment on it") {
    .text($0.comments.flatMap { SafeLink.isAbsolute($0) ? $0 : nil })
  }

  private static let chapters = JSONField<Item>(
    "chapters",
    "those that its feed lists itself (Podlove Simple Chapters)",
    array: [
      JSONField("start", "seconds from the beginning") { .number($0.start) },
      JSONField("title", "plain text") { .text($0.title) },
      linkField(\.url),
    ],
  ) { $0.chapters }

  private static let people = JSONField<Item>(
    "people",
    "who is in an episode or made it (Podcasting 2.0), hosts first",
    array: [
      JSONField("name", "plain text") { .text($0.name) },
      JSONField("role", "in small letters, such as host or guest") { .text($0.role) },
      linkField(\.url),
    ],
  ) { $0.people }

  private static func linkField<Part: ItemPart>(
    _ url: @escaping @Sendable (Part) -> String?
  ) -> JSONField<Part> {
    JSONField("url", "what its feed links it to") {
      .text(url($0).flatMap { SafeLink.isAbsolute($0) ? $0 : nil })
    }
  }

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
  /// True if the file is where it was saved; a link in its place is somebody else's.
  package var isDownloaded: Bool {
    file.map { FileStatus(at: $0, followingLinks: false)?.kind == .file } ?? false
  }
}
