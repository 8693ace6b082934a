import System

/// What a document says of its own encoding.
enum DeclaredEncoding {
  /// The label in the XML declaration, which may come after junk, else in an HTML page's `meta`.
  static func label(in window: UnsafeRawBufferPointer) -> String? {
    xmlLabel(window[...]) ?? htmlLabel(window[...])
  }

  private static func xmlLabel(_ text: Slice<UnsafeRawBufferPointer>) -> String? {
    guard let start = end(of: "<?xml", in: text), let next = text[start...].first,
      next.isASCIISpace
    else { return nil }
    let rest = text[start...]
    let declaration = rest.prefix { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
    return end(of: "encoding", in: declaration).flatMap { value(in: declaration[$0...]) }
  }

  private static func htmlLabel(_ text: Slice<UnsafeRawBufferPointer>) -> String? {
    var rest = text
    while let start = end(of: "<meta", in: rest) {
      let tag = text[start...].prefix { $0 != UInt8(ascii: ">") }
      if let label = end(of: "charset", in: tag).flatMap({ value(in: tag[$0...]) }) {
        return label
      }
      rest = text[tag.endIndex...]
    }
    return nil
  }

  /// What stands after `=`, with or without quotes.
  private static func value(in text: Slice<UnsafeRawBufferPointer>) -> String? {
    let rest = text.drop(while: \.isASCIISpace)
    guard rest.first == UInt8(ascii: "=") else { return nil }
    let open = rest.dropFirst().drop(while: \.isASCIISpace)
    let label = open.drop { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
      .prefix { !$0.isASCIISpace && !UnsafeBytes.labelEnds.contains($0) }
    return label.isEmpty
      ? nil : String(decoding: label.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }

  private enum UnsafeBytes {
    static let labelEnds = Array("\"'?;/".utf8)
  }

  /// The index after the first occurrence of a word in lower case, whatever the case of the text.
  private static func end(of word: StaticString, in text: Slice<UnsafeRawBufferPointer>) -> Int? {
    word.withUTF8Buffer { word in
      guard text.count >= word.count else { return nil }
      for index in text.startIndex...text.endIndex - word.count
      where isLetter(text[index], word[0]) {
        let candidate = text[index..<index + word.count]
        if zip(candidate, word).allSatisfy(isLetter) { return index + word.count }
      }
      return nil
    }
  }

  /// Whether a byte is that of a word in lower case, or its capital letter.
  private static func isLetter(_ byte: UInt8, _ letter: UInt8) -> Bool {
    byte == letter || letter >= 0x61 && byte | 0x20 == letter
  }
}
