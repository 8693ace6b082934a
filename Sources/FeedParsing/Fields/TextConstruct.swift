/// What the text of an element is: HTML in RSS, and in Atom what `type` and `mode` say.
///
/// RFC 4287 §3.1 and §4.1.3.3; Atom 0.3 §3.1, where escaped content of no type is HTML in practice.
struct TextConstruct: Hashable, Sendable {
  private static func isConstruct(_ element: FeedElement) -> Bool {
    switch element {
    case .title, .summary, .subtitle, .content, .description: true
    default: false
    }
  }

  let mode: TextMode
  /// Whether the content is XML of its own, in which any element may stand.
  var isOpaque = false

  /// - Returns: nil when the content is not text (an image, say).
  init?(_ code: FeedElementCode, _ attributes: XMLAttributes) {
    guard code.isAtom else {
      mode = .html
      return
    }
    guard attributes.count > 0, Self.isConstruct(code.element) else {
      mode = .plain
      return
    }
    let type = attributes.raw("type")
    // Of Atom 0.3; a type alone is what Atom 1.0 has.
    if attributes.count > (type == nil ? 0 : 1), attributes.has("mode", "base64") {
      mode = Self.isPlain(type) && type != nil ? .base64Plain : .base64HTML
    } else if let type, !type.isEmpty {
      guard let mode = Self.mode(of: type) else { return nil }
      self.mode = mode
      isOpaque = mode == .plain && Self.isXML(type)
    } else {
      mode = attributes.has("mode", "escaped") ? .html : .plain
    }
  }

  private static func mode(of type: UnsafeBufferPointer<UInt8>) -> TextMode? {
    if type.isEqual(ignoringCase: "html") { return .html }
    if isPlain(type) { return .plain }
    if type.hasPrefix("text/html") { return .html }
    if isXML(type) { return .plain }
    let isMedia = ["image/", "audio/", "video/", "application/"].contains { type.hasPrefix($0) }
    return isMedia ? nil : .plain
  }

  private static func isPlain(_ type: UnsafeBufferPointer<UInt8>?) -> Bool {
    guard let type else { return true }
    return type.isEqual(ignoringCase: "text") || type.hasPrefix("text/plain")
      || type.isEqual(ignoringCase: "xhtml")
  }

  /// XHTML, Atom, SVG and the like: `application/xhtml+xml`, `text/xml`.
  private static func isXML(_ type: UnsafeBufferPointer<UInt8>) -> Bool {
    type.isEqual(ignoringCase: "xhtml") || type.hasSuffix("+xml") || type.hasSuffix("/xml")
  }
}
