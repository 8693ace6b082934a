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
    let texts = ItemStrings(title: title, link: link, pubDate: pubDate, guid: guid)
    storage = Storage(Fields(texts: .strings(texts), date: date))
  }

  /// An item whose texts stand one after the other in a piece of memory, which is copied.
  package init(texts: UnsafeBufferPointer<UInt8>, layout: ItemTextLayout) {
    storage = Storage(Fields(texts: .packed(PackedTexts(texts, layout: layout))))
  }

  private struct Fields: Hashable, Sendable {
    var texts: ItemTexts
    var date: Date?
    var guidIsPermaLink = false
    var author: String?
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
    get { storage.fields.texts.title }
    set { unique.fields.texts.strings.title = newValue }
  }

  /// Where the story can be read: an absolute http or https URL, or empty.
  package var link: String {
    get { storage.fields.texts.link }
    set { unique.fields.texts.strings.link = newValue }
  }

  /// The publication date as the document has it, white space trimmed; empty when it has none.
  package var pubDate: String {
    get { storage.fields.texts.pubDate }
    set { unique.fields.texts.strings.pubDate = newValue }
  }

  /// The instant that `pubDate` surely means; nil when it does not.
  package var date: Date? {
    get { storage.fields.date }
    set { unique.fields.date = newValue }
  }

  /// RSS `guid`, Atom and JSON Feed `id`, RDF `rdf:about`, white space trimmed; never empty.
  package var guid: String? {
    get { storage.fields.texts.guid }
    set { unique.fields.texts.strings.guid = newValue }
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
    get { storage.fields.texts.summary }
    set { unique.fields.texts.strings.summary = newValue }
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
