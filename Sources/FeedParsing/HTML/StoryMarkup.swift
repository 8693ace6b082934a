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

  private static func hasTag(_ bytes: [UInt8]) -> Bool {
    bytes.indices.dropLast().contains { index in
      bytes[index] == less
        && (bytes[index + 1].isASCIILetter || "/!?".utf8.contains(bytes[index + 1]))
    }
  }

  private static let less = UInt8(ascii: "<")
}
