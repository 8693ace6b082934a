import HTMLParsing
import HTMLText
import System

enum FieldText {
  /// The size from which a field is cut as a summary is: nobody reads a longer title.
  private static let maximumLineBytes = 4096

  static func append(
    _ field: FieldDraft,
    for purpose: PlainText.Purpose,
    in buffer: TextBuffer,
    to output: TextBuffer,
  ) {
    let bytes = buffer.bytes(field.span)
    let purpose = bytes.count > maximumLineBytes ? .summary : purpose
    switch field.mode {
    case .html: append(html: bytes, for: purpose, to: output)
    case .plain: PlainText.append(text: bytes, for: purpose, to: output)
    case .base64HTML: decode(bytes) { append(html: $0, for: purpose, to: output) }
    case .base64Plain: decode(bytes) { PlainText.append(text: $0, for: purpose, to: output) }
    }
  }

  private static func append(
    html: UnsafeBufferPointer<UInt8>,
    for purpose: PlainText.Purpose,
    to output: TextBuffer,
  ) {
    switch purpose {
    case .title: PlainText.append(title: html, to: output)
    case .summary: StorySummary.append(html: html, to: output)
    }
  }

  static func line(_ field: FieldDraft, in buffer: TextBuffer) -> String {
    let output = TextBuffer(capacity: field.span.count + 32)
    append(field, for: .title, in: buffer, to: output)
    return output.string
  }

  /// Returns true for a text that begins with words; false where that takes a closer look.
  static func surelyHasWords(_ field: FieldDraft, in buffer: TextBuffer) -> Bool {
    guard field.mode == .html || field.mode == .plain, field.span.count <= maximumLineBytes else {
      return false
    }
    // Text that stands before all markup is left, whatever follows it.
    let start = buffer.bytes(field.span).characters(atMost: 15)
    let end = ByteScan.firstMarkup(in: start, from: 0, to: start.count)
    return !SafeText.line(utf8: UnsafeBufferPointer(rebasing: start[..<end])).isEmpty
  }

  private static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void,
  ) {
    guard let data = Base64.decode(bytes) else { return body(bytes) }
    if String(validating: data, as: UTF8.self) != nil {
      data.withUnsafeBufferPointer(body)
    } else if bytes.contains(UInt8(ascii: " ")) {
      // Words, too, are nothing but letters and white space, and so may pass for base64.
      body(bytes)
    }
  }
}

enum LanguageTag {
  /// Returns the tag of BCP 47 as published, in small letters where its language is in capitals
  /// (`IT-it`).
  static func repaired(_ tag: String) -> String {
    let language = tag.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
    let isMiscased = language.contains { $0.asciiLowercased != $0 }
    return isMiscased && 2...3 ~= language.count ? tag.lowercased() : tag
  }
}

/// The type of an element's text: HTML in RSS, and in Atom what `type` and `mode` say.
///
/// RFC 4287 §3.1 and §4.1.3.3, whose base64 some write for titles and summaries, too; Atom 0.3
/// §3.1, where escaped content without a type is HTML in practice. Any other media type gives plain
/// text. Base64 of `application/octet-stream` is HTML in practice.
struct TextConstruct: Hashable, Sendable {
  let mode: TextMode
  /// True where the content is XML of its own, in which any element may stand.
  var isOpaque = false

  init(_ code: FeedElementCode, _ attributes: XMLAttributes) {
    guard code.isAtom else {
      mode = code.element == .xhtmlBody ? .plain : .html
      return
    }
    guard attributes.count > 0, Self.isConstruct(code.element) else {
      mode = .plain
      return
    }
    let type = attributes.raw("type").flatMap { $0.isEmpty ? nil : $0 }
    // Atom 0.3 has `mode`; a type alone is what Atom 1.0 has.
    if attributes.count > (type == nil ? 0 : 1), attributes.has("mode", "base64") {
      mode = type.map(Self.isBase64HTML) ?? true ? .base64HTML : .base64Plain
    } else if let type {
      isOpaque = Self.isXML(type)
      let isBase64 = type.isEqual(ignoringCase: "base64") || Self.isBase64(type)
      let base64 = Self.isBase64HTML(type) ? TextMode.base64HTML : .base64Plain
      mode = Self.isHTML(type) ? .html : isBase64 ? base64 : .plain
    } else {
      mode = attributes.has("mode", "escaped") ? .html : .plain
    }
  }

  private static func isConstruct(_ element: FeedElement) -> Bool {
    switch element {
    case .title, .summary, .subtitle, .content, .description: true
    default: false
    }
  }

  private static func isHTML(_ type: UnsafeBufferPointer<UInt8>) -> Bool {
    type.isEqual(ignoringCase: "html") || type.hasPrefix("text/html")
  }

  private static func isBase64HTML(_ type: UnsafeBufferPointer<UInt8>) -> Bool {
    isHTML(type) || isXML(type) || type.isEqual(ignoringCase: "application/octet-stream")
  }

  private static func isXML(_ type: UnsafeBufferPointer<UInt8>) -> Bool {
    type.isEqual(ignoringCase: "xhtml") || type.hasSuffix("+xml") || type.hasSuffix("/xml")
  }

  private static func isBase64(_ type: UnsafeBufferPointer<UInt8>) -> Bool {
    type.contains(UInt8(ascii: "/")) && !type.hasPrefix("text/") && !isXML(type)
  }
}
