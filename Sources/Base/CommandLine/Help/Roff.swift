internal import System

package struct Roff {
  private(set) var text = ""

  /// Appends a request; words of the kind `text` are printed whatever they look like.
  mutating func macro(_ name: String, _ words: Word...) {
    macro(name, words)
  }

  mutating func macro(_ name: String, _ words: [Word]) {
    text += ([".\(name)"] + words.map(\.source)).joined(separator: " ") + "\n"
  }

  /// Appends running text, each sentence on lines of its own, which mdoc(7) wants.
  mutating func prose(_ paragraph: String) {
    for sentence in Self.sentences(paragraph) {
      var line = ""
      for word in sentence.split(separator: " ").map({ Self.escaped(String($0)) }) {
        if !line.isEmpty, line.utf8.count + word.utf8.count >= Self.columns {
          text += line + "\n"
          line = ""
        }
        line += (line.isEmpty ? "" : " ") + word
      }
      text += line + "\n"
    }
  }

  private static let columns = 80

  mutating func verbatim(_ lines: [String]) {
    macro("Bd", .macro("-literal"), .macro("-offset"), .macro("indent"))
    for line in lines { text += Self.escaped(line) + "\n" }
    macro("Ed")
  }

  enum Word {
    case macro(String)
    case text(String)

    fileprivate var source: String {
      switch self {
      case .macro(let name): name
      case .text(let text): Roff.quoted(text)
      }
    }
  }

  /// Returns a word in a form that is no macro, no punctuation and no end of the request.
  private static func quoted(_ word: String) -> String {
    let escaped = escaped(word).replacing("\"", with: "\\(dq")
    let isMark = word.count == 1 && word.first?.isLetter == false
    let isName = (2...3).contains(word.count) && word.first?.isUppercase == true
    let start = isMark || isName ? "\\&" : ""
    return word.contains(" ") || word.isEmpty ? "\"\(start)\(escaped)\"" : start + escaped
  }

  /// Escapes all characters that mean something in mdoc(7), and all beyond ASCII.
  static func escaped(_ line: String) -> String {
    var result = ""
    for scalar in line.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "…": result += "..."
      default:
        result +=
          scalar.isASCII
          ? String(scalar) : "\\[u\(scalar.value.padded(to: 4, radix: 16, uppercase: true))]"
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }

  private static func sentences(_ text: String) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines.count - 1
      lines[last] += (lines[last].isEmpty ? "" : " ") + word
      if word.last == ".", word.count > 2 { lines.append("") }
    }
    return lines.filter { !$0.isEmpty }
  }
}
