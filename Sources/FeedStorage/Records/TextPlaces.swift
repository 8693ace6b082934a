internal import PropertyLists

/// The places down to which texts were scrolled, to go on from there.
package struct TextPlaces: Hashable, Sendable {
  fileprivate struct Place: Hashable, Sendable {
    var story = ""
    /// The first line that was shown, from 0, and the number of lines of the layout.
    var line = 0
    var lines = 0
  }

  /// The last one that was noted stands last.
  private var places: [Place] = []
  package static let most = 200

  package init() {}

  fileprivate init(_ places: [Place]) {
    self.places = Array(places.suffix(Self.most))
  }

  package var isEmpty: Bool { places.isEmpty }

  /// Notes a place; the beginning of a text is none.
  package mutating func note(_ story: String, line: Int, of lines: Int) {
    places.removeAll { $0.story == story }
    guard line > 0 else { return }
    places = Array((places + [Place(story: story, line: line, lines: lines)]).suffix(Self.most))
  }

  /// Returns the line to go on from in a layout of so many lines; in another layout than that of
  /// before the share of the text above it stays.
  package func line(_ story: String, of lines: Int) -> Int {
    guard let place = places.last(where: { $0.story == story }), place.lines > 0 else { return 0 }
    guard place.lines != lines else { return place.line }
    return Int(Double(place.line) / Double(place.lines) * Double(lines))
  }
}

extension TextPlaces {
  static var coding: PropertyListCoding<TextPlaces> {
    PropertyListCoding<[Place]>.list(of: .dictionary(Place.table))
      .map({ TextPlaces($0) }, back: \.places)
  }
}

extension TextPlaces.Place {
  fileprivate static let table: PropertyListTable<Self> = .init(
    Self(),
    [
      .init("story", { $1(&$0.story) }, required: .string),
      .init("line", { $1(&$0.line) }, required: .count(atMost: 1 << 30)),
      .init("lines", { $1(&$0.lines) }, required: .count(atMost: 1 << 30)),
    ],
  )
}
