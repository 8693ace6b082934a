/// What a document says of its own encoding.
enum DeclaredEncoding {
  /// The label in the XML declaration, which may come after junk, else in an HTML page's `meta`.
  static func label(in window: UnsafeRawBufferPointer) -> String? {
    // Bytes above ASCII become U+FFFD here: positions change, but a label and its name do not.
    let text = window.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }
    return xmlLabel(text[...]) ?? htmlLabel(text[...])
  }

  private static func xmlLabel(_ text: ArraySlice<UInt8>) -> String? {
    guard let start = end(of: "<?xml", in: text), let next = text[start...].first,
      isWhite(next)
    else { return nil }
    let rest = text[start...]
    let declaration = rest.prefix { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
    return end(of: "encoding", in: declaration).flatMap { value(in: declaration[$0...]) }
  }

  private static func htmlLabel(_ text: ArraySlice<UInt8>) -> String? {
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
  private static func value(in text: ArraySlice<UInt8>) -> String? {
    let rest = text.drop(while: isWhite)
    guard rest.first == UInt8(ascii: "=") else { return nil }
    let open = rest.dropFirst().drop(while: isWhite)
    let label = open.drop { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
      .prefix { !isWhite($0) && !UnsafeBytes.labelEnds.contains($0) }
    return label.isEmpty ? nil : String(decoding: label, as: UTF8.self)
  }

  private enum UnsafeBytes {
    static let labelEnds = Array("\"'?;/".utf8)
  }

  /// The index after the first occurrence of a word in lower case, whatever the case of the text.
  private static func end(of word: StaticString, in text: ArraySlice<UInt8>) -> Int? {
    let count = word.utf8CodeUnitCount
    return word.withUTF8Buffer { word in
      var index = text.startIndex
      while index + count <= text.endIndex {
        let candidate = text[index..<index + count]
        if zip(candidate, word).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 && $1 >= 0x61 }) {
          return index + count
        }
        index += 1
      }
      return nil
    }
  }

  private static func isWhite(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
