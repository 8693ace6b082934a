import FeedModel

/// Text as XML has it.
enum XMLText {
  /// Attributes as they stand in a tag, each behind a space; what is no name is left out, and of two
  /// of a name the second.
  static func attributes(_ attributes: [OutlineAttribute]) -> String {
    var text = ""
    var names: Set<String> = []
    for attribute in attributes
    where isName(attribute.name) && names.insert(attribute.name).inserted {
      text += " \(attribute.name)=\"\(escaped(attribute.value))\""
    }
    return text
  }

  /// A value between quotation marks, or text: characters that XML forbids are left out, and what
  /// could change a terminal is written as a reference.
  static func escaped(_ value: String) -> String {
    if value.utf8.allSatisfy(isPlain) { return value }
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\n", "\t", "\r": text += "&#\(scalar.value);"
      case _ where scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value): break
      case _ where scalar.value & 0xfffe == 0xfffe: break
      case _ where SafeText.isHidden(scalar): text += "&#\(scalar.value);"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// Whether a string can be an element's or attribute's name, with at most one prefix.
  static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count <= 2
      && parts.allSatisfy { part in
        guard let first = part.unicodeScalars.first, first.properties.isAlphabetic || first == "_"
        else { return false }
        return part.unicodeScalars.allSatisfy {
          $0.properties.isAlphabetic || ("0"..."9").contains($0)
            || "-._".unicodeScalars.contains($0)
        }
      }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): false
    default: byte >= 0x20 && byte < 0x7f
    }
  }
}
