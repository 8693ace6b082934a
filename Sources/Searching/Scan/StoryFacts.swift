import FeedLibrary
internal import FeedModel
internal import FeedStorage
internal import HTMLText
internal import System

/// The facts about one story that a search may need, each read only when it is needed.
protocol StoryFacts {
  mutating func isOf(_ feeds: FeedChoice) throws(StorageError) -> Bool
  func tags() throws(StorageError) -> [String]
  func isRead() throws(StorageError) -> Bool
  func isStarred() throws(StorageError) -> Bool
  /// True if its feed has changed the story since it came.
  func isUpdated() throws(StorageError) -> Bool
  func file() throws(StorageError) -> String?
  /// Seconds since 2001.
  func instants() throws(StorageError) -> (date: Double?, stored: Double?)
  func link() throws(StorageError) -> String
  func comments() throws(StorageError) -> String?
  func note() throws(StorageError) -> String?
  func enclosures() throws(StorageError) -> [Enclosure]
  func related() throws(StorageError) -> [RelatedFile]
  /// Appends the texts of a place; for the story's text only the summary.
  func append(_ place: SearchPlace, to text: inout FoldedText) throws(StorageError)
  func summary() throws(StorageError) -> String?
  /// True if the story has any text but its title.
  func hasText() throws(StorageError) -> Bool
  /// True if there is, or may be, a whole text that is searched.
  func hasWhole() throws(StorageError) -> Bool
  func whole() throws(StorageError) -> StoryText?
}

final class FeedChoice {
  let feeds: Set<String>
  /// True for wanted feeds, by the number that a reader gives a feed; grows as feeds are met.
  fileprivate var isWanted: [Bool] = []

  init(_ feeds: Set<String>) {
    self.feeds = feeds
  }
}

struct StoredFacts: StoryFacts {
  var reader: ItemReader
  /// The whole texts; nil where none is searched.
  let texts: StoryTextIndex?

  mutating func isOf(_ choice: FeedChoice) throws(StorageError) -> Bool {
    let known = choice.isWanted
    var (isOfKnown, first) = (false, Int.max)
    try reader.forEachFeed { number in
      if number < known.count {
        if known[number] { isOfKnown = true }
      } else {
        first = min(first, number)
      }
    }
    guard first < reader.feeds.count else { return isOfKnown }
    for url in reader.feeds[known.count...] { choice.isWanted.append(choice.feeds.contains(url)) }
    return isOfKnown || choice.isWanted[first...].contains(true)
  }

  func tags() throws(StorageError) -> [String] { try reader.strings(.tags) }
  func isRead() throws(StorageError) -> Bool { try reader.isRead() }
  func isStarred() throws(StorageError) -> Bool { try reader.isStarred() }

  func isUpdated() throws(StorageError) -> Bool {
    try !reader.changes(.changed, .previous, []).isEmpty
  }

  func file() throws(StorageError) -> String? { try reader.file() }

  func instants() throws(StorageError) -> (date: Double?, stored: Double?) {
    try reader.instants()
  }

  func link() throws(StorageError) -> String { try reader.string(.link) ?? "" }
  func comments() throws(StorageError) -> String? { try reader.string(.comments) }
  func note() throws(StorageError) -> String? { try reader.string(.note) }
  func enclosures() throws(StorageError) -> [Enclosure] { try reader.enclosures() }
  func related() throws(StorageError) -> [RelatedFile] { try reader.related() }
  func summary() throws(StorageError) -> String? { try reader.string(.summary) }

  func append(_ place: SearchPlace, to text: inout FoldedText) throws(StorageError) {
    switch place {
    case .title: if let title = try reader.text(.title) { text.append(title) }
    case .text: if let summary = try reader.text(.summary) { text.append(summary) }
    case .author: if let author = try reader.text(.author) { text.append(author) }
    case .category: for category in try reader.strings(.categories) { text.append(category) }
    case .link: if let link = try reader.text(.link) { text.append(link) }
    case .note: if let note = try reader.text(.note) { text.append(note) }
    case .anywhere: break
    }
  }

  func hasText() throws(StorageError) -> Bool {
    if try reader.hasWholeText() { return true }
    return try reader.string(.summary)?.isEmpty == false
  }

  func hasWhole() throws(StorageError) -> Bool {
    texts == nil ? false : try reader.hasWholeText()
  }

  func whole() throws(StorageError) -> StoryText? { try texts?.text(of: reader) }
}

/// A story as its feed brings it: unread, without a star.
struct IncomingFacts: StoryFacts {
  let story: IncomingStory
  /// The time of the run in seconds since 2001, as that of the story's coming.
  let now: Double

  func isOf(_ choice: FeedChoice) -> Bool { choice.feeds.contains(story.feed) }
  func tags() -> [String] { [] }
  func isRead() -> Bool { false }
  func isStarred() -> Bool { false }
  func isUpdated() -> Bool { false }
  func file() -> String? { nil }

  func instants() -> (date: Double?, stored: Double?) {
    (story.item.date?.timeIntervalSinceReferenceDate, now)
  }

  func link() -> String { story.item.link }
  func comments() -> String? { story.item.comments }
  func note() -> String? { nil }
  func enclosures() -> [Enclosure] { story.item.enclosures }
  func related() -> [RelatedFile] { story.item.related }
  func summary() -> String? { story.item.summary }

  func append(_ place: SearchPlace, to text: inout FoldedText) {
    switch place {
    case .title: text.append(story.item.title)
    case .text: text.append(story.item.summary ?? "")
    case .author: if let author = story.item.author { text.append(author) }
    case .category: for category in story.item.categories { text.append(category) }
    case .link: text.append(story.item.link)
    case .anywhere, .note: break
    }
  }

  func hasText() throws(StorageError) -> Bool {
    story.item.hasText(.summary) ? true : try story.text() != nil
  }

  func hasWhole() -> Bool { true }
  func whole() throws(StorageError) -> StoryText? { try story.text() }
}
