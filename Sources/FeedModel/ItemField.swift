package import System

/// The keys of a story's dictionary in the data file, as `Files.md` of the documentation explains
/// them; first those that lists print as JSON, in their order.
package enum ItemField: Int, CodingKey, CaseIterable, Sendable {
  case id, title, pubDate, date, link, guid, feeds, author, summary, read, starred, tags
  case note, enclosures, file, related, season, episode, comments, chapters, people
  case stored, guidIsPermaLink, categories, text, pageText, articleText, rules, matched, changed
  case previous

  /// PERF: each key that is read is compared with some of them.
  private static let utf8Names = allCases.map { Array($0.name.utf8) }
  /// PERF: the few whose names have so many letters.
  private static let byLength: [[ItemField]] = {
    let longest = utf8Names.map(\.count).max() ?? 0
    return (0...longest).map { length in allCases.filter { utf8Names[$0.rawValue].count == length }
    }
  }()

  /// That of the case.
  ///
  /// PERF: by the compiler (`CodingKey`): to print cases takes as many instructions as half of a list.
  package var name: String { stringValue }

  /// - Returns: nil for another program's key.
  package init?(name: String) {
    var name = name
    let field = name.withUTF8 { Self(utf8: UnsafeRawBufferPointer($0)) }
    guard let field else { return nil }
    self = field
  }

  /// The same of a name's bytes.
  package init?(utf8 name: UnsafeRawBufferPointer) {
    guard name.count < Self.byLength.count else { return nil }
    let field = Self.byLength[name.count].first { field in
      Self.utf8Names[field.rawValue].elementsEqual(name)
    }
    guard let field else { return nil }
    self = field
  }
}

extension ItemField {
  /// Whether a change of it is one of what `list` and `show` tell of a story.
  package var isShown: Bool {
    switch self {
    case .title, .pubDate, .date, .link, .guid, .feeds, .author, .summary, .read, .starred, .tags,
      .note, .enclosures, .file, .related, .season, .episode, .comments, .chapters, .people,
      .categories, .text, .pageText:
      true
    case .id, .stored, .guidIsPermaLink, .articleText, .rules, .matched, .changed, .previous: false
    }
  }
}

/// Takes the fields of an item, one after the other: it keeps each and gives it back, or has another
/// in its place.
///
/// So one declaration serves both ways, whatever the form is in which the fields are kept.
package protocol ItemCoder: ~Copyable {
  associatedtype Failure: Error

  mutating func flag(_ field: ItemField, _ value: Bool) throws(Failure) -> Bool
  mutating func number(_ field: ItemField, _ value: Int?) throws(Failure) -> Int?
  mutating func date(_ field: ItemField, _ value: Date?) throws(Failure) -> Date?
  mutating func text(_ field: ItemField, _ value: String?) throws(Failure) -> String?
  mutating func texts(_ field: ItemField, _ value: [String]) throws(Failure) -> [String]
  mutating func parts<Part: ItemPart>(
    _ field: ItemField,
    _ value: [Part],
  ) throws(Failure) -> [Part]
  /// Whether a list with so many parts is not passed over as the empty one: `parts` for each type of
  /// them costs more than all else of a story, and nearly all lists are empty.
  mutating func hasParts(_ field: ItemField, count: Int) -> Bool
}

extension ItemCoder where Self: ~Copyable {
  package func hasParts(_: ItemField, count: Int) -> Bool { true }

  fileprivate mutating func list<Part: ItemPart>(
    _ field: ItemField,
    _ value: [Part],
  ) throws(Failure) -> [Part] {
    hasParts(field, count: value.count) ? try parts(field, value) : []
  }
}

/// Takes the fields of a stored story, too.
package protocol StoryCoder: ItemCoder, ~Copyable {
  mutating func matches(_ field: ItemField, _ value: [StoryMatch]) throws(Failure) -> [StoryMatch]
  /// Their dates under one key, and the earlier texts under another.
  mutating func changes(
    _ dates: ItemField,
    _ previous: ItemField,
    _ value: [StoryChange],
  ) throws(Failure) -> [StoryChange]
}

/// What an item holds besides its texts.
///
/// A new field has a place here, in `passed`, and a key: then it is packed, stored, read, compared
/// and imported. What has one place only does not compile: `T?` would be nil where it is left out.
package struct ItemDetails: Hashable, Sendable {
  package var date: Optional<Date>
  /// Whether the document says that `guid` is a permanent URL of the story (RSS 2.0 `isPermaLink`).
  package var guidIsPermaLink: Bool
  /// `StoryText.number` of the whole text, where the summary is not all of it; else 0.
  package var textNumber: Int64
  package var author: Optional<String>
  /// Where readers comment on it: an absolute http or https URL (RSS 2.0 `comments`).
  package var comments: Optional<String>
  /// Of a podcast's episode, above zero.
  package var season: Optional<Int>
  package var episode: Optional<Int>
  package var categories: [String]
  package var enclosures: [Enclosure]
  package var related: [RelatedFile]
  package var chapters: [Chapter]
  /// Hosts first.
  package var people: [Person]

  /// The details as they come back from a coder.
  ///
  /// `PackedItem` knows where the first three lie.
  package func passed<Coder: ItemCoder & ~Copyable>(
    through coder: inout Coder
  ) throws(Coder.Failure) -> ItemDetails {
    ItemDetails(
      date: try coder.date(.date, date),
      guidIsPermaLink: try coder.flag(.guidIsPermaLink, guidIsPermaLink),
      textNumber: Int64(try coder.number(.text, textNumber == 0 ? nil : Int(textNumber)) ?? 0),
      author: try coder.text(.author, author),
      comments: try coder.text(.comments, comments),
      season: try coder.number(.season, season),
      episode: try coder.number(.episode, episode),
      categories: try coder.texts(.categories, categories),
      enclosures: try coder.list(.enclosures, enclosures),
      related: try coder.list(.related, related),
      chapters: try coder.list(.chapters, chapters),
      people: try coder.list(.people, people),
    )
  }
}

extension ItemDetails {
  package init() {
    self.init(
      date: nil,
      guidIsPermaLink: false,
      textNumber: 0,
      author: nil,
      comments: nil,
      season: nil,
      episode: nil,
      categories: [],
      enclosures: [],
      related: [],
      chapters: [],
      people: [],
    )
  }
}
