internal import FeedModel

/// Text as a reader should see it: one line, no markup, references decoded, nothing invisible.
enum PlainText {
  /// Characters that a summary may have (design §3).
  static let maximumSummary = 1000

  /// The text of a piece of HTML, such as a title.
  ///
  /// Tags, comments and the content of scripts go, once; the tags of blocks separate words; of an
  /// image alone its `alt` is left. What only looks like markup stays (`1 < 2`, `List<String>`,
  /// `AT&T`), and so does markup of which nothing else would be left (a title that is `<b>`).
  static func fromHTML(_ utf8: UnsafeBufferPointer<UInt8>) -> String {
    guard hasMarkup(utf8) else {
      return SafeText.line(utf8: utf8)
    }
    var reader = MarkupReader(utf8, purpose: .title)
    reader.read()
    let text = safeLine(reader.output)
    return text.isEmpty ? substitute(for: reader) : text
  }

  static func fromHTML(_ text: String) -> String {
    var text = text
    return text.withUTF8 { fromHTML($0) }
  }

  /// The text of something that is no markup: `<` is just `<`, and `&amp;` five characters.
  static func fromText(_ utf8: UnsafeBufferPointer<UInt8>) -> String {
    SafeText.line(utf8: utf8)
  }

  static func fromText(_ text: String) -> String {
    SafeText.line(text)
  }

  /// The beginning of the text of a piece of HTML, at most `maximumSummary` characters.
  ///
  /// Reads no further than it has to. Empty where there is nothing but markup.
  static func summary(fromHTML utf8: UnsafeBufferPointer<UInt8>) -> String {
    guard hasMarkup(utf8) else {
      return summary(fromText: utf8)
    }
    var reader = MarkupReader(utf8, purpose: .summary(maximumCharacters: maximumSummary))
    reader.read()
    let text = safeLine(reader.output)
    guard !text.isEmpty else { return reader.alternativeText.map(summary(fromText:)) ?? "" }
    return shortened(text, isCut: reader.isCut)
  }

  static func summary(fromHTML text: String) -> String {
    var text = text
    return text.withUTF8 { summary(fromHTML: $0) }
  }

  /// The beginning of a text that is no markup, at most `maximumSummary` characters.
  static func summary(fromText utf8: UnsafeBufferPointer<UInt8>) -> String {
    let window = UnsafeBufferPointer(rebasing: utf8.prefix(maximumWindow))
    return shortened(SafeText.line(utf8: window), isCut: window.count < utf8.count)
  }

  static func summary(fromText text: String) -> String {
    var text = text
    return text.withUTF8 { summary(fromText: $0) }
  }

  /// Bytes of unmarked text in which a summary is looked for.
  private static let maximumWindow = 32_768

  private static func summary(fromText text: [UInt8]) -> String {
    text.withUnsafeBufferPointer { summary(fromText: $0) }
  }

  private static func shortened(_ text: String, isCut: Bool) -> String {
    SafeText.prefix(isCut ? text + "…" : text, maximumCharacters: maximumSummary)
  }

  private static func hasMarkup(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    ByteScan.firstMarkup(in: utf8, from: 0, to: utf8.count) < utf8.count
  }

  private static func substitute(for reader: MarkupReader) -> String {
    if let alternative = reader.alternativeText { return safeLine(alternative) }
    return reader.isOnlyMention ? safeLine(reader.mention) : ""
  }

  private static func safeLine(_ bytes: [UInt8]) -> String {
    bytes.withUnsafeBufferPointer { SafeText.line(utf8: $0) }
  }
}
