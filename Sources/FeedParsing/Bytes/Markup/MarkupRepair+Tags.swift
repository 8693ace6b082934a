// What stands at a `<`.
extension MarkupRepair {
  /// Reads what stands at a `<`; false when its end is not there.
  mutating func readTag(_ cursor: inout MarkupCursor) throws(FeedParsingError) -> Bool {
    guard cursor.position + 1 < cursor.bytes.count else {
      return cursor.isLast ? dropTruncated(&cursor) : false
    }
    switch cursor.bytes[cursor.position + 1] {
    case UInt8(ascii: "/"): return try readEndTag(&cursor)
    case UInt8(ascii: "!"): return readDeclaration(&cursor)
    case UInt8(ascii: "?"): return readInstructionStart(&cursor)
    default: return try readStartTag(&cursor)
    }
  }

  /// The `<` is text.
  mutating func escapeLessThan(_ cursor: inout MarkupCursor) -> Bool {
    if stack.depth == 0 { return resumeProlog(&cursor) }
    findings.add(.bareLessThan)
    let end = cursor.position + 1
    replaceText(&cursor, to: end, with: cursor.slice(cursor.position..<end))
    return true
  }

  /// What looked like the root element is none.
  private mutating func resumeProlog(_ cursor: inout MarkupCursor) -> Bool {
    drop(&cursor, to: cursor.position + 1)
    addJunk()
    stage = .prolog
    return true
  }

  mutating func dropTruncated(_ cursor: inout MarkupCursor) -> Bool {
    findings.add(.truncatedTag)
    drop(&cursor, to: cursor.bytes.count)
    return true
  }

  private mutating func readDeclaration(_ cursor: inout MarkupCursor) -> Bool {
    let rest = cursor.rest
    if rest.hasASCII("<!--", at: 0) {
      replace(&cursor, to: cursor.position + 4, with: "<!--")
      stage = .comment(inProlog: false)
      return true
    }
    if rest.hasASCII("<![CDATA[", at: 0) {
      drop(&cursor, to: cursor.position + 9)
      stage = .cdata
      return true
    }
    let isBeginning =
      Self.isBeginning(rest, of: "<!--") || Self.isBeginning(rest, of: "<![CDATA[")
    guard isBeginning else { return escapeLessThan(&cursor) }
    return cursor.isLast ? dropTruncated(&cursor) : false
  }

  private static func isBeginning(
    _ bytes: UnsafeRawBufferPointer,
    of word: StaticString,
  ) -> Bool {
    guard bytes.count < word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { word in
      zip(bytes, word).allSatisfy { $0 == $1 || $0 == $1 | 0x20 }
    }
  }

  private mutating func readInstructionStart(_ cursor: inout MarkupCursor) -> Bool {
    let nameStart = cursor.position + 2
    switch XMLNameScan.scan(cursor.bytes, from: nameStart) {
    case .incomplete where cursor.isLast: return dropTruncated(&cursor)
    case .incomplete where cursor.bytes.count - nameStart <= XMLNameScan.maximumLength: return false
    case .end(let end) where end > nameStart && end - nameStart <= XMLNameScan.maximumLength:
      let isDeclaration = end == nameStart + 3 && cursor.bytes.hasASCII("xml", at: nameStart)
      if isDeclaration { findings.add(.secondDeclaration) }
      replace(&cursor, to: end, with: "<!--")
      stage = .instruction(
        inProlog: false,
        end: isDeclaration ? .greaterThan : .questionMark,
      )
      return true
    default: return escapeLessThan(&cursor)
    }
  }
}
