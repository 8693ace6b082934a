package import FeedModel
internal import HTMLParsing
internal import System

package enum StoryMarkup {
  /// Returns the lines of text without markup; nil for HTML that has tags or only one line.
  ///
  /// RSS and `media:description` call plain text of several lines HTML.
  package static func bareLines(_ text: StoryText) -> [String]? {
    if text.isHTML, !text.bytes.contains(UInt8(ascii: "\n")) || hasTag(text.bytes) { return nil }
    let lines = text.string.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.map { line in
      text.isHTML ? PlainText.fromHTML(String(line)) : SafeText.line(String(line))
    }
  }

  /// Returns the text of HTML as one line, or nil where only a tree can read it.
  package static func line(_ html: [UInt8]) -> String? {
    html.withUnsafeBytes { html in
      var reader = BodyLine(html)
      return reader.read() ? SafeText.line(String(decoding: reader.output, as: UTF8.self)) : nil
    }
  }

  package static func formula(_ text: String) -> String { FormulaText.tex(text) }

  private static func hasTag(_ bytes: [UInt8]) -> Bool {
    bytes.indices.dropLast().contains { index in
      bytes[index] == less
        && (bytes[index + 1].isASCIILetter || "/!?".utf8.contains(bytes[index + 1]))
    }
  }

  private static let less = UInt8(ascii: "<")
}
