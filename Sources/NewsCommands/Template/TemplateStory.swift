import FeedModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A story for a template: its fields as text that can change neither a terminal nor a line.
struct TemplateStory {
  /// The number to name it by; nil where it has none.
  let number: Int?
  let story: StoredItem
  /// The feed's name.
  let feed: String
  let dates: StoryDates

  /// Empty where nothing is known.
  func text(_ field: TemplateField) -> String {
    switch field {
    case .n: number.map(String.init) ?? ""
    case .date, .stored: instant(field).map(dates.exactText) ?? ""
    case .read: story.isRead ? "true" : "false"
    case .starred: story.isStarred ? "true" : "false"
    case .link: SafeLink.isSafe(story.item.link) ? story.item.link : ""
    case .enclosure: story.item.enclosures.map(\.url).first(where: SafeLink.isSafe) ?? ""
    case .enclosures:
      story.item.enclosures.map(\.url).filter(SafeLink.isSafe).joined(separator: " ")
    default: SafeText.line(words(field))
    }
  }

  /// A date in the user's form; empty where it is not known.
  func dateText(_ field: TemplateField, _ format: DateFormat) -> String {
    instant(field).map { format.text($0, clock: dates.clock) } ?? ""
  }

  private func words(_ field: TemplateField) -> String {
    switch field {
    case .id: story.id
    case .title: story.item.title
    case .guid: story.item.guid ?? ""
    case .pubDate: story.item.pubDate
    case .feed: feed
    case .feeds: story.feeds.map(FeedName.withoutPassword).joined(separator: " ")
    case .author: story.item.author ?? ""
    case .summary: story.item.summary ?? ""
    case .categories: story.item.categories.joined(separator: ", ")
    default: ""
    }
  }

  private func instant(_ field: TemplateField) -> Int? {
    (field == .date ? story.item.date : story.stored)?.wholeSeconds
  }
}

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
