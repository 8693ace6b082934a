import HTMLParsing

struct MarkupReference {
  /// The characters; the first is 0 if XML forbids it.
  private(set) var characters: HTMLReference
  private(set) var length: Int
  /// The fault, if XML does not allow the reference as it is written.
  private(set) var finding: MarkupFinding?
  private(set) var text: [UInt8]?

  var isLegal: Bool { finding == nil && text == nil }

  /// The most bytes of a reference, with `&` and `;`.
  private static let maximumLength = 72

  private init(_ point: UInt32, length: Int, _ finding: MarkupFinding? = nil) {
    (characters, self.length, self.finding) = (HTMLReference(first: point), length, finding)
  }

  private static func bare(_ finding: MarkupFinding) -> MarkupReference {
    MarkupReference(UInt32(UInt8(ascii: "&")), length: 1, finding)
  }

  static func read(
    _ bytes: UnsafeRawBufferPointer,
    at start: Int,
    declared: DeclaredEntities,
  ) -> MarkupReference {
    let next = start &+ 1
    guard next < bytes.count else { return bare(.bareAmpersand) }
    if bytes[next] == UInt8(ascii: "#") { return numeric(bytes, at: start) }
    var end = next
    while end < bytes.count, XMLNameScan.isASCIINameByte(bytes[end]), end - start < maximumLength {
      end &+= 1
    }
    guard end < bytes.count, bytes[end] == UInt8(ascii: ";"), end > next else {
      return bare(.bareAmpersand)
    }
    let name = UnsafeRawBufferPointer(rebasing: bytes[next..<end])
    var reference = MarkupReference(0, length: end &+ 1 &- start)
    if let character = HTMLEntities.predefined(name) {
      reference.characters = HTMLReference(first: UInt32(character))
    } else if let text = declared.text(of: name) {
      reference.text = text
    } else if let characters = HTMLEntities.reference(name) {
      (reference.characters, reference.finding) = (characters, .undeclaredEntity)
    } else {
      return bare(.unknownEntity)
    }
    return reference
  }

  private static func numeric(
    _ bytes: UnsafeRawBufferPointer,
    at start: Int,
  ) -> MarkupReference {
    guard let number = NumericReference.read(bytes, at: start) else { return bare(.bareAmpersand) }
    let (value, length) = (number.value, number.length)
    switch value {
    case 0x09, 0x0A, 0x0D, 0x20...0x7F, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF:
      return .init(value, length: length, number.isWellFormed ? nil : .illegalReference)
    case 0x80...0x9F:
      let point = Windows1252.codePoint(UInt8(value)) ?? 0xFFFD
      return .init(point, length: length, .windowsReference)
    case 0...0x1F, 0xFFFE, 0xFFFF: return .init(0, length: length, .illegalReference)
    default: break
    }
    // Writers that know only UTF-16 write a character above U+FFFF as two references.
    if value < 0xDC00, let low = NumericReference.read(bytes, at: start + length),
      (0xDC00...0xDFFF).contains(low.value)
    {
      let point = 0x10000 + (value - 0xD800) << 10 + (low.value - 0xDC00)
      return .init(point, length: length + low.length, .illegalReference)
    }
    return .init(0xFFFD, length: length, .illegalReference)
  }
}
