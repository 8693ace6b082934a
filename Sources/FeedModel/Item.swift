package import System

/// A story as its feed published it: an RSS item, an Atom entry, a JSON Feed item.
///
/// All text is plain (no markup, references decoded, white space collapsed, nothing invisible);
/// the strings are empty, and the optionals nil, where the document says nothing.
package struct Item: Hashable, Sendable {
  // PERF: one reference instead of eight. A first refresh copies every story a dozen times; with
  // the values in the structure itself a third of its time went into counting references.
  // And one piece of memory for all texts: to make, keep and free five strings cost as much as
  // everything else that is done for a story.
  /// As it was parsed, and as most stay; nil once a text was changed.
  private var packed: PackedItemFields?
  private var storage: Storage?

  package init(
    title: String = "",
    link: String = "",
    pubDate: String = "",
    date: Date? = nil,
    guid: String? = nil,
  ) {
    var fields = ItemFields(title: title, link: link, pubDate: pubDate, guid: guid)
    fields.details.date = date
    storage = Storage(fields)
  }

  /// An item whose texts stand one after the other in a piece of memory, which is copied.
  package init(
    texts: UnsafeBufferPointer<UInt8>,
    layout: ItemTextLayout,
    details: ItemDetails,
  ) {
    packed = PackedItemFields(texts, layout: layout, details: details)
  }

  // Changed only by `changing`, through the one item that refers to it: safe to share.
  private final class Storage: @unchecked Sendable {
    var fields: ItemFields

    init(_ fields: ItemFields) {
      self.fields = fields
    }
  }

  private var fields: ItemFields {
    packed?.fields ?? storage?.fields ?? ItemFields()
  }

  /// The values, in a storage for this item alone.
  private var changing: ItemFields {
    get { fields }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(fields) }
      packed = nil
      let unique = storage ?? Storage(ItemFields())
      storage = unique
      yield &unique.fields
    }
  }

  private var changingDetails: ItemDetails {
    get { packed?.details ?? fields.details }
    _modify {
      if var own = packed {
        packed = nil
        defer { packed = own }
        yield &own.details
      } else {
        yield &changing.details
      }
    }
  }

  package static func == (one: Item, other: Item) -> Bool {
    if let first = one.packed, let second = other.packed { return first.isEqual(to: second) }
    return one.fields == other.fields
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(fields)
  }
}

extension Item {
  /// What it holds, without a copy; whoever looks at several of its values best looks at these.
  package func withContents<R, E: Error>(_ body: (ItemContents) throws(E) -> R) throws(E) -> R {
    try (packed ?? PackedItemFields(fields)).withContents(body)
  }

  /// The UTF-8 of one text, without a copy; empty where there is none.
  package func withUTF8<R>(of text: ItemText, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    if let packed { return packed.withUTF8(of: text, body) }
    var string = storage?.fields.text(text) ?? ""
    return string.withUTF8(body)
  }

  /// Whether a text is there, and not empty.
  package func hasText(_ text: ItemText) -> Bool {
    if let packed { return packed.hasText(text) }
    return storage?.fields.text(text).isEmpty == false
  }

  package var title: String {
    get { packed?.title ?? storage?.fields.title ?? "" }
    set { changing.title = newValue }
  }

  /// Where the story can be read: an absolute http or https URL, or empty.
  package var link: String {
    get { packed?.link ?? storage?.fields.link ?? "" }
    set { changing.link = newValue }
  }

  /// The publication date as the document has it, white space trimmed; empty when it has none.
  package var pubDate: String {
    get { packed?.pubDate ?? storage?.fields.pubDate ?? "" }
    set { changing.pubDate = newValue }
  }

  /// RSS `guid`, Atom and JSON Feed `id`, RDF `rdf:about`, white space trimmed; never empty.
  package var guid: String? {
    get { packed == nil ? storage?.fields.guid : packed?.guid }
    set { changing.guid = newValue }
  }

  /// The description as text, at most 1,000 characters.
  package var summary: String? {
    get { packed == nil ? storage?.fields.summary : packed?.summary }
    set { changing.summary = newValue }
  }

  /// The instant that `pubDate` surely means; nil when it does not.
  package var date: Date? {
    get { packed == nil ? storage?.fields.details.date : packed?.details.date }
    set { changingDetails.date = newValue }
  }

  /// Whether the document says that `guid` is a permanent URL of the story (RSS 2.0 `isPermaLink`).
  package var guidIsPermaLink: Bool {
    get { packed?.details.guidIsPermaLink ?? storage?.fields.details.guidIsPermaLink ?? false }
    set { changingDetails.guidIsPermaLink = newValue }
  }

  package var author: String? {
    get { packed == nil ? storage?.fields.details.author : packed?.details.author }
    set { changingDetails.author = newValue }
  }

  package var categories: [String] {
    get { packed?.details.categories ?? storage?.fields.details.categories ?? [] }
    set { changingDetails.categories = newValue }
  }

  package var enclosures: [Enclosure] {
    get { packed?.details.enclosures ?? storage?.fields.details.enclosures ?? [] }
    set { changingDetails.enclosures = newValue }
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
