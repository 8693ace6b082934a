#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A story as its feed published it: an RSS item, an Atom entry, a JSON Feed item.
///
/// All text is plain (no markup, references decoded, white space collapsed, nothing invisible);
/// the strings are empty, and the optionals nil, where the document says nothing.
package struct Item: Hashable, Sendable {
  // PERF: one reference instead of eight. A first refresh copies every story a dozen times; with
  // the values in the structure itself a third of its time went into counting references.
  private var storage: Storage

  package init(
    title: String = "",
    link: String = "",
    pubDate: String = "",
    date: Date? = nil,
    guid: String? = nil,
  ) {
    storage = Storage(
      Fields(title: title, link: link, pubDate: pubDate, date: date, guid: guid)
    )
  }

  private struct Fields: Hashable, Sendable {
    var title: String
    var link: String
    var pubDate: String
    var date: Date?
    var guid: String?
    var guidIsPermaLink = false
    var author: String?
    var summary: String?
    var categories: [String] = []
    var enclosures: [Enclosure] = []
  }

  // Changed only by `unique`, through the one item that refers to it: safe to share.
  private final class Storage: @unchecked Sendable {
    var fields: Fields

    init(_ fields: Fields) {
      self.fields = fields
    }
  }

  /// The storage, for this item alone.
  private var unique: Storage {
    mutating get {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.fields) }
      return storage
    }
  }

  package static func == (one: Item, other: Item) -> Bool {
    one.storage === other.storage || one.storage.fields == other.storage.fields
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(storage.fields)
  }
}

extension Item {
  package var title: String {
    get { storage.fields.title }
    set { unique.fields.title = newValue }
  }

  /// Where the story can be read: an absolute http or https URL, or empty.
  package var link: String {
    get { storage.fields.link }
    set { unique.fields.link = newValue }
  }

  /// The publication date as the document has it, white space trimmed; empty when it has none.
  package var pubDate: String {
    get { storage.fields.pubDate }
    set { unique.fields.pubDate = newValue }
  }

  /// The instant that `pubDate` surely means; nil when it does not.
  package var date: Date? {
    get { storage.fields.date }
    set { unique.fields.date = newValue }
  }

  /// RSS `guid`, Atom and JSON Feed `id`, RDF `rdf:about`, white space trimmed; never empty.
  package var guid: String? {
    get { storage.fields.guid }
    set { unique.fields.guid = newValue }
  }

  /// Whether the document says that `guid` is a permanent URL of the story (RSS 2.0 `isPermaLink`).
  package var guidIsPermaLink: Bool {
    get { storage.fields.guidIsPermaLink }
    set { unique.fields.guidIsPermaLink = newValue }
  }

  package var author: String? {
    get { storage.fields.author }
    set { unique.fields.author = newValue }
  }

  /// The description as text, at most 1,000 characters.
  package var summary: String? {
    get { storage.fields.summary }
    set { unique.fields.summary = newValue }
  }

  package var categories: [String] {
    get { storage.fields.categories }
    set { unique.fields.categories = newValue }
  }

  package var enclosures: [Enclosure] {
    get { storage.fields.enclosures }
    set { unique.fields.enclosures = newValue }
  }
}

/// A media file that belongs to a story, such as a podcast's episode (RSS 2.0 `enclosure`).
package struct Enclosure: Hashable, Sendable {
  /// An absolute http or https URL.
  package var url: String
  /// The media type as published, such as `audio/mpeg`.
  package var type: String?
  /// Bytes, as published; nil when absent or not a number above zero.
  package var length: Int64?
  /// Seconds (`itunes:duration`, JSON Feed `duration_in_seconds`).
  package var duration: Int?

  package init(url: String, type: String? = nil, length: Int64? = nil, duration: Int? = nil) {
    self.url = url
    self.type = type
    self.length = length
    self.duration = duration
  }
}
