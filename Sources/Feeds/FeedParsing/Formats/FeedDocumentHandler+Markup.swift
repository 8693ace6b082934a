import HTMLParsing
import System

/// Unescaped markup (Atom's XHTML, and RSS as some write it), written as HTML for the whole text.
///
/// The field itself has its text alone.
extension FeedDocumentHandler {
  private var isWhole: Bool {
    limits.kept == .texts && capture.maximumBytes == Draft.maximumTextBytes
  }

  func startTag(_ tag: UInt8, _ attributes: XMLAttributes) {
    guard isWhole || capture.formula != nil else { return }
    if capture.markupStart == nil {
      capture.markupStart = draft.markup.count
      appendMarkup(buffer.bytes(TextSpan(start: capture.start, end: buffer.count)))
    }
    guard hasRoom else { return }
    draft.markup.append("<\(HTMLTagName.name(tag))")
    if attributes.count > 0 {
      for (name, value) in attributes.all() where name.prefix != "xml" {
        draft.markup.append(" \(name.local)=\"")
        appendEscaped(value, isAttribute: true)
        draft.markup.append("\"")
      }
    }
    draft.markup.append(UInt8(ascii: ">"))
  }

  /// Enters an element that plays or embeds: it has no text of the story, but addresses.
  func startInMedia(_ code: FeedElementCode, _ attributes: XMLAttributes) -> Scope? {
    guard HTMLTagName.isMedia(code.tag) else { return nil }
    startTag(code.tag, attributes)
    return .media
  }

  func endTag(_ tag: UInt8) {
    guard capture.markupStart != nil, hasRoom, !HTMLTagName.isVoid(tag) else { return }
    draft.markup.append("</\(HTMLTagName.name(tag))>")
  }

  func appendMarkup(_ text: UnsafeBufferPointer<UInt8>) {
    guard hasRoom else { return }
    // Text between unescaped tags of RSS is HTML, whatever stands in it.
    guard capture.mode == .plain else { return draft.markup.append(text) }
    appendEscaped(text, isAttribute: false)
  }

  private var hasRoom: Bool {
    draft.markup.count - (capture.markupStart ?? 0) < Draft.maximumTextBytes
  }

  private func appendEscaped(_ text: String, isAttribute: Bool) {
    var text = text
    text.withUTF8 { appendEscaped($0, isAttribute: isAttribute) }
  }

  private func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, isAttribute: Bool) {
    for byte in text {
      // Escaping more would change stored texts, and with them their numbers.
      let isPlain = byte == UInt8(ascii: ">") || byte == UInt8(ascii: "\"") && !isAttribute
      if !isPlain, let reference = MarkupEscape.reference(byte) {
        draft.markup.append(reference.description)
      } else {
        draft.markup.append(byte)
      }
    }
  }

  func keepWhole() {
    guard isWhole, capture.markupStart != nil || capture.base >= 0 else { return }
    let end = draft.markup.count
    let markup = TextSpan(start: capture.markupStart ?? end, end: end)
    draft.wholes.append(
      WholeDraft(element: capture.element, markup: markup, base: capture.base)
    )
  }
}

/// The elements of HTML and MathML that are kept of markup, by number from 1.
enum HTMLTagName {
  private static let names = """
    a abbr address annotation annotation-xml article aside audio b bdi bdo big blockquote body br caption cite code col colgroup data
    dd del details dfn div dl dt em embed figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i iframe img
    input ins kbd li maction main map mark math menclose menu merror mfenced mfrac mi mlabeledtr mn mo mover
    mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder
    munderover nav ol p picture pre q rp rt ruby s samp section semantics small source
    span strike strong sub summary sup table tbody td tfoot th thead time tr tt u track ul var video wbr
    """.split(whereSeparator: \.isWhitespace).map(String.init)
  private static let numbers = Dictionary(
    uniqueKeysWithValues: names.enumerated().map { ($1, UInt8($0 + 1)) }
  )
  private static let void = Set(
    ["br", "col", "embed", "hr", "img", "input", "source", "track", "wbr"].map(number)
  )

  static let raised = number(of: "sup")
  static let lowered = number(of: "sub")
  static let formula = number(of: "math")
  static let input = number(of: "input")

  private static let media = Set(
    ["audio", "embed", "iframe", "source", "track", "video"].map(number)
  )

  static func isMedia(_ number: UInt8) -> Bool { number > 0 && media.contains(number) }

  static func number(of name: String) -> UInt8 { numbers[name.lowercased()] ?? 0 }

  static func name(_ number: UInt8) -> String { names[Int(number) - 1] }

  static func isVoid(_ number: UInt8) -> Bool { void.contains(number) }
}
