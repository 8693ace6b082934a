package import System

/// Text as a reader should see it: one line, no markup, references decoded, nothing invisible.
package enum PlainText {
  package enum Purpose {
    /// All of the text; a lone tag in the middle is more likely spoken of than meant
    /// (`The <dialog> tag`).
    case title
    /// The beginning, at most `maximumSummary` characters.
    case summary
  }

  static let maximumSummary = 1000

  /// Appends the text of a title's HTML.
  ///
  /// Tags, comments and the content of scripts go, once; the tags of blocks separate words; of an
  /// image alone its `alt` is left. What only looks like markup stays (`1 < 2`, `List<String>`,
  /// `AT&T`), and so does markup of which nothing else would be left (`<b>`).
  package static func append(title html: UnsafeBufferPointer<UInt8>, to output: TextBuffer) {
    if !QuickText.append(html, for: .title, to: output) { output.append(thorough(html)) }
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

  package static func fromHTML(_ html: String) -> String {
    var html = html
    let output = TextBuffer()
    html.withUTF8 { append(title: $0, to: output) }
    return output.string
  }

  /// Returns the text of any title, as `QuickText` does faster for most.
  ///
  /// With `isFlat` formulas are lines already, and a remaining one is text.
  static func thorough(_ html: UnsafeBufferPointer<UInt8>, isFlat: Bool = false) -> String {
    guard ByteScan.firstMarkup(in: html, from: 0, to: html.count) < html.count else {
      return SafeText.line(utf8: html)
    }
    var reader = MarkupText(UnsafeRawBufferPointer(html), findsFormulas: !isFlat)
    reader.read()
    if reader.hasFormula {
      return FlatMarkup.html(html).withUnsafeBufferPointer { thorough($0, isFlat: true) }
    }
    let text = line(reader.output)
    return text.isEmpty ? substitute(for: reader, html) : text
  }

  private static func substitute(
    for reader: MarkupText,
    _ html: UnsafeBufferPointer<UInt8>,
  ) -> String {
    if let alternative = reader.alternativeText { return line(alternative) }
    guard reader.isOnlyMention else { return "" }
    return SafeText.line(HTMLReference.decoded(UnsafeRawBufferPointer(html), isInAttribute: false))
  }

  package static let maximumWindow = 32_768

  private static func unmarked(_ text: UnsafeBufferPointer<UInt8>, for purpose: Purpose) -> String {
    guard case .summary = purpose else { return SafeText.line(utf8: text) }
    let window = UnsafeBufferPointer(rebasing: text.prefix(maximumWindow))
    return beginning(of: SafeText.line(utf8: window), isCut: window.count < text.count)
  }

  /// Returns as much of a line as a summary has room for.
  package static func beginning(of line: String, isCut: Bool = false) -> String {
    SafeText.prefix(isCut ? line + "…" : line, maximumCharacters: maximumSummary)
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
