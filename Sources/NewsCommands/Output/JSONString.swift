import FeedModel

/// Strings as JSON writes them (RFC 8259 §7).
///
/// More is escaped than JSON asks: whatever could change a terminal or hide in it. The output goes
/// through `less -R` and into logs, and an escape loses nothing.
enum JSONString {
  static func append(_ string: String, to text: inout String) {
    text += "\""
    if isPlain(string) {
      text += string
    } else {
      for scalar in string.unicodeScalars { append(scalar, to: &text) }
    }
    text += "\""
  }

  /// Printable ASCII without quotation mark and backslash needs no look at its scalars.
  private static func isPlain(_ string: String) -> Bool {
    string.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c }
  }

  private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case _ where mustEscape(scalar):
      for unit in String(scalar).utf16 { text += escape(unit) }
    default: text.unicodeScalars.append(scalar)
    }
  }

  private static func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) || SafeText.isHidden(scalar)
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
