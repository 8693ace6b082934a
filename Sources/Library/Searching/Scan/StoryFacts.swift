import FeedLibrary
internal import FeedModel
internal import FeedStorage
internal import System

/// The facts about one story that a search may need, each read only when it is needed.
protocol StoryFacts {
  mutating func isOf(_ feeds: FeedChoice) throws -> Bool
  func tags() throws -> [String]
  func isIn(_ state: StoryState) throws -> Bool
  /// Seconds since 2001.
  func instants() throws -> (date: Double?, stored: Double?)
  func link() throws -> String
  func comments() throws -> String?
  func note() throws -> String?
  func enclosures() throws -> [Enclosure]
  func related() throws -> [RelatedFile]
  /// Appends the texts of a place; for the story's text only the summary.
  func append(_ place: SearchPlace, to text: inout FoldedText) throws
  func summary() throws -> String?
  /// True if the story has any text but its title.
  func hasText() throws -> Bool
  /// True if there is, or may be, a whole text that is searched.
  func hasWhole() throws -> Bool
  func whole() throws -> StoryText?
}

extension StoryFacts {
  /// Returns the link as it was published and, where that differs, as it is shown.
  func links() throws -> [String] {
    let link = try link()
    let shown = WebURL.withoutTracking(link)
    return shown == link ? [link] : [link, shown]
  }
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

  mutating func isOf(_ choice: FeedChoice) throws -> Bool {
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

  func tags() throws -> [String] { try reader.strings(.tags) }

  func isIn(_ state: StoryState) throws -> Bool {
    switch state {
    case .flag(let flag): return try reader.has(flag)
    case .unread: return try !reader.isRead()
    // Its feed has changed the story since it came.
    case .updated: return try !reader.changes(.changed, .previous, []).isEmpty
    case .downloaded:
      guard let file = try reader.file() else { return false }
      return FileStatus(at: file, followingLinks: false)?.kind == .file
    case .new: return true
    }
  }

  func instants() throws -> (date: Double?, stored: Double?) {
    try reader.instants()
  }

  func link() throws -> String { try reader.string(.link) ?? "" }
  func comments() throws -> String? { try reader.string(.comments) }
  func note() throws -> String? { try reader.string(.note) }
  func enclosures() throws -> [Enclosure] { try reader.enclosures() }
  func related() throws -> [RelatedFile] { try reader.related() }
  func summary() throws -> String? { try reader.string(.summary) }

  func append(_ place: SearchPlace, to text: inout FoldedText) throws {
    switch place {
    case .title: if let title = try reader.text(.title) { text.append(title) }
    case .text: if let summary = try reader.text(.summary) { text.append(summary) }
    case .author: if let author = try reader.text(.author) { text.append(author) }
    case .category: for category in try reader.strings(.categories) { text.append(category) }
    case .link: for link in try links() { text.append(link) }
    case .note: if let note = try reader.text(.note) { text.append(note) }
    case .anywhere: break
    }
  }

  func hasText() throws -> Bool {
    if try reader.hasWholeText() { return true }
    return try reader.string(.summary)?.isEmpty == false
  }

  func hasWhole() throws -> Bool {
    texts == nil ? false : try reader.hasWholeText()
  }

  func whole() throws -> StoryText? { try texts?.text(of: reader) }
}

/// A story as its feed brings it: unread, without a star.
struct IncomingFacts: StoryFacts {
  let story: IncomingStory
  /// The time of the run in seconds since 2001, as that of the story's coming.
  let now: Double

  func isOf(_ choice: FeedChoice) -> Bool { choice.feeds.contains(story.feed) }
  func tags() -> [String] { [] }
  func isIn(_ state: StoryState) -> Bool { state == .unread || state == .new }

  func instants() -> (date: Double?, stored: Double?) {
    (story.item.date?.timeIntervalSinceReferenceDate, now)
  }

  func link() -> String { story.item.link }
  func comments() -> String? { story.item.comments }
  func note() -> String? { nil }
  func enclosures() -> [Enclosure] { story.item.enclosures }
  func related() -> [RelatedFile] { story.item.related }
  func summary() -> String? { story.item.summary }

  func append(_ place: SearchPlace, to text: inout FoldedText) throws {
    switch place {
    case .title: text.append(story.item.title)
    case .text: text.append(story.item.summary ?? "")
    case .author: if let author = story.item.author { text.append(author) }
    case .category: for category in story.item.categories { text.append(category) }
    case .link: for link in try links() { text.append(link) }
    case .anywhere, .note: break
    }
  }

  func hasText() throws -> Bool {
    story.item.hasText(.summary) ? true : try story.text() != nil
  }

  func hasWhole() -> Bool { true }
  func whole() throws -> StoryText? { try story.text() }
}
