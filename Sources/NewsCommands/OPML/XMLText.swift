/// Text as XML has it.
enum XMLText {
  /// A value between quotation marks; characters that XML forbids are left out.
  static func attribute(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\n": text += "&#10;"
      case "\t": text += "&#9;"
      case "\r": text += "&#13;"
      case _ where scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value): break
      case "\u{fffe}", "\u{ffff}": break
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// Whether a string can be an attribute's name, with at most one prefix.
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
}
