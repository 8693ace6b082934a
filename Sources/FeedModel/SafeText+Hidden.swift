extension SafeText {
  /// Whether a scalar is formatting that reorders, hides or separates text without being seen, or
  /// a noncharacter: what a safe line drops, and what formats with escapes escape.
  ///
  /// Controls are not among them; nor are U+200C and U+200D, which words and emoji need.
  package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x61C: false
    case 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFDD0...0xFDEF, 0xFEFF,
      0xFFF0...0xFFFB, 0xE0000...0xE007F:
      true
    default: scalar.value & 0xFFFE == 0xFFFE
    }
  }
}
