import System

/// The sources of each field, the best first.
///
/// The first source that the document has and that is not empty gives the field. Links are ranked
/// as they are collected (`linkRank`), since most are attributes of like-named elements.
enum FieldPriority {
  static let title: [FeedElement] = [.title, .mediaTitle, .dcTitle, .itunesTitle]

  static let summary: [FeedElement] = [
    .description, .summary, .dcDescription, .dcAbstract, .itunesSummary, .contentEncoded, .content,
    .xhtmlBody, .mediaDescription, .pictureText, .subtitle, .itunesSubtitle,
  ]

  static let wholeText = FeedElement.allCases.filter(\.mayBeWholeText).sorted {
    $0.wholeTextRank ?? 0 < $1.wholeTextRank ?? 0
  }

  /// The name under which a candidate stands that is not the whole text.
  static func name(_ element: FeedElement) -> String {
    switch element {
    case .summary, .itunesSummary, .dcAbstract: "Summary"
    case .content, .contentEncoded, .xhtmlBody: "Content"
    default: "Description"
    }
  }

  static let date: [FeedElement] = [
    .pubDate, .dcDate, .date, .published, .issued, .created, .updated, .modified, .lastBuildDate,
  ]

  static let guid: [FeedElement] = [.guid, .id, .about]

  static let author: [FeedElement] = [.itunesAuthor]

  static let feedDescription: [FeedElement] = [
    .description, .subtitle, .dcDescription, .itunesSummary, .itunesSubtitle, .summary,
  ]

  static let feedDate: [FeedElement] = [
    .pubDate, .lastBuildDate, .dcDate, .date, .updated, .modified, .published, .issued, .created,
  ]

  static let language: [FeedElement] = [.language, .dcLanguage]

  /// The rank of FeedBurner's and Pheedo's `origLink`, the story's own page where `link` leads to a
  /// counter of visits.
  static let originalLinkRank: UInt8 = 0

  static let textLinkRank: UInt8 = 1

  /// True of a link to what people read, not programs.
  static func isPage(type: UnsafeBufferPointer<UInt8>?) -> Bool { linkRank(type: type) < otherRank }

  private static let otherRank: UInt8 = 5

  /// The rank of the address of content that stands elsewhere.
  static let contentRank: UInt8 = 6

  static func linkRank(type: UnsafeBufferPointer<UInt8>?) -> UInt8 {
    guard let type, !type.isEmpty else { return 4 }
    if type.isEqual(ignoringCase: "text/html") { return 2 }
    if type.isEqual(ignoringCase: "application/xhtml+xml") { return 3 }
    return otherRank
  }
}
