import FeedModel
import System

extension StoredItem {
  /// Replaces the content, and records the changed parts.
  ///
  /// Earlier changes go, except of parts that make keys.
  mutating func take(_ new: Item, at now: Date) {
    let parts = StoryChange.Part.allCases.filter { !item.isEqual(to: new, in: $0) }
    if !parts.isEmpty {
      let earlier = changes
      changes = StoryChange.Part.allCases.compactMap { part in
        guard !parts.contains(part) else {
          return StoryChange(part: part, date: now, was: item.text(of: part))
        }
        return earlier.first { $0.part == part && part.makesKeys }
      }
    }
    item = new
  }

  mutating func bring(forward feed: String) {
    guard feeds.first != feed else { return }
    feeds = [feed] + feeds.filter { $0 != feed }
  }

  /// Records the matches of feeds' stories with this one, and forgets feeds that have left it.
  mutating func note(_ new: [StoryMatch]) {
    guard !new.isEmpty else { return }
    var missing = Set(feeds)
    matches = (matches + new).reversed().filter { missing.remove($0.feed) != nil }.reversed()
  }
}

extension Item {
  func hasWords(of other: Item) -> Bool {
    title == other.title && summary == other.summary && textNumber == other.textNumber
  }

  fileprivate func isEqual(to other: Item, in part: StoryChange.Part) -> Bool {
    switch part {
    case .title: title == other.title
    case .pubDate: pubDate == other.pubDate && date == other.date
    case .link: link == other.link
    case .guid: guid == other.guid && guidIsPermaLink == other.guidIsPermaLink
    case .author: self.author == other.author && self.people == other.people
    case .summary: summary == other.summary
    case .categories: self.categories == other.categories
    case .enclosures:
      carried(besides: other) == other.carried(besides: self) && self.files == other.files
        && self.chapters == other.chapters
    case .text: textNumber == other.textNumber
    }
  }

  /// Returns the enclosures; beside a picture only those with a type, since earlier versions took
  /// pictures for enclosures.
  private func carried(besides other: Item) -> [Enclosure] {
    let hasPicture = (related + other.related).contains { $0.role == .image }
    return hasPicture ? enclosures.filter { $0.type != nil } : enclosures
  }

  /// The related files of enclosures, without pictures, whose URLs change by the day.
  private var files: [RelatedFile] { related.filter(\.role.isOfEnclosures) }

  /// The text of a part worth keeping when it changes, shortened if it is long; nil for other
  /// parts.
  fileprivate func text(of part: StoryChange.Part) -> String? {
    let text: String? =
      switch part {
      case .title: title
      case .pubDate: pubDate
      case .link: link
      case .guid: guid
      case .author, .summary, .categories, .enclosures, .text: nil
      }
    guard let text, !text.isEmpty else { return nil }
    return SafeText.prefix(text, maximumCharacters: StoryChange.maximumCharacters)
  }
}
