import CommandLine
import FeedLibrary
package import FeedModel
import FeedReading
package import FeedStorage
import HTMLText

/// A story for a template: its fields are text that can change neither a terminal nor a line.
package struct TemplateStory {
  let number: Int?
  let story: StoredItem
  let feed: String
  let dates: StoryDates
  var change: String?
  /// The numbers of the other stories of its row.
  let similar: [Int]
  package var texts: StoryTextIndex?
  /// The text that the story is to have, while it is not stored.
  var newText: StoryText?

  package init(
    number: Int?,
    story: StoredItem,
    feed: String,
    dates: StoryDates,
    change: String? = nil,
    similar: [Int] = [],
    texts: StoryTextIndex? = nil,
    newText: StoryText? = nil,
  ) {
    (self.number, self.story, self.feed, self.dates) = (number, story, feed, dates)
    (self.change, self.similar, self.texts, self.newText) = (change, similar, texts, newText)
  }

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

  /// The first picture that its feed declares, else the first in its text.
  fileprivate var image: String? {
    if let url = story.item.pictures.first(where: SafeLink.isSafe) { return url }
    // A text that cannot be read shows none.
    guard let text = newText ?? (try? texts?.text(of: story)),
      let document = try? StoryReading.document(text, link: story.item.link)
    else { return nil }
    return document.images.compactMap(\.url).first(where: SafeLink.isSafe)
  }
}

extension TemplateStory {
  /// The number of words of the text that is shown; nil where there are none.
  var words: Int? {
    if let newText { return newText.words }
    // A text that cannot be read has none.
    guard story.textKeys.isEmpty else { return (try? texts?.text(of: story))?.words }
    return StoryText.words(ofSummary: story.item.summary)
  }
}

struct TemplateField: Sendable {
  let name: String
  var text: @Sendable (TemplateStory) -> String? = { _ in nil }
  var date: (@Sendable (TemplateStory) -> Date?)?
  var isInText = false

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
    .init(name: "note", text: { $0.story.note }),
    .init(name: "tags", text: { $0.story.tags.joined(separator: ", ") }),
    .init(name: "enclosure", text: { $0.enclosures.first }),
    .init(name: "enclosures", text: { $0.enclosures.joined(separator: " ") }),
    .init(name: "image", text: { $0.image }, isInText: true),
    .init(name: "words", text: { $0.words.map(String.init) }, isInText: true),
    .init(
      name: "minutes",
      text: { $0.words.map { String(WordCount.minutes(words: $0)) } },
      isInText: true,
    ),
    .init(
      name: "duration",
      text: { $0.story.item.enclosures.first?.duration.map { FileDescription.time($0) } },
    ),
    .init(name: "file", text: { $0.story.isDownloaded ? $0.story.file : nil }),
    .init(name: "season", text: { $0.story.item.season.map(String.init) }),
    .init(name: "episode", text: { $0.story.item.episode.map(String.init) }),
    .init(name: "chapters", text: { $0.story.item.chapters.map(\.words).joined(separator: "; ") }),
    .init(name: "people", text: { $0.story.item.people.map(\.words).joined(separator: ", ") }),
    .init(
      name: "comments",
      text: { [$0.story.item.comments ?? ""].first(where: SafeLink.isSafe) },
    ),
    .init(name: "change", text: { $0.change }),
    .init(name: "similar", text: { $0.similar.map(String.init).joined(separator: ",") }),
  ]
}
