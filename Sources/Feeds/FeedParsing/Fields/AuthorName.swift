import System

/// The name in an author's element, or the address where there is no name.
///
/// RSS 2.0 has `address (name)`; real feeds also write `Name <address>` and
/// `Name (mailto:address)`.
enum AuthorName {
  static func name(_ field: FieldDraft, in buffer: TextBuffer) -> String {
    let bytes = buffer.bytes(field.span)
    if field.mode == .html, let name = nameBeforeAngle(bytes) { return name }
    return name(in: FieldText.line(field, in: buffer))
  }

  static func name(in text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
    if text.hasSuffix(")"), let open = text.lastIndex(of: "(") {
      let outside = trimmed(text[..<open])
      let inside = trimmed(text[text.index(after: open)...].dropLast())
      let name = isAddress(outside) ? inside : outside
      return withoutScheme(name.isEmpty ? (name == inside ? outside : inside) : name)
    }
    if text.hasSuffix(">"), let open = text.lastIndex(of: "<") {
      let outside = trimmed(text[..<open])
      let inside = trimmed(text[text.index(after: open)...].dropLast())
      return withoutScheme(outside.isEmpty ? inside : unquoted(outside))
    }
    return withoutScheme(text)
  }

  private static func nameBeforeAngle(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard bytes.last == UInt8(ascii: ">"),
      let open = bytes.lastIndex(of: UInt8(ascii: "<")),
      bytes[open...].contains(UInt8(ascii: "@")), !bytes[open...].contains(UInt8(ascii: "="))
    else { return nil }
    return name(in: SafeText.line(utf8: bytes))
  }

  static func isAddress(_ text: String) -> Bool {
    text.utf8.contains(UInt8(ascii: "@")) && !text.utf8.contains(UInt8(ascii: " "))
  }

  private static func withoutScheme(_ text: String) -> String {
    text.hasPrefix("mailto:") ? String(text.dropFirst(7)) : text
  }

  private static func unquoted(_ text: String) -> String {
    guard text.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return trimmed(text.dropFirst().dropLast())
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text = text.dropFirst() }
    while text.last == " " { text = text.dropLast() }
    return String(text)
  }
}
