/// What a template may say of a story.
enum TemplateField: String, CaseIterable, Sendable {
  /// The number in the list; empty where there is none.
  case n
  case id
  case title
  case link
  case guid
  case pubDate
  case date
  case stored
  /// The feed's name.
  case feed
  /// The URLs of all feeds that carried it.
  case feeds
  case author
  case summary
  case categories
  case read
  case starred
  /// The URL of the first enclosure.
  case enclosure
  case enclosures

  var isDate: Bool {
    self == .date || self == .stored
  }

  static let names = allCases.map(\.rawValue)
}
