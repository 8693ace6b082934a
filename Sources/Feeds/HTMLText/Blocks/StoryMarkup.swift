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
  static func line(_ html: [UInt8], hasPictures: Bool) -> String? {
    html.withUnsafeBytes { html in
      var reader = BodyLine(html, hasPictures: hasPictures)
      return reader.read() ? SafeText.line(String(decoding: reader.output, as: UTF8.self)) : nil
    }
  }

  package static func formula(_ text: String) -> String { FormulaText.tex(text) }

  /// True of a tag that HTML knows: `<two>` and `<me@example.com>` are text.
  private static func hasTag(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      bytes.indices.dropLast().contains { bytes[$0] == less && isTag(bytes[($0 + 1)...]) }
    }
  }

  private static func isTag(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
    if "!?".utf8.contains(text[text.startIndex]) { return true }
    let text = text[text.startIndex] == UInt8(ascii: "/") ? text.dropFirst() : text
    let name = text.prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
    guard HTMLTag.of(name) != .unknown, name.endIndex < text.endIndex else { return false }
    let next = text[name.endIndex]
    return next.isASCIISpace || next == UInt8(ascii: ">") || next == UInt8(ascii: "/")
  }

  private static let less = UInt8(ascii: "<")
}
