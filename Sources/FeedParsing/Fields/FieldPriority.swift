/// Where each field is taken from: the order of the sources is their priority.
///
/// The first source that the document has, and that says anything, gives the field. Links are
/// ranked as they are collected (`linkRank`), since most are attributes of like-named elements.
enum FieldPriority {
  static let title: [FeedElement] = [.title, .mediaTitle, .dcTitle, .itunesTitle]

  static let summary: [FeedElement] = [
    .description, .summary, .dcDescription, .dcAbstract, .itunesSummary, .contentEncoded, .content,
    .xhtmlBody, .mediaDescription, .subtitle, .itunesSubtitle,
  ]

  /// What may be the whole text (`mayBeWholeText`): the longest is, the first of equals.
  static let wholeText = FeedElement.allCases.filter(\.mayBeWholeText)

  static let date: [FeedElement] = [
    .pubDate, .dcDate, .published, .issued, .created, .updated, .modified, .lastBuildDate,
  ]

  static let guid: [FeedElement] = [.guid, .id, .about]

  /// After the authors' own elements.
  static let author: [FeedElement] = [.itunesAuthor]

  static let feedDescription: [FeedElement] = [
    .description, .subtitle, .dcDescription, .itunesSummary, .itunesSubtitle, .summary,
  ]

  static let feedDate: [FeedElement] = [
    .pubDate, .lastBuildDate, .dcDate, .updated, .modified, .published, .issued, .created,
  ]

  static let language: [FeedElement] = [.language, .dcLanguage]

  /// The rank of the story's own page where `link` leads to who counts the visits: FeedBurner's and
  /// Pheedo's `origLink`.
  static let originalLinkRank: UInt8 = 0

  /// The rank of a link element's text: RSS `link`.
  static let textLinkRank: UInt8 = 1

  /// The rank of a `link rel="alternate"` by its type: what people read comes first.
  static func linkRank(type: UnsafeBufferPointer<UInt8>?) -> UInt8 {
    guard let type, !type.isEmpty else { return 4 }
    if type.isEqual(ignoringCase: "text/html") { return 2 }
    if type.isEqual(ignoringCase: "application/xhtml+xml") { return 3 }
    return 5
  }
}
