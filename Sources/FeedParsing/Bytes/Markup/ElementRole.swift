/// What an element's name says about what may stand inside it: enough to see which end tags are
/// missing in a feed, and nothing about what the elements mean.
enum ElementRole: UInt8, Hashable {
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
  @inline(__always)
  init(_ name: UnsafeRawBufferPointer) {
    self =
      switch name.count {
      case 1: name[0] == UInt8(ascii: "p") ? .paragraph : .other
      case 2...4: Self.short(name)
      case 5...13: Self.long(name)
      default: .other
      }
  }

  private static func short(_ name: UnsafeRawBufferPointer) -> ElementRole {
    switch (name.count, name[0]) {
    case (4, UInt8(ascii: "i")): name.isASCII("item") ? .story : .other
    case (4, UInt8(ascii: "l")): name.isASCII("link") ? .field : .other
    case (4, UInt8(ascii: "g")): name.isASCII("guid") ? .strictField : .other
    case (4, UInt8(ascii: "d")): name.isASCII("docs") ? .field : .other
    case (3, UInt8(ascii: "t")): name.isASCII("ttl") ? .field : .other
    case (3, UInt8(ascii: "i")): name.isASCII("img") ? .void : .other
    case (3, UInt8(ascii: "w")): name.isASCII("wbr") ? .void : .other
    case (2, UInt8(ascii: "b")), (2, UInt8(ascii: "h")):
      name[1] == UInt8(ascii: "r") ? .void : .other
    case (2, UInt8(ascii: "i")): name[1] == UInt8(ascii: "d") ? .strictField : .other
    case (2, UInt8(ascii: "l")): name[1] == UInt8(ascii: "i") ? .paragraph : .other
    default: .other
    }
  }

  private static func long(_ name: UnsafeRawBufferPointer) -> ElementRole {
    switch (name.count, name[0]) {
    case (5, UInt8(ascii: "t")): name.isASCII("title") ? .field : .other
    case (5, UInt8(ascii: "e")): name.isASCII("entry") ? .story : .other
    case (6, UInt8(ascii: "a")): name.isASCII("author") ? .field : .other
    case (7, UInt8(ascii: "p")): name.isASCII("pubDate") ? .strictField : .other
    case (7, UInt8(ascii: "u")): name.isASCII("updated") ? .strictField : .other
    case (7, UInt8(ascii: "s")): name.isASCII("summary") ? .text : .other
    case (7, UInt8(ascii: "c")): name.isASCII("content") ? .text : .other
    case (8, UInt8(ascii: "l")): name.isASCII("language") ? .field : .other
    case (8, UInt8(ascii: "s")): name.isASCII("subtitle") ? .field : .other
    case (8, UInt8(ascii: "c")):
      name.isASCII("category") || name.isASCII("comments") ? .field : .other
    case (9, UInt8(ascii: "p")): name.isASCII("published") ? .strictField : .other
    case (9, UInt8(ascii: "c")): name.isASCII("copyright") ? .field : .other
    case (9, UInt8(ascii: "g")): name.isASCII("generator") ? .field : .other
    case (11, UInt8(ascii: "d")): name.isASCII("description") ? .text : .other
    case (13, UInt8(ascii: "l")): name.isASCII("lastBuildDate") ? .strictField : .other
    // atom:link, as in HTML without an end.
    default: isPrefixedLink(name) ? .field : .other
    }
  }

  private static func isPrefixedLink(_ name: UnsafeRawBufferPointer) -> Bool {
    name[name.count - 1] == UInt8(ascii: "k")
      && UnsafeRawBufferPointer(rebasing: name.suffix(5)).isASCII(":link")
  }

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
