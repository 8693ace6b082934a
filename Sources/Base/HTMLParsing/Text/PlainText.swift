package import System

/// Text as a reader should see it: one line, no markup, references decoded, nothing invisible.
package enum PlainText {
  package enum Purpose {
    /// All of the text; a lone tag in the middle is more likely spoken of than meant
    /// (`The <dialog> tag`).
    case title
    /// The beginning, at most `maximumSummary` characters; lone tags are common, since many feeds
    /// cut their summaries anywhere.
    case summary
  }

  static let maximumSummary = 1000

  /// Appends the text of a piece of HTML.
  ///
  /// Tags, comments and the content of scripts go, once; the tags of blocks separate words; of an
  /// image alone its `alt` is left. What only looks like markup stays (`1 < 2`, `List<String>`,
  /// `AT&T`), and in a title so does markup of which nothing else would be left (`<b>`). Of a
  /// summary no more is read than has to be.
  package static func append(
    html: UnsafeBufferPointer<UInt8>,
    for purpose: Purpose,
    to output: TextBuffer,
  ) {
    if !QuickText.append(html, for: purpose, to: output) {
      output.append(thorough(html, for: purpose))
    }
  }

  /// Appends plain text: `<` is just `<`, and `&amp;` five characters.
  package static func append(
    text: UnsafeBufferPointer<UInt8>,
    for purpose: Purpose,
    to output: TextBuffer,
  ) {
    if case .title = purpose, let line = SafeText.lineIfSafe(utf8: text) {
      output.append(line)
    } else {
      output.append(unmarked(text, for: purpose))
    }
  }

  package static func fromHTML(_ html: String, for purpose: Purpose = .title) -> String {
    var html = html
    let output = TextBuffer()
    html.withUTF8 { append(html: $0, for: purpose, to: output) }
    return output.string
  }

  /// Returns all words of a piece of HTML as one line, without those of its pictures.
  package static func words(_ html: UnsafeBufferPointer<UInt8>) -> String {
    var reader = MarkupText(UnsafeRawBufferPointer(html), purpose: .title, findsFormulas: false)
    reader.read()
    return line(reader.output)
  }

  /// Returns the text of any HTML, as `QuickText` does faster for most.
  ///
  /// With `isFlat` formulas are lines already, and a remaining one is text.
  static func thorough(
    _ html: UnsafeBufferPointer<UInt8>,
    for purpose: Purpose,
    isFlat: Bool = false,
  ) -> String {
    guard ByteScan.firstMarkup(in: html, from: 0, to: html.count) < html.count else {
      return unmarked(html, for: purpose)
    }
    let bytes = UnsafeRawBufferPointer(html)
    var reader = MarkupText(bytes, purpose: purpose, findsFormulas: !isFlat)
    reader.read()
    if reader.hasFormula {
      let flat = FlatMarkup.html(html)
      return flat.withUnsafeBufferPointer { thorough($0, for: purpose, isFlat: true) }
    }
    let text = line(reader.output)
    switch purpose {
    case .title: return text.isEmpty ? substitute(for: reader, html) : text
    case .summary where text.isEmpty:
      let alternative = reader.alternativeText ?? []
      return alternative.withUnsafeBufferPointer { unmarked($0, for: .summary) }
    case .summary: return shortened(text, isCut: reader.isCut)
    }
  }

  private static func substitute(
    for reader: MarkupText,
    _ html: UnsafeBufferPointer<UInt8>,
  ) -> String {
    if let alternative = reader.alternativeText { return line(alternative) }
    guard reader.isOnlyMention else { return "" }
    return SafeText.line(HTMLReference.decoded(UnsafeRawBufferPointer(html), isInAttribute: false))
  }

  private static let maximumWindow = 32_768

  private static func unmarked(_ text: UnsafeBufferPointer<UInt8>, for purpose: Purpose) -> String {
    guard case .summary = purpose else { return SafeText.line(utf8: text) }
    let window = UnsafeBufferPointer(rebasing: text.prefix(maximumWindow))
    return shortened(SafeText.line(utf8: window), isCut: window.count < text.count)
  }

  private static func shortened(_ text: String, isCut: Bool) -> String {
    SafeText.prefix(isCut ? text + "…" : text, maximumCharacters: maximumSummary)
  }

  private static func line(_ bytes: [UInt8]) -> String {
    bytes.withUnsafeBufferPointer { SafeText.line(utf8: $0) }
  }
}

private final class FlatMarkup: HTMLEventHandler {
  private var html: [UInt8] = []
  let isReading = true

  static func html(_ html: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let writer = FlatMarkup()
    HTMLTree.fragment(Array(html)).tell(writer)
    return writer.html
  }

  func startElement(_ name: String, _ attributes: HTMLAttributes) {
    // A formula that is nested too deeply has no line.
    guard name != "math" else { return }
    html += "<\(name)".utf8
    for name in ["href", "alt"] as [StaticString] {
      guard let value = attributes[name] else { continue }
      html += " \(name)=\"".utf8
      append(value)
      html.append(UInt8(ascii: "\""))
    }
    html.append(UInt8(ascii: ">"))
  }

  func endElement(_ name: String) {
    if name != "math" { html += "</\(name)>".utf8 }
  }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) { MarkupEscape.append(utf8, to: &html) }

  private func append(_ text: String) {
    var text = text
    text.withUTF8 { MarkupEscape.append($0, to: &html) }
  }
}
