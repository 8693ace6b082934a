// End tags, and which elements they end.
extension MarkupRepair {
  @inline(__always)
  mutating func readEndTag(_ cursor: inout MarkupCursor) throws(FeedParsingError) -> Bool {
    let nameStart = cursor.position &+ 2
    guard let length = stack.lengthOfTop(endingTagAt: nameStart, cursor.bytes) else {
      return readUnusualEndTag(&cursor, nameStart: nameStart)
    }
    stack.pop()
    cursor.position = nameStart &+ length &+ 1
    leaveRootIfClosed()
    return true
  }

  /// Of the name and what stands between it and the `>`.
  private static let maximumEndTagLength = 4096

  private mutating func readUnusualEndTag(
    _ cursor: inout MarkupCursor,
    nameStart: Int,
  ) -> Bool {
    var nameEnd = cursor.bytes.count
    if case .end(let end) = XMLNameScan.scan(cursor.bytes, from: nameStart) {
      guard end > nameStart, end - nameStart <= XMLNameScan.maximumLength else {
        return escapeLessThan(&cursor)
      }
      nameEnd = end
    }
    let limit = min(cursor.bytes.count, nameStart + Self.maximumEndTagLength)
    let mark = cursor.bytes[min(nameEnd, limit)..<limit].firstIndex {
      $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<")
    }
    if let mark {
      readMarkedEndTag(&cursor, nameStart..<nameEnd, mark: mark)
      return true
    }
    if limit < cursor.bytes.count { return escapeLessThan(&cursor) }
    return cursor.isLast ? endTruncated(&cursor, nameStart..<nameEnd) : false
  }

  private mutating func readMarkedEndTag(
    _ cursor: inout MarkupCursor,
    _ name: Range<Int>,
    mark: Int,
  ) {
    let isMissing = cursor.bytes[mark] == UInt8(ascii: "<")
    let hasMore = cursor.bytes[name.upperBound..<mark].contains { !$0.isMarkupSpace }
    if isMissing { findings.add(.missingTagEnd) }
    if hasMore { findings.add(.attributeSyntax) }
    guard isMissing || hasMore || !stack.isTop(cursor.slice(name)) else {
      stack.pop()
      cursor.position = mark + 1
      leaveRootIfClosed()
      return
    }
    end(name, tagEnd: isMissing ? mark : mark + 1, &cursor)
  }

  /// An end tag without its `>` at the document's end, whose name may be cut off, too.
  private mutating func endTruncated(_ cursor: inout MarkupCursor, _ name: Range<Int>) -> Bool {
    let isWhole = name.upperBound < cursor.bytes.count || stack.isTop(cursor.slice(name))
    guard !name.isEmpty, isWhole else { return dropTruncated(&cursor) }
    findings.add(.missingTagEnd)
    end(name, tagEnd: cursor.bytes.count, &cursor)
    return true
  }

  /// A document with more end tags that do not fit gets no guesses for the rest of them.
  private static let maximumThoroughMatches = 10_000

  /// Writes the end tags that one stands for.
  private mutating func end(_ name: Range<Int>, tagEnd: Int, _ cursor: inout MarkupCursor) {
    drop(&cursor, to: tagEnd)
    let name = cursor.slice(name)
    mismatches += 1
    let isThorough = mismatches < Self.maximumThoroughMatches
    switch EndTagMatch(name, in: stack, isThorough: isThorough) {
    case .closes(let count):
      if count == 1, !stack.isTop(name) { findings.add(.misspeltEndTag) }
      for _ in 1..<count { findings.add(.unclosedElement) }
      for _ in 0..<count {
        writeEndTag()
        stack.pop()
      }
    case .misspelt:
      findings.add(.misspeltEndTag)
      writeEndTag()
      stack.pop()
    case .stray:
      if ElementRole(name) != .void { findings.add(.strayEndTag) }
    }
    leaveRootIfClosed()
  }

  /// Writes the end tags of the innermost elements.
  mutating func close(_ count: Int, _ cursor: inout MarkupCursor) {
    drop(&cursor, to: cursor.position)
    for _ in 0..<count {
      findings.add(.unclosedElement)
      writeEndTag()
      stack.pop()
    }
  }

  mutating func writeEndTag() {
    writer.append("</")
    writer.append(stack.top)
    writer.append(UInt8(ascii: ">"))
  }

  mutating func leaveRootIfClosed() {
    if stack.depth == 0 { stage = .epilog }
  }
}
