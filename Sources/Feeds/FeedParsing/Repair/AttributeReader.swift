import System

/// Reads the attributes of a start tag as HTML does: values may lack quotes or be missing, and
/// other characters between attributes are skipped.
struct AttributeReader {
  struct Attribute: Hashable {
    var name: Range<Int>
    var value: Range<Int>
  }

  private let bytes: UnsafeRawBufferPointer
  private var position: Int
  /// True if the slash at the end belongs to an unquoted value.
  private(set) var endsInValue = false
  var isMalformed = false

  init(_ bytes: UnsafeRawBufferPointer, nameEnd: Int) {
    self.bytes = bytes
    position = nameEnd
  }

  mutating func next() -> Attribute? {
    let start = position
    skip { $0.isXMLWhitespace || Self.isJunk($0) }
    let gap = bytes[start..<position].drop(while: \.isXMLWhitespace)
    guard position < bytes.count else {
      if !gap.isEmpty, !gap.elementsEqual("/".utf8) { isMalformed = true }
      return nil
    }
    if start == position || !gap.isEmpty { isMalformed = true }
    let nameStart = position
    skip { !$0.isXMLWhitespace && !Self.isJunk($0) }
    let name = nameStart..<position
    skip(while: \.isXMLWhitespace)
    guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
      isMalformed = true
      return Attribute(name: name, value: 0..<0)
    }
    position += 1
    skip(while: \.isXMLWhitespace)
    return Attribute(name: name, value: value())
  }

  private mutating func value() -> Range<Int> {
    guard position < bytes.count else { return 0..<0 }
    let quote = bytes[position]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return unquoted() }
    position += 1
    let start = position
    position = ByteScan.first(quote, in: bytes, from: start) ?? bytes.count
    defer { position = min(position + 1, bytes.count) }
    if position == bytes.count { isMalformed = true }
    if position == bytes.count, bytes.last == UInt8(ascii: "/"), position > start {
      // The quote is missing, and the slash is the tag's: <link href="http://example.org/>
      return start..<position - 1
    }
    return start..<position
  }

  private mutating func unquoted() -> Range<Int> {
    let start = position
    isMalformed = true
    skip { !$0.isXMLWhitespace }
    guard position == bytes.count, position > start, bytes[position - 1] == UInt8(ascii: "/") else {
      return start..<position
    }
    // <br clear=all/> ends with the tag's slash, <a href=http://example.org/> with the value's.
    endsInValue = bytes[start..<position - 1].contains(UInt8(ascii: "/"))
    return start..<(endsInValue ? position : position - 1)
  }

  private mutating func skip(while condition: (UInt8) -> Bool) {
    while position < bytes.count, condition(bytes[position]) { position += 1 }
  }

  private static func isJunk(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
      || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "<")
  }
}
