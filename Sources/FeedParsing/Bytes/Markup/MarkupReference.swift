/// What stands at an ampersand, in a form that XML allows.
enum MarkupReference {
  /// The rest is not there yet.
  case incomplete
  /// Stays as it is.
  case legal(length: Int)
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
  /// - Parameter isLast: Whether nothing follows the bytes.
  static func read(
    _ bytes: UnsafeRawBufferPointer,
    at start: Int,
    isLast: Bool,
    declared: DeclaredEntities,
  ) -> MarkupReference {
    let next = start &+ 1
    guard next < bytes.count else { return isLast ? .bare(.bareAmpersand) : .incomplete }
    if bytes[next] == UInt8(ascii: "#") { return numeric(bytes, at: start, isLast: isLast) }
    var end = next
    while end < bytes.count, XMLNameScan.isASCIINameByte(bytes[end]), end - start < maximumLength {
      end &+= 1
    }
    guard end < bytes.count else { return isLast ? .bare(.bareAmpersand) : .incomplete }
    guard bytes[end] == UInt8(ascii: ";"), end > next else { return .bare(.bareAmpersand) }
    let name = UnsafeRawBufferPointer(rebasing: bytes[next..<end])
    return named(name, length: end &+ 1 &- start, declared: declared)
  }

  private static func named(
    _ name: UnsafeRawBufferPointer,
    length: Int,
    declared: DeclaredEntities,
  ) -> MarkupReference {
    if isPredefined(name) { return .legal(length: length) }
    if let text = declared.text(of: name) { return .declared(text, length: length) }
    let html = name.withMemoryRebound(to: UInt8.self) { HTMLEntities.codePoints(named: $0) }
    return html.map { .html($0, length: length) } ?? .bare(.unknownEntity)
  }

  /// `lt`, `gt`, `amp`, `quot`, `apos` (XML 1.0 §4.6).
  @inline(__always)
  private static func isPredefined(_ name: UnsafeRawBufferPointer) -> Bool {
    switch name.count {
    case 2: name[1] == UInt8(ascii: "t") && (name[0] == UInt8(ascii: "l") || name[0] == 0x67)
    case 3: name.isASCII("amp")
    case 4: name.isASCII("quot") || name.isASCII("apos")
    default: false
    }
  }

  private static func numeric(
    _ bytes: UnsafeRawBufferPointer,
    at start: Int,
    isLast: Bool,
  ) -> MarkupReference {
    let number: NumericReference
    switch NumericReference.read(bytes, at: start, isLast: isLast) {
    case .incomplete: return .incomplete
    case .none: return .bare(.bareAmpersand)
    case .number(let read): number = read
    }
    guard case 0xD800...0xDFFF = number.value else { return number.reference }
    return surrogate(number, bytes, at: start, isLast: isLast)
  }

  /// Writers that know only UTF-16 write a character above U+FFFF as two references.
  private static func surrogate(
    _ high: NumericReference,
    _ bytes: UnsafeRawBufferPointer,
    at start: Int,
    isLast: Bool,
  ) -> MarkupReference {
    let lone = MarkupReference.character(0xFFFD, length: high.length, .illegalReference)
    guard high.value < 0xDC00 else { return lone }
    switch NumericReference.read(bytes, at: start + high.length, isLast: isLast) {
    case .incomplete: return .incomplete
    case .number(let low) where (0xDC00...0xDFFF).contains(low.value):
      let point = 0x10000 + (high.value - 0xD800) << 10 + (low.value - 0xDC00)
      return .character(point, length: high.length + low.length, .illegalReference)
    default: return lone
    }
  }
}

/// A reference by number, as it is written.
struct NumericReference: Hashable {
  var value: UInt32
  var length: Int
  /// Whether it is written as XML wants it, with a small x and a semicolon.
  var isWellFormed: Bool

  enum Reading: Hashable {
    case incomplete
    case none
    case number(NumericReference)
  }

  /// Reads `&#123;`, `&#x7B;`, and as HTML does `&#X7B;` and those without a semicolon.
  static func read(
    _ bytes: UnsafeRawBufferPointer,
    at start: Int,
    isLast: Bool,
  ) -> Reading {
    let head = [UInt8](bytes[start...].prefix(3))
    guard head.starts(with: "&#".utf8.prefix(head.count)) else { return .none }
    guard head.count == 3 else { return isLast ? .none : .incomplete }
    let isHexadecimal = head[2] | 0x20 == UInt8(ascii: "x")
    let first = start + (isHexadecimal ? 3 : 2)
    var position = first
    var value: UInt32 = 0
    while position < bytes.count, position - first < 48,
      let digit = digit(bytes[position], isHexadecimal)
    {
      value = min(value * (isHexadecimal ? 16 : 10) + digit, 0x11_0000)
      position += 1
    }
    guard position < bytes.count || isLast else { return .incomplete }
    guard position > first else { return .none }
    let isEnded = position < bytes.count && bytes[position] == UInt8(ascii: ";")
    return .number(
      NumericReference(
        value: value,
        length: position - start + (isEnded ? 1 : 0),
        isWellFormed: isEnded && head[2] != UInt8(ascii: "X"),
      )
    )
  }

  /// What becomes of it; surrogates are not for here.
  var reference: MarkupReference {
    switch value {
    case 0x09, 0x0A, 0x0D, 0x20...0x7F, 0xA0...0xFFFD, 0x10000...0x10FFFF:
      isWellFormed
        ? .legal(length: length) : .character(value, length: length, .illegalReference)
    case 0x80...0x9F:
      .character(
        Windows1252.codePoint(UInt8(value)) ?? 0xFFFD,
        length: length,
        .windowsReference,
      )
    case 0...0x1F, 0xFFFE, 0xFFFF: .forbidden(length: length)
    default: .character(0xFFFD, length: length, .illegalReference)
    }
  }

  @inline(__always)
  private static func digit(_ byte: UInt8, _ isHexadecimal: Bool) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte) - 0x30
    case 0x41...0x46 where isHexadecimal: UInt32(byte) - 0x37
    case 0x61...0x66 where isHexadecimal: UInt32(byte) - 0x57
    default: nil
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are these ASCII characters.
  @inline(__always)
  func isASCII(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index] != text.utf8Start[index] { return false }
    return true
  }

  /// Whether these ASCII characters stand at an offset, in any case.
  func hasASCII(_ text: StaticString, at offset: Int) -> Bool {
    guard count - offset >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount {
      let (byte, wanted) = (self[offset + index], text.utf8Start[index])
      let folded = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
      if folded != ((0x41...0x5A).contains(wanted) ? wanted | 0x20 : wanted) { return false }
    }
    return true
  }
}
