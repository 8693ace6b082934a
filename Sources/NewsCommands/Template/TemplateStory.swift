import FeedModel

/// A story for a template: its fields as text that can change neither a terminal nor a line.
struct TemplateStory {
  let number: Int?
  let story: StoredItem
  let feed: String
  let dates: StoryDates

  /// A date in the user's form; empty where it is not known.
  func dateText(_ field: TemplateField, _ format: DateFormat) -> String {
    field.date?(self).map { format.text($0.wholeSeconds, clock: dates.clock) } ?? ""
  }

  func text(_ field: TemplateField) -> String {
    if let date = field.date { return date(self).map { dates.exactText($0.wholeSeconds) } ?? "" }
    return SafeText.line(field.text(self) ?? "")
  }

  fileprivate var enclosures: [String] {
    story.item.enclosures.map(\.url).filter(SafeLink.isSafe)
  }
}

/// What a template may say of a story.
struct TemplateField: Sendable {
  let name: String
  fileprivate var text: @Sendable (TemplateStory) -> String? = { _ in nil }
  fileprivate var date: (@Sendable (TemplateStory) -> Date?)?

  var isDate: Bool { date != nil }

  static let names = all.map { $0.name }

  static func named(_ name: String) -> TemplateField? {
    all.first { $0.name == name }
  }

  private static let all: [TemplateField] = [
    .init(name: "n", text: { $0.number.map(String.init) }),
    .init(name: "id", text: { $0.story.id }),
    .init(name: "title", text: { $0.story.item.title }),
    .init(name: "link", text: { [$0.story.item.link].first(where: SafeLink.isSafe) }),
    .init(name: "guid", text: { $0.story.item.guid }),
    .init(name: "pubDate", text: { $0.story.item.pubDate }),
    .init(name: "date", date: { $0.story.item.date }),
    .init(name: "stored", date: { $0.story.stored }),
    .init(name: "feed", text: { $0.feed }),
    .init(
      name: "feeds",
      text: { $0.story.feeds.map { WebURL.redacted($0) }.joined(separator: " ") },
    ),
    .init(name: "author", text: { $0.story.item.author }),
    .init(name: "summary", text: { $0.story.item.summary }),
    .init(name: "categories", text: { $0.story.item.categories.joined(separator: ", ") }),
    .init(name: "read", text: { String($0.story.isRead) }),
    .init(name: "starred", text: { String($0.story.isStarred) }),
    .init(name: "enclosure", text: { $0.enclosures.first }),
    .init(name: "enclosures", text: { $0.enclosures.joined(separator: " ") }),
  ]
}
