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
  /// Text that may hold naked markup.
  case text
  /// An HTML element that has no end tag.
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

  /// Whether an open element of this role ends where one of another begins.
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
