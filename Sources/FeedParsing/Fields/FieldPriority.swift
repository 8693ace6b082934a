/// Where each field is taken from: the order of the sources is their priority.
///
/// The first source that the document has, and that says anything, gives the field. Links are
/// ranked as they are collected (`linkRank`), since most are attributes of like-named elements.
enum FieldPriority {
  static let title: FieldSources = [.title, .mediaTitle, .dcTitle, .itunesTitle]

  static let summary: FieldSources = [
    .description, .summary, .dcDescription, .dcAbstract, .itunesSummary, .contentEncoded, .content,
    .xhtmlBody, .mediaDescription, .subtitle, .itunesSubtitle,
  ]

  static let date: FieldSources = [
    .pubDate, .dcDate, .published, .issued, .updated, .modified, .created, .lastBuildDate,
  ]

  static let guid: FieldSources = [.guid, .id, .about]

  /// After the authors' own elements.
  static let author: FieldSources = [.itunesAuthor]

  static let feedDescription: FieldSources = [
    .description, .subtitle, .dcDescription, .itunesSummary, .itunesSubtitle, .summary,
  ]

  static let feedDate: FieldSources = [
    .pubDate, .lastBuildDate, .dcDate, .updated, .modified, .published, .issued, .created,
  ]

  static let language: FieldSources = [.language, .dcLanguage]

  /// The rank of a link element's text: RSS `link`.
  static let textLinkRank: UInt8 = 0

  /// The rank of a `link rel="alternate"` by its type: what people read comes first.
  static func linkRank(type: UnsafeBufferPointer<UInt8>?) -> UInt8 {
    guard let type, !type.isEmpty else { return 3 }
    if type.isEqual(ignoringCase: "text/html") { return 1 }
    if type.isEqual(ignoringCase: "application/xhtml+xml") { return 2 }
    return 4
  }
}

/// The elements that can give one field, the preferred one first.
struct FieldSources: ExpressibleByArrayLiteral, Sendable {
  let elements: [FeedElement]
  /// A bit for each of them (`FeedElement.bit`): most documents have none of most sources.
  let bits: UInt64

  init(arrayLiteral elements: FeedElement...) {
    self.elements = elements
    bits = elements.reduce(0) { $0 | $1.bit }
  }
}
