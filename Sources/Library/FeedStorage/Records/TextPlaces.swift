/// A place in a text that was laid out in lines.
package struct TextPlace: Hashable, Sendable {
  /// The first line that is shown, from 0, and the number of lines of the layout.
  package var line: Int
  package var lines: Int
  /// The letters and digits with which that line begins, and those behind it.
  package var start: String
  /// As many as nearly always occur once in a text.
  package static let startLength = 60

  package init(line: Int = 0, lines: Int = 0, start: String = "") {
    (self.line, self.lines, self.start) = (line, lines, start)
  }

  /// Returns the line in a layout of so many lines that has the same share of the text above it.
  package func line(of lines: Int) -> Int {
    guard self.lines > 0, lines != self.lines else { return line }
    return Int(Double(line) / Double(self.lines) * Double(lines))
  }
}

/// The places down to which texts were scrolled, to go on from there.
package struct TextPlaces: Hashable, Sendable {
  fileprivate struct Entry: Hashable, Sendable {
    var story = ""
    var place = TextPlace()
  }

  /// The last one that was noted stands last.
  private var entries: [Entry] = []
  package static let most = 200

  package init() {}

  fileprivate init(_ entries: [Entry]) {
    self.entries = Array(entries.suffix(Self.most))
  }

  package var isEmpty: Bool { entries.isEmpty }

  /// Notes a place; the beginning of a text is none.
  package mutating func note(_ story: String, _ place: TextPlace) {
    entries.removeAll { $0.story == story }
    guard place.line > 0 else { return }
    entries = Array((entries + [Entry(story: story, place: place)]).suffix(Self.most))
  }

  /// Returns the places of `other`, with what was noted here since `start`.
  package func added(to other: TextPlaces, since start: TextPlaces) -> TextPlaces {
    var all = other
    for entry in Set(start.entries).subtracting(entries) { all.note(entry.story, TextPlace()) }
    for entry in entries where !start.entries.contains(entry) {
      all.note(entry.story, entry.place)
    }
    return all
  }

  package subscript(story: String) -> TextPlace? {
    entries.last { $0.story == story }?.place
  }
}

extension TextPlaces {
  static var coding: PropertyListCoding<TextPlaces> {
    PropertyListCoding<[Entry]>.list(of: .dictionary(Entry.table))
      .map({ TextPlaces($0) }, back: \.entries)
  }
}

extension TextPlaces.Entry {
  fileprivate static let table: PropertyListTable<Self> = .init(
    Self(),
    [
      .init("story", { $1(&$0.story) }, required: .string),
      .init("line", { $1(&$0.place.line) }, required: .count(atMost: 1 << 30)),
      .init("lines", { $1(&$0.place.lines) }, required: .count(atMost: 1 << 30)),
      .init("start", { $1(&$0.place.start) }, .string),
    ],
  )
}
