import System

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

  func isSame(_ name: Range<Int>, asAt height: Int) -> Bool {
    bytes.isSame(name, entries[depth - height].name)
  }

  var heightOfStory: Int? {
    guard openStories > 0 else { return nil }
    return (1...depth).first { entries[depth - $0].role == .story }
  }

  /// The height of the outermost element in which stories are none of the feed's: an entry's
  /// `source`, or another vocabulary's element.
  ///
  /// If a story is open, it lies inside the innermost one.
  var heightOfForeign: Int? {
    let inner = heightOfStory ?? depth
    return (1..<max(inner, 1)).last { height in
      let name = slice(entries[depth - height].name)
      return name.contains(UInt8(ascii: ":")) || name.isASCII("source")
    }
  }

  func name(at height: Int) -> Range<Int> { entries[depth - height].name }

  /// Returns the number of elements that an end tag closes, or 0.
  ///
  /// The outermost of them has the tag's name, or it is the innermost element with a name like it.
  func elements(closedBy name: Range<Int>, isThorough: Bool) -> Int {
    guard depth > 0 else { return 0 }
    let heights = 1...(isThorough ? depth : min(depth, 16))
    if let height = heights.first(where: { isSame(name, asAt: $0) }) { return height }
    // No guess is made for names too long for a feed.
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

/// The role of an element's name, which tells which elements may stand inside it.
///
/// It serves to see missing end tags, and says nothing of what the elements mean.
enum ElementRole: Hashable {
  case other
  /// A story, which never stands inside another.
  case story
  case field
  /// A text field that is no HTML element, so that it does not stand in naked markup.
  case strictField
  case text
  case void
  /// An HTML element whose end tag is left out before the next of its name.
  case paragraph

  /// Finds the role of a tag's name, in which a prefix makes another element.
  init(_ name: UnsafeRawBufferPointer) {
    if let row = Self.names.first(where: { $0.names.contains(where: name.isASCII) }) {
      self = row.role
    } else {
      // `atom:link` has no end tag, like `link` in HTML.
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
