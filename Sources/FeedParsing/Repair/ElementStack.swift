import System

/// The elements that are open, by where their names stand in the document.
struct ElementStack {
  private struct Entry {
    let name: Range<Int>
    let role: ElementRole
  }

  private let bytes: UnsafeRawBufferPointer
  private var entries: [Entry] = []
  private var openStories = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var depth: Int { entries.count }
  var topRole: ElementRole { entries.last?.role ?? .other }
  var top: UnsafeRawBufferPointer { entries.last.map { slice($0.name) } ?? slice(0..<0) }

  mutating func push(_ name: Range<Int>, role: ElementRole) {
    if role == .story { openStories += 1 }
    entries.append(Entry(name: name, role: role))
  }

  mutating func pop() {
    if entries.popLast()?.role == .story { openStories -= 1 }
  }

  func isTop(_ name: Range<Int>) -> Bool {
    depth > 0 && isSame(name, asAt: 1)
  }

  /// Whether the element that lies so deep, 1 the innermost, has this name.
  func isSame(_ name: Range<Int>, asAt height: Int) -> Bool {
    bytes.isSame(name, entries[depth - height].name)
  }

  var heightOfStory: Int? {
    guard openStories > 0 else { return nil }
    return (1...depth).first { entries[depth - $0].role == .story }
  }

  /// How deep the outermost element lies in which stories are none of the feed's, inside of the
  /// innermost story if one is open: an entry's source, or another vocabulary's element.
  var heightOfForeign: Int? {
    let inner = heightOfStory ?? depth
    return (1..<max(inner, 1)).last { height in
      let name = slice(entries[depth - height].name)
      return name.contains(UInt8(ascii: ":")) || name.isASCII("source")
    }
  }

  func name(at height: Int) -> Range<Int> { entries[depth - height].name }

  /// Returns the number of elements that an end tag closes, 0 for one of nothing.
  ///
  /// The outermost of them has the tag's name, or is the innermost element with a name like it.
  func elements(closedBy name: Range<Int>, isThorough: Bool) -> Int {
    guard depth > 0 else { return 0 }
    let heights = 1...(isThorough ? depth : min(depth, 16))
    if let height = heights.first(where: { isSame(name, asAt: $0) }) { return height }
    // Of names too long for a feed nobody guesses.
    guard isThorough, name.count <= 64 else { return 0 }
    let folded = Self.folded(slice(name))
    let height = heights.first { height in
      let other = entries[depth - height].name
      return other.count == folded.count && Self.folded(slice(other)) == folded
    }
    return height ?? (Self.isSimilar(Self.folded(top), folded) ? 1 : 0)
  }

  private func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[range])
  }

  private static func folded(_ name: UnsafeRawBufferPointer) -> [UInt8] {
    name.map(\.asciiLowercased)
  }

  private static func isSimilar(_ name: [UInt8], _ other: [UInt8]) -> Bool {
    let (one, two) = (local(name[...]), local(other[...]))
    if one.elementsEqual(two) { return true }
    guard min(one.count, two.count) >= 4, max(one.count, two.count) <= 32 else { return false }
    return editDistance(Array(one), Array(two)) <= 2
  }

  private static func local(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
    guard let baseAddress, one.count == other.count, !one.isEmpty else { return false }
    // Names of one length differ in their last byte more often than in their first.
    return self[one.upperBound - 1] == self[other.upperBound - 1]
      && memcmp(baseAddress + one.lowerBound, baseAddress + other.lowerBound, one.count) == 0
  }
}

/// What an element's name says about what may stand inside it: enough to see which end tags are
/// missing in a feed, and nothing about what the elements mean.
enum ElementRole: Hashable {
  case other
  /// A story: never inside another.
  case story
  /// Text of a story or a feed; no other field stands inside it.
  case field
  /// A field that is no HTML element either, so that it does not stand in naked markup.
  case strictField
  case text
  case void
  /// An HTML element whose end tag is left out before the next of its name.
  case paragraph

  /// - Parameter name: As in the tag; a prefix makes it another element.
  init(_ name: UnsafeRawBufferPointer) {
    if let row = Self.names.first(where: { $0.names.contains(where: name.isASCII) }) {
      self = row.role
    } else {
      // atom:link, as in HTML without an end.
      self = UnsafeRawBufferPointer(rebasing: name.suffix(5)).isASCII(":link") ? .field : .other
    }
  }

  private static let names: [(role: ElementRole, names: [StaticString])] = [
    (.story, ["item", "entry"]),
    (
      .field,
      [
        "title", "link", "author", "category", "comments", "copyright", "docs", "generator",
        "language", "subtitle", "ttl",
      ],
    ),
    (.strictField, ["guid", "id", "pubDate", "published", "updated", "lastBuildDate"]),
    (.text, ["description", "summary", "content"]),
    (.void, ["br", "hr", "img", "wbr"]),
    (.paragraph, ["p", "li"]),
  ]

  func ends(before next: ElementRole) -> Bool {
    switch (self, next) {
    case (.field, .field), (.field, .strictField), (.field, .text), (.field, .story),
      (.strictField, .field), (.strictField, .strictField), (.strictField, .text),
      (.strictField, .story), (.text, .strictField), (.text, .story), (.paragraph, .paragraph):
      true
    default: false
    }
  }
}
