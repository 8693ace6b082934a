/// What stands at an ampersand, in a form that XML allows.
enum MarkupReference {
  /// A character, written as XML wants it.
  case legal(UInt32, length: Int)
  /// Just an ampersand.
  case bare(MarkupFinding)
  /// A character written in a way that XML does not allow.
  case character(UInt32, length: Int, MarkupFinding)
  /// An HTML entity: its text.
  case html(UnsafeBufferPointer<UInt8>, length: Int)
  /// An entity of the document's own.
  case declared([UInt8], length: Int)
  /// A character that no document may have.
  case forbidden(length: Int)

  /// No reference is longer; `&` and `;` included.
  private static let maximumLength = 72

  /// Reads what stands at `start`, where there is an ampersand.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - start: Where the ampersand is.
  ///   - declared: What the document declares.
  /// - Returns: What it means, with its length in bytes.
  static func read(
    _ bytes: UnsafeRawBufferPointer,
    at start: Int,
    declared: DeclaredEntities,
  ) -> MarkupReference {
    let next = start &+ 1
    guard next < bytes.count else { return .bare(.bareAmpersand) }
    if bytes[next] == UInt8(ascii: "#") { return numeric(bytes, at: start) }
    var end = next
    while end < bytes.count, XMLNameScan.isASCIINameByte(bytes[end]), end - start < maximumLength {
      end &+= 1
    }
    guard end < bytes.count, bytes[end] == UInt8(ascii: ";"), end > next else {
      return .bare(.bareAmpersand)
    }
    let name = UnsafeRawBufferPointer(rebasing: bytes[next..<end])
    return named(name, length: end &+ 1 &- start, declared: declared)
  }

  private static func named(
    _ name: UnsafeRawBufferPointer,
    length: Int,
    declared: DeclaredEntities,
  ) -> MarkupReference {
    if let character = predefined(name) { return .legal(character, length: length) }
    if let text = declared.text(of: name) { return .declared(text, length: length) }
    let html = name.withMemoryRebound(to: UInt8.self) { HTMLEntities.codePoints(named: $0) }
    return html.map { .html($0, length: length) } ?? .bare(.unknownEntity)
  }

  /// `lt`, `gt`, `amp`, `quot`, `apos` (XML 1.0 §4.6).
  @inline(__always)
  private static func predefined(_ name: UnsafeRawBufferPointer) -> UInt32? {
    switch name.count {
    case 2 where name[1] == UInt8(ascii: "t") && name[0] == UInt8(ascii: "l"): 0x3C
    case 2 where name[1] == UInt8(ascii: "t") && name[0] == UInt8(ascii: "g"): 0x3E
    case 3 where name.isASCII("amp"): 0x26
    case 4 where name.isASCII("quot"): 0x22
    case 4 where name.isASCII("apos"): 0x27
    default: nil
    }
  }

  private static func numeric(
    _ bytes: UnsafeRawBufferPointer,
    at start: Int,
  ) -> MarkupReference {
    guard let number = NumericReference.read(bytes, at: start) else {
      return .bare(.bareAmpersand)
    }
    guard case 0xD800...0xDFFF = number.value else { return number.reference }
    return surrogate(number, bytes, at: start)
  }

  /// Writers that know only UTF-16 write a character above U+FFFF as two references.
  private static func surrogate(
    _ high: NumericReference,
    _ bytes: UnsafeRawBufferPointer,
    at start: Int,
  ) -> MarkupReference {
    let lone = MarkupReference.character(0xFFFD, length: high.length, .illegalReference)
    guard high.value < 0xDC00,
      let low = NumericReference.read(bytes, at: start + high.length),
      (0xDC00...0xDFFF).contains(low.value)
    else { return lone }
    let point = 0x10000 + (high.value - 0xD800) << 10 + (low.value - 0xDC00)
    return .character(point, length: high.length + low.length, .illegalReference)
  }
}
