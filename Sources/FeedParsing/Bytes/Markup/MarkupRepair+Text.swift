// Text, references and CDATA sections: what goes past libxml2.
extension MarkupRepair {
  /// Shorter texts go through libxml2 as they stand, if nothing in them has to be decoded: most of
  /// them are the white space between tags.
  private static let minimumLength = 24

  /// Reads text and tags until the stage changes or the bytes end.
  mutating func readContent(_ cursor: inout MarkupCursor) throws(FeedParsingError) -> Bool {
    while stage == .content {
      guard try readText(&cursor), try readTag(&cursor) else { return false }
    }
    return true
  }

  /// Reads up to the next `<`; false when it is not there.
  @inline(__always)
  private mutating func readText(_ cursor: inout MarkupCursor) throws(FeedParsingError) -> Bool {
    if !texts.isOpen {
      let end = ByteScan.firstMarkup(cursor.bytes, from: cursor.position)
      if end < cursor.bytes.count, cursor.bytes[end] == UInt8(ascii: "<"),
        end &- cursor.position < Self.minimumLength
      {
        cursor.position = end
        return true
      }
      guard !cursor.isAtEnd else { return false }
      beginText(&cursor)
    }
    return try readLongText(&cursor)
  }

  private mutating func readLongText(
    _ cursor: inout MarkupCursor
  ) throws(FeedParsingError) -> Bool {
    while true {
      cursor.skip(to: texts.append(cursor.bytes, from: cursor.position))
      guard !cursor.isAtEnd else { return false }
      switch cursor.bytes[cursor.position] {
      case UInt8(ascii: "<"):
        closeText()
        return true
      case UInt8(ascii: "&"): guard try readReference(&cursor) else { return false }
      default: guard readBracket(&cursor) else { return false }
      }
    }
  }

  /// What follows is text.
  private mutating func beginText(_ cursor: inout MarkupCursor) {
    drop(&cursor, to: cursor.position)
    texts.begin()
  }

  /// Takes the bytes up to `end` for other text.
  mutating func replaceText(
    _ cursor: inout MarkupCursor,
    to end: Int,
    with text: UnsafeRawBufferPointer,
  ) {
    beginText(&cursor)
    texts.append(decoded: text)
    cursor.skip(to: end)
  }

  /// Writes the mark of the text that has ended, or the text itself when it is short.
  mutating func closeText() {
    guard texts.isOpen else { return }
    let text = texts.open
    if texts.isVerbatim, text.count < Self.minimumLength {
      writer.append(UnsafeRawBufferPointer(text))
      texts.discard()
    } else {
      texts.close(into: writer)
    }
  }

  /// `]]>` in text is forbidden (XML 1.0 §2.4).
  private mutating func readBracket(_ cursor: inout MarkupCursor) -> Bool {
    let rest = cursor.rest.prefix(3)
    if rest.count < 3, !cursor.isLast, "]]>".utf8.starts(with: rest) { return false }
    let isEnd = rest.elementsEqual("]]>".utf8)
    if isEnd { findings.add(.strayCDATAEnd) }
    let end = cursor.position + (isEnd ? 3 : 1)
    replaceText(&cursor, to: end, with: cursor.slice(cursor.position..<end))
    return true
  }

  private mutating func readReference(
    _ cursor: inout MarkupCursor
  ) throws(FeedParsingError) -> Bool {
    let reference = MarkupReference.read(
      cursor.bytes,
      at: cursor.position,
      isLast: cursor.isLast,
      declared: entities,
    )
    if case .incomplete = reference { return false }
    var text: [UInt8] = []
    let length = try decode(reference, into: &text)
    text.withUnsafeBytes { replaceText(&cursor, to: cursor.position + length, with: $0) }
    return true
  }

  mutating func readCDATA(_ cursor: inout MarkupCursor) -> Bool {
    texts.begin()
    while let bracket = ByteScan.first(
      UInt8(ascii: "]"),
      in: cursor.bytes,
      from: cursor.position,
    ) {
      replaceText(&cursor, to: bracket, with: cursor.slice(cursor.position..<bracket))
      let rest = cursor.rest.prefix(3)
      if rest.elementsEqual("]]>".utf8) {
        cursor.skip(to: bracket + 3)
        stage = .content
        return true
      }
      if rest.count < 3, !cursor.isLast, "]]>".utf8.starts(with: rest) { return false }
      replaceText(&cursor, to: bracket + 1, with: cursor.slice(bracket..<bracket + 1))
    }
    let end = cursor.bytes.count
    replaceText(&cursor, to: end, with: cursor.slice(cursor.position..<end))
    return true
  }
}
