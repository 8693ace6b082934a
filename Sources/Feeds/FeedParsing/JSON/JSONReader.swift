import System

/// A reader of JSON as feeds have it.
///
/// It reads the finished part of a document that breaks off, and accepts the faults of hand-made
/// JSON: a comma too many, line breaks in strings.
struct JSONReader {
  /// Deeper nesting is refused: the reader calls itself.
  static let maximumDepth = 64
  private static let mostNoted = 64

  private(set) var isComplete = true
  let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0
  let limits: ParsingLimits
  private var values = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ParsingLimits) {
    self.bytes = bytes
    self.limits = limits
    // RFC 8259 §8.1: a mark of the byte order may be passed over.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  var line: Int {
    bytes[..<min(index, bytes.count)].reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
  }

  var isAtEnd: Bool { bytes[min(index, bytes.count)...].allSatisfy(\.isXMLWhitespace) }

  mutating func document() throws(FeedParsingError) -> JSONValue? {
    try value(depth: 0)
  }

  /// Calls `body` with each element of the arrays that are the document or members of it, so that a
  /// document of any length is never held whole.
  ///
  /// `body` gets the member's name, empty for the document itself, and the position of the element.
  /// `note` gets the first 64 members, arrays without their elements. Returns false where the
  /// document is neither an array nor an object.
  mutating func forEachElement(
    note: (JSONMember) -> Void = { _ in },
    _ body: (_ member: String, _ start: Int, JSONValue) throws(FeedParsingError) -> Void,
  ) throws(FeedParsingError) -> Bool {
    if peek() == UInt8(ascii: "[") {
      try forEachElement(of: "", body)
      return true
    }
    guard skip(UInt8(ascii: "{")) else { return false }
    var rest = Self.mostNoted
    while isComplete, let byte = peek(), byte != UInt8(ascii: "}") {
      if skip(UInt8(ascii: ",")) { continue }
      guard byte == UInt8(ascii: "\""), let name = string(), skip(UInt8(ascii: ":")) else {
        isComplete = false
        // A text without member and name is not JSON; anything else breaks off.
        return byte == UInt8(ascii: "\"") || rest < Self.mostNoted
      }
      var value: JSONValue? = .array([])
      if peek() == UInt8(ascii: "[") {
        try forEachElement(of: name, body)
      } else {
        value = try element()
      }
      if rest > 0, let value { note(JSONMember(name: name, value: value)) }
      rest -= 1
    }
    isComplete = isComplete && skip(UInt8(ascii: "}"))
    return true
  }

  mutating func forEachElement(
    of member: String,
    _ body: (_ member: String, _ start: Int, JSONValue) throws(FeedParsingError) -> Void,
  ) throws(FeedParsingError) {
    index += 1
    while isComplete, let byte = peek(), byte != UInt8(ascii: "]") {
      if skip(UInt8(ascii: ",")) { continue }
      let start = index
      guard let value = try element(), isComplete else { break }
      try body(member, start, value)
    }
    isComplete = isComplete && skip(UInt8(ascii: "]"))
  }

  /// Reads a value for which the limits count by itself.
  mutating func element() throws(FeedParsingError) -> JSONValue? {
    let end = min(bytes.count, index + limits.maximumBytes)
    var reader = JSONReader(UnsafeBufferPointer(rebasing: bytes[index..<end]), limits: limits)
    let value = try reader.document()
    guard reader.isComplete || end == bytes.count else {
      throw .limitExceeded(name: "bytes of a value", limit: limits.maximumBytes)
    }
    index += reader.index
    isComplete = reader.isComplete
    return value
  }

  mutating func value(depth: Int) throws(FeedParsingError) -> JSONValue? {
    guard depth < Self.maximumDepth else {
      throw .limitExceeded(name: "nesting", limit: Self.maximumDepth)
    }
    values += 1
    guard values <= limits.maximumValues else {
      throw .limitExceeded(name: "number of values", limit: limits.maximumValues)
    }
    switch peek() {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case nil:
      isComplete = false
      return nil
    default: return word()
    }
  }

  mutating func object(depth: Int) throws(FeedParsingError) -> JSONValue? {
    index += 1
    var members: [JSONMember] = []
    while isComplete, let byte = peek(), byte != UInt8(ascii: "}") {
      if skip(UInt8(ascii: ",")) { continue }
      guard byte == UInt8(ascii: "\""), let name = string(), skip(UInt8(ascii: ":")),
        let value = try value(depth: depth + 1)
      else {
        isComplete = false
        break
      }
      members.append(JSONMember(name: name, value: value))
    }
    isComplete = isComplete && skip(UInt8(ascii: "}"))
    return .object(members)
  }

  mutating func array(depth: Int) throws(FeedParsingError) -> JSONValue? {
    index += 1
    var values: [JSONValue] = []
    while let byte = peek(), byte != UInt8(ascii: "]") {
      if skip(UInt8(ascii: ",")) { continue }
      // Of a document that breaks off, only the finished values of a list are kept.
      guard let value = try value(depth: depth + 1), isComplete else { break }
      values.append(value)
    }
    isComplete = isComplete && skip(UInt8(ascii: "]"))
    return .array(values)
  }

  private mutating func word() -> JSONValue? {
    let start = index
    while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
    let word = UnsafeBufferPointer(rebasing: bytes[start..<index]).string
    switch word {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default:
      guard let first = word.utf8.first, first == UInt8(ascii: "-") || 48...57 ~= first else {
        isComplete = false
        return nil
      }
      return .number(word)
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || "+-.".utf8.contains(byte)
  }

  mutating func peek() -> UInt8? {
    while index < bytes.count, bytes[index].isXMLWhitespace { index += 1 }
    return index < bytes.count ? bytes[index] : nil
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    index += 1
    return true
  }

  private mutating func string() -> String? {
    index += 1
    let start = index
    index = endOfRun()
    if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
      defer { index += 1 }
      return UnsafeBufferPointer(rebasing: bytes[start..<index]).string
    }
    return escapedString(from: start)
  }

  private func endOfRun() -> Int {
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    return ByteScan.first(
      of: (quote, backslash, quote),
      in: UnsafeRawBufferPointer(bytes),
      from: index,
    )
  }

  private mutating func escapedString(from start: Int) -> String? {
    var text = Array(bytes[start..<min(index, bytes.count)])
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      escape(into: &text)
      let end = endOfRun()
      text.append(contentsOf: bytes[min(index, end)..<end])
      index = end
    }
    isComplete = false
    return nil
  }

  private mutating func escape(into text: inout [UInt8]) {
    guard index < bytes.count else { return }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
    case UInt8(ascii: "t"): text.append(UInt8(ascii: "\t"))
    case UInt8(ascii: "r"): text.append(UInt8(ascii: "\r"))
    case UInt8(ascii: "b"), UInt8(ascii: "f"): text.append(UInt8(ascii: " "))
    case UInt8(ascii: "u"): text.append(codePoint: codePoint())
    default: text.append(byte)
    }
  }

  /// Reads the number after `\u`; half a surrogate pair gives U+FFFD.
  private mutating func codePoint() -> UInt32 {
    guard let first = hex() else { return 0xFFFD }
    guard 0xD800..<0xDC00 ~= first else { return first }
    let end = index
    guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { return 0xFFFD }
    index += 2
    guard let second = hex(), 0xDC00..<0xE000 ~= second else {
      index = end
      return 0xFFFD
    }
    return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
  }

  private mutating func hex() -> UInt32? {
    guard index + 4 <= bytes.count else { return nil }
    let digits = UnsafeBufferPointer(rebasing: bytes[index..<index + 4]).string
    guard let value = UInt32(digits, radix: 16), !digits.hasPrefix("+") else { return nil }
    index += 4
    return value
  }
}
