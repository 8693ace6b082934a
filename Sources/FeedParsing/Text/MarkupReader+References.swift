import System

extension MarkupReader {
  /// Reads a character reference (HTML §13.2.5.72); what is none is text.
  mutating func readReference() {
    if byte(at: index + 1) == 0x23 { readNumericReference() } else { readNamedReference() }
  }

  private mutating func readNamedReference() {
    let letters = input[(index + 1)...].prefix(32).prefix(while: \.isASCIILetterOrDigit)
    let name = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: letters))
    if byte(at: letters.endIndex) == UInt8(ascii: ";") {
      if let character = HTMLEntities.predefined(name) {
        output.append(character)
        index = letters.endIndex + 1
        return
      }
      if let text = HTMLEntities.text(named: name) {
        output += text
        index = letters.endIndex + 1
        return
      }
    }
    // The shortest is `lt`: most lone ampersands need no look at the names.
    let length = name.count >= 2 ? HTMLEntities.legacyPrefix(of: name) : 0
    let legacy = UnsafeRawBufferPointer(rebasing: name.prefix(length))
    guard length > 0, let text = HTMLEntities.text(named: legacy) else { return appendLiteral() }
    output += text
    index = letters.startIndex + length
  }

  private mutating func readNumericReference() {
    guard let number = NumericReference.read(UnsafeRawBufferPointer(input), at: index) else {
      return appendLiteral()
    }
    output.append(codePoint: Self.codePoint(number.value))
    index += number.length
  }

  /// The character of a number as HTML has it (§13.2.5.80): C1 means windows-1252.
  private static func codePoint(_ value: UInt32) -> UInt32 {
    value == 0 ? 0xFFFD : value < 0x100 ? Windows1252.codePoint(UInt8(value)) ?? value : value
  }
}
