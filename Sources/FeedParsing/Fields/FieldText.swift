import System

/// From collected bytes to the text that people read.
enum FieldText {
  /// Longer fields are cut as a summary is: nobody reads a longer title.
  static let maximumLineBytes = 4096

  static func append(
    _ field: FieldDraft,
    for purpose: PlainText.Purpose,
    in buffer: TextBuffer,
    to output: TextBuffer,
  ) {
    let bytes = buffer.bytes(field.span)
    let purpose = bytes.count > maximumLineBytes ? .summary : purpose
    switch field.mode {
    case .html: PlainText.append(html: bytes, for: purpose, to: output)
    case .plain: PlainText.append(text: bytes, for: purpose, to: output)
    case .base64HTML: decode(bytes) { PlainText.append(html: $0, for: purpose, to: output) }
    case .base64Plain: decode(bytes) { PlainText.append(text: $0, for: purpose, to: output) }
    }
  }

  static func line(_ field: FieldDraft, in buffer: TextBuffer) -> String {
    let output = TextBuffer(capacity: field.span.count + 32)
    append(field, for: .title, in: buffer, to: output)
    return output.string
  }

  /// What is not base64 is taken as it stands; a picture has no text.
  private static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void,
  ) {
    guard let data = Base64.decode(bytes) else { return body(bytes) }
    if String(validating: data, as: UTF8.self) != nil {
      data.withUnsafeBufferPointer(body)
    } else if bytes.contains(UInt8(ascii: " ")) {
      // Words, too, are nothing but letters and white space.
      body(bytes)
    }
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
