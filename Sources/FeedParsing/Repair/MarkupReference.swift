import System

/// What stands at an ampersand, in a form that XML allows.
enum MarkupReference {
  case legal(UInt32, length: Int)
  case bare(MarkupFinding)
  /// A character written in a way that XML does not allow.
  case character(UInt32, length: Int, MarkupFinding)
  case html(HTMLReference, length: Int)
  case declared([UInt8], length: Int)
  case forbidden(length: Int)

  /// No reference is longer; `&` and `;` included.
  private static let maximumLength = 72

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
    if let character = HTMLEntities.predefined(name) {
      return .legal(UInt32(character), length: length)
    }
    if let text = declared.text(of: name) { return .declared(text, length: length) }
    if let text = HTMLEntities.reference(name) { return .html(text, length: length) }
    return .bare(.unknownEntity)
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

extension NumericReference {
  /// What becomes of it; surrogates are not for here.
  var reference: MarkupReference {
    switch value {
    case 0x09, 0x0A, 0x0D, 0x20...0x7F, 0xA0...0xFFFD, 0x10000...0x10FFFF:
      isWellFormed
        ? .legal(value, length: length) : .character(value, length: length, .illegalReference)
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
}
