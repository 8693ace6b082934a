package import System

/// A story as its feed published it: an RSS item, an Atom entry, a JSON Feed item.
///
/// All text is plain (no markup, references decoded, white space collapsed, nothing invisible);
/// the strings are empty, and the optionals nil, where the document says nothing.
@dynamicMemberLookup
package struct Item: Hashable, Sendable {
  // PERF: one piece of memory. A first refresh copies every story a dozen times; with a string for
  // each text a third of its time went into counting references.
  private var packed: [UInt8]

  package init(
    title: String = "",
    link: String = "",
    pubDate: String = "",
    date: Date? = nil,
    guid: String? = nil,
    summary: String? = nil,
    details: ItemDetails = ItemDetails(),
  ) {
    var details = details
    if let date { details.date = date }
    self.init(details) { text in
      switch text {
      case .title: title.utf8
      case .pubDate: pubDate.utf8
      case .guid: (guid ?? "").utf8
      case .link: link.utf8
      case .summary: (summary ?? "").utf8
      }
    }
  }

  package init(
    texts: UnsafeBufferPointer<UInt8>,
    layout: ItemTextLayout,
    details: ItemDetails,
  ) {
    packed = PackedItem.bytes(layout, details) { $0.append(contentsOf: texts[..<layout[.summary]]) }
  }

  package init(packed: UnsafeRawBufferPointer) {
    self.packed = Array(packed)
  }

  private init<Text: Collection<UInt8>>(_ details: ItemDetails, _ text: (ItemText) -> Text) {
    var layout = ItemTextLayout()
    var end = 0
    for part in ItemText.allCases {
      end += text(part).count
      layout[part] = end
    }
    packed = PackedItem.bytes(layout, details) { bytes in
      for part in ItemText.allCases { bytes.append(contentsOf: text(part)) }
    }
  }
}

extension Item: RecordValue {
  package static let blank = Item()

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&packed, PackedItem.isSound)
  }
}

extension Item {
  package func withPacked<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    packed.withUnsafeBytes(body)
  }

  /// Calls `body` with a view of the values, without a copy.
  ///
  /// To read several values through one view costs less than a property each.
  package func withContents<R, E: Error>(_ body: (PackedItem) throws(E) -> R) throws(E) -> R {
    try packed.withUnsafeBufferPointer { bytes throws(E) in
      try body(PackedItem(UnsafeRawBufferPointer(bytes)))
    }
  }

  package func withUTF8<R>(of text: ItemText, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    withContents { body($0.text(text)) }
  }

  package func hasText(_ text: ItemText) -> Bool {
    withUTF8(of: text) { !$0.isEmpty }
  }

  private subscript(text: ItemText) -> String {
    get { withUTF8(of: text) { String(decoding: $0, as: UTF8.self) } }
    set {
      self = withContents { old in
        Item(old.details) { $0 == text ? Array(newValue.utf8) : Array(old.text($0)) }
      }
    }
  }

  var details: ItemDetails {
    get { withContents(\.details) }
    set {
      self = withContents { old in Item(newValue) { old.text($0) } }
    }
  }

  package var title: String {
    get { self[.title] }
    set { self[.title] = newValue }
  }

  /// An absolute http or https URL, or empty.
  package var link: String {
    get { self[.link] }
    set { self[.link] = newValue }
  }

  /// The publication date as the document has it, trimmed; empty where it has none.
  package var pubDate: String {
    get { self[.pubDate] }
    set { self[.pubDate] = newValue }
  }

  /// RSS `guid`, Atom and JSON Feed `id`, RDF `rdf:about`, trimmed; never empty.
  package var guid: String? {
    get { hasText(.guid) ? self[.guid] : nil }
    set { self[.guid] = newValue ?? "" }
  }

  /// The description as text: at most 1,000 characters, or `shortSummary` beside a whole text.
  package var summary: String? {
    get { hasText(.summary) ? self[.summary] : nil }
    set { self[.summary] = newValue ?? "" }
  }

  /// The instant that `pubDate` means beyond doubt; nil where there is a doubt.
  package var date: Date? {
    get { withContents(\.date) }
    set { details.date = newValue }
  }

  package var guidIsPermaLink: Bool {
    get { withContents(\.guidIsPermaLink) }
    set { details.guidIsPermaLink = newValue }
  }

  package var textNumber: Int64 {
    get { withContents(\.textNumber) }
    set { details.textNumber = newValue }
  }

  package var enclosures: [Enclosure] {
    get { details.enclosures }
    set { details.enclosures = newValue }
  }

  package var related: [RelatedFile] {
    get { details.related }
    set { details.related = newValue }
  }

  /// The other values, each of which costs a reading of all of them.
  package subscript<Value>(dynamicMember path: WritableKeyPath<ItemDetails, Value>) -> Value {
    get { details[keyPath: path] }
    set { details[keyPath: path] = newValue }
  }
}

extension Item {
  /// The URLs of the pictures that the feed declares: enclosures first, then other files.
  package var pictures: [String] {
    enclosures.filter(\.isImage).map(\.url) + related.filter { $0.role == .image }.map(\.url)
  }

  /// The characters of a summary beside which the whole text is kept: as many as a list shows.
  package static let shortSummary = 200

  package mutating func shortenSummary() {
    let short = withUTF8(of: .summary) {
      SafeText.beginning(ofUTF8: $0, maximumCharacters: Self.shortSummary)
    }
    if let short { summary = short }
  }
}
