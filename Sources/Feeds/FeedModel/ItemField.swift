package import System

/// The keys of a story's dictionary in the data file (`Files.md`).
///
/// First those that lists print as JSON, in that order.
package enum ItemField: Int, CodingKey, CaseIterable, Sendable {
  case id, title, pubDate, date, link, guid, feeds, author, summary, read, starred, tags
  case note, enclosures, file, related, season, episode, comments, chapters, people
  case stored, guidIsPermaLink, categories, text, pageText, articleText, rules, matched, changed
  case previous, arrived

  /// PERF: as bytes, and by length, because each key that is read is compared with some of them.
  private static let utf8Names = allCases.map { Array($0.name.utf8) }
  private static let byLength: [[ItemField]] = {
    let longest = utf8Names.map(\.count).max() ?? 0
    return (0...longest).map { length in allCases.filter { utf8Names[$0.rawValue].count == length }
    }
  }()

  /// The key in the data file.
  ///
  /// PERF: the compiler's name (`CodingKey`); printing a case would take half the instructions of a
  /// list.
  package var name: String { stringValue }

  package init?(name: String) {
    var name = name
    let field = name.withUTF8 { Self(utf8: UnsafeRawBufferPointer($0)) }
    guard let field else { return nil }
    self = field
  }

  package init?(utf8 name: UnsafeRawBufferPointer) {
    guard name.count < Self.byLength.count else { return nil }
    let field = Self.byLength[name.count].first { $0.isNamed(name) }
    guard let field else { return nil }
    self = field
  }
}

extension ItemField {
  package func isNamed(_ utf8: UnsafeRawBufferPointer) -> Bool {
    Self.utf8Names[rawValue].elementsEqual(utf8)
  }

  /// False for the keys that neither `list` nor `show` prints.
  package var isShown: Bool {
    switch self {
    case .title, .pubDate, .date, .link, .guid, .feeds, .author, .summary, .read, .starred, .tags,
      .note, .enclosures, .file, .related, .season, .episode, .comments, .chapters, .people,
      .categories, .text, .pageText:
      true
    case .id, .stored, .guidIsPermaLink, .articleText, .rules, .matched, .changed, .previous,
      .arrived:
      false
    }
  }
}

/// A coder that takes an item's fields one by one and returns what is to stand in their places.
///
/// So one declaration serves to write, read, compare and import.
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
  /// Returns false for a list of parts that is passed over as empty.
  ///
  /// PERF: nearly all lists are empty, and `parts` for each type costs more than the rest of a
  /// story.
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

package protocol StoryCoder: ItemCoder, ~Copyable {
  mutating func matches(_ field: ItemField, _ value: [StoryMatch]) throws(Failure) -> [StoryMatch]
  mutating func changes(
    _ dates: ItemField,
    _ previous: ItemField,
    _ value: [StoryChange],
  ) throws(Failure) -> [StoryChange]
}

/// The values of an item besides its texts.
///
/// A new field needs a property here, a line in `coded(by:)` and a key; then it is packed, stored,
/// read, compared and imported. Optionals are spelled `Optional<T>`, because `T?` has the default
/// nil and a field that is left out of the initializer would compile.
package struct ItemDetails: Hashable, Sendable {
  package var date: Optional<Date>
  /// RSS 2.0 `isPermaLink`: the guid is a permanent URL of the story.
  package var guidIsPermaLink: Bool
  /// `StoryText.number` of the whole text; 0 where the summary is all of it.
  package var textNumber: Int64
  package var author: Optional<String>
  /// An absolute http or https URL of the page with comments (RSS 2.0 `comments`).
  package var comments: Optional<String>
  /// The number of a podcast's season, above zero as `episode` is.
  package var season: Optional<Int>
  package var episode: Optional<Int>
  package var categories: [String]
  package var enclosures: [Enclosure]
  package var related: [RelatedFile]
  package var chapters: [Chapter]
  package var people: [Person]

  /// Returns the details as a coder gives them back.
  ///
  /// `PackedItem` relies on the places of the first three.
  package func coded<Coder: ItemCoder & ~Copyable>(
    by coder: inout Coder
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
