package import FeedModel
internal import System

/// Texts that have no markup.
package enum StoryMarkup {
  /// The lines of plain text, and of several without a tag that RSS or `media:description` says are
  /// HTML; nil for others.
  package static func bareLines(_ text: StoryText) -> [String]? {
    if text.isHTML, !text.bytes.contains(UInt8(ascii: "\n")) || hasTag(text.bytes) { return nil }
    let lines = text.string.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.map { line in
      text.isHTML ? PlainText.fromHTML(String(line)) : SafeText.line(String(line))
    }
  }

  /// The text of HTML as one line; nil for what takes a tree to be read.
  package static func line(_ html: [UInt8]) -> String? {
    html.withUnsafeBytes { html in
      var reader = BodyLine(html)
      return reader.read() ? SafeText.line(String(decoding: reader.output, as: UTF8.self)) : nil
    }
  }

  /// TeX, or the words for a picture, without what only says how large it is set.
  package static func formula(_ text: String) -> String { FormulaText.tex(text) }

  private static func hasTag(_ bytes: [UInt8]) -> Bool {
    bytes.indices.dropLast().contains { index in
      bytes[index] == less
        && (bytes[index + 1].isASCIILetter || "/!?".utf8.contains(bytes[index + 1]))
    }
  }

  private static let less = UInt8(ascii: "<")
}
