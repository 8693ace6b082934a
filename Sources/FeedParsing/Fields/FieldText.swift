import FeedModel
import System

/// From collected bytes to the text that people read.
enum FieldText {
  /// Longer fields are cut as a summary is: nobody reads a longer title.
  private static let maximumLineBytes = 4096

  static func line(_ field: FieldDraft, in buffer: TextBuffer, scratch: TextBuffer) -> String {
    guard field.span.count <= maximumLineBytes else {
      return summary(field, in: buffer, scratch: scratch)
    }
    let bytes = buffer.bytes(field.span)
    switch field.mode {
    case .html:
      return QuickText.text(bytes, isSummary: false, scratch: scratch) ?? PlainText.fromHTML(bytes)
    case .plain: return PlainText.fromText(bytes)
    case .base64HTML: return decoded(bytes) { PlainText.fromHTML($0) }
    case .base64Plain: return decoded(bytes) { PlainText.fromText($0) }
    }
  }

  /// Appends one line of text.
  ///
  /// PERF: no string is made of what nearly all feeds have.
  static func appendLine(
    _ field: FieldDraft,
    in buffer: TextBuffer,
    to output: TextBuffer,
    scratch: TextBuffer,
  ) {
    let bytes = buffer.bytes(field.span)
    let isShort = bytes.count <= maximumLineBytes
    if isShort, field.mode == .html, QuickText.append(bytes, isSummary: false, to: output) {
      return
    }
    if isShort, field.mode == .plain, let line = SafeText.cleanLine(utf8: bytes) {
      return output.append(line)
    }
    output.append(line(field, in: buffer, scratch: scratch))
  }

  /// Appends at most 1,000 characters of text.
  static func appendSummary(
    _ field: FieldDraft,
    in buffer: TextBuffer,
    to output: TextBuffer,
    scratch: TextBuffer,
  ) {
    let bytes = buffer.bytes(field.span)
    if field.mode == .html, QuickText.append(bytes, isSummary: true, to: output) { return }
    output.append(summary(field, in: buffer, scratch: scratch))
  }

  static func summary(
    _ field: FieldDraft,
    in buffer: TextBuffer,
    scratch: TextBuffer,
  ) -> String {
    let bytes = buffer.bytes(field.span)
    switch field.mode {
    case .html:
      return QuickText.text(bytes, isSummary: true, scratch: scratch)
        ?? PlainText.summary(fromHTML: bytes)
    case .plain: return PlainText.summary(fromText: bytes)
    case .base64HTML: return decoded(bytes) { PlainText.summary(fromHTML: $0) }
    case .base64Plain: return decoded(bytes) { PlainText.summary(fromText: $0) }
    }
  }

  private static func decoded(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>) -> String,
  ) -> String {
    guard let data = Base64.decode(bytes) else { return body(bytes) }
    return data.withUnsafeBufferPointer(body)
  }
}

/// A language as feeds name it (BCP 47).
enum LanguageTag {
  /// The tag as published, in small letters where its language is in capitals (`IT-it`).
  static func repaired(_ tag: String) -> String {
    let language = tag.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
    let isMiscased = language.contains { $0.asciiLowercased != $0 }
    return isMiscased && 2...3 ~= language.count ? tag.lowercased() : tag
  }
}
