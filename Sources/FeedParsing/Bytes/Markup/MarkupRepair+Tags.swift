// Tags, and which element each of them begins or ends.
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
  private mutating func escapeLessThan(_ cursor: inout MarkupCursor) -> Bool {
    if stack.depth == 0 { return resumeProlog(&cursor) }
    findings.add(.bareLessThan)
    replace(&cursor, to: cursor.position + 1, with: "&lt;".utf8)
    return true
  }

  /// What looked like the root element is none.
  private mutating func resumeProlog(_ cursor: inout MarkupCursor) -> Bool {
    drop(&cursor, to: cursor.position + 1)
    addJunk()
    stage = .prolog
    return true
  }

  private mutating func dropTruncated(_ cursor: inout MarkupCursor) -> Bool {
    findings.add(.truncatedTag)
    drop(&cursor, to: cursor.bytes.count)
    return true
  }

  private mutating func readDeclaration(_ cursor: inout MarkupCursor) -> Bool {
    let rest = cursor.rest
    if rest.hasASCII("<!--", at: 0) {
      replace(&cursor, to: cursor.position + 4, with: "<!--".utf8)
      stage = .comment(inProlog: false)
      return true
    }
    if rest.hasASCII("<![CDATA[", at: 0) {
      if !rest.starts(with: "<![CDATA[".utf8) {
        replace(&cursor, to: cursor.position + 9, with: "<![CDATA[".utf8)
      } else {
        cursor.position += 9
      }
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
      replace(&cursor, to: end, with: "<!--".utf8)
      stage = .instruction(
        inProlog: false,
        end: isDeclaration ? .greaterThan : .questionMark,
      )
      return true
    default: return escapeLessThan(&cursor)
    }
  }

  @inline(__always)
  mutating func readStartTag(_ cursor: inout MarkupCursor) throws(FeedParsingError) -> Bool {
    let nameStart = cursor.position &+ 1
    guard case .end(let nameEnd) = XMLNameScan.scan(cursor.bytes, from: nameStart) else {
      return readUnendedName(&cursor)
    }
    guard nameEnd > nameStart, Self.isTag(cursor.bytes, nameStart: nameStart, nameEnd: nameEnd)
    else { return escapeLessThan(&cursor) }
    if tagEnd == nil {
      let reading = StartTag.read(cursor.bytes, from: nameEnd, declared: entities)
      if case .wellFormed(let tag) = reading,
        tag.end &- cursor.position <= TagEndScanner.maximumLength
      {
        try open(cursor.slice(nameStart..<nameEnd), tag, &cursor)
        return true
      }
    }
    return try readUnusualStartTag(&cursor, nameEnd: nameEnd)
  }

  private mutating func readUnendedName(_ cursor: inout MarkupCursor) -> Bool {
    if cursor.isLast { return dropTruncated(&cursor) }
    guard cursor.bytes.count - cursor.position - 1 > XMLNameScan.maximumLength else {
      return false
    }
    return escapeLessThan(&cursor)
  }

  /// Whether what follows a name makes it a tag's: `<joe@example.org>` and `<http://…>` are text.
  @inline(__always)
  private static func isTag(
    _ bytes: UnsafeRawBufferPointer,
    nameStart: Int,
    nameEnd: Int,
  ) -> Bool {
    guard nameEnd &- nameStart <= XMLNameScan.maximumLength else { return false }
    let next = bytes[nameEnd]
    if next == UInt8(ascii: ">") || next.isMarkupSpace { return true }
    return next == UInt8(ascii: "/") && bytes[nameEnd &- 1] != UInt8(ascii: ":")
  }

  private mutating func readUnusualStartTag(
    _ cursor: inout MarkupCursor,
    nameEnd: Int,
  ) throws(FeedParsingError) -> Bool {
    var scanner = tagEnd ?? TagEndScanner()
    let result = scanner.scan(cursor.rest, isLast: cursor.isLast)
    tagEnd = nil
    switch result {
    case .incomplete:
      tagEnd = scanner
      return false
    case .end(let length):
      try readWholeTag(&cursor, nameEnd: nameEnd, end: cursor.position + length)
    case .interrupted(let length) where scanner.hasQuotedValue:
      findings.add(.missingTagEnd)
      try rewriteTag(&cursor, nameEnd: nameEnd, end: cursor.position + length, markLength: 0)
    case .interrupted: return escapeLessThan(&cursor)
    case .truncated: return dropTruncated(&cursor)
    case .tooLong:
      throw .limitExceeded(name: "bytes of a tag", limit: TagEndScanner.maximumLength)
    }
    return true
  }

  private mutating func readWholeTag(
    _ cursor: inout MarkupCursor,
    nameEnd: Int,
    end: Int,
  ) throws(FeedParsingError) {
    let whole = cursor.slice(0..<end)
    switch StartTag.read(whole, from: nameEnd, declared: entities) {
    case .wellFormed(let tag): try open(cursor.slice(cursor.position + 1..<nameEnd), tag, &cursor)
    case .tooManyAttributes:
      throw .limitExceeded(name: "attributes of an element", limit: StartTag.maximumAttributes)
    case .incomplete, .malformed:
      try rewriteTag(&cursor, nameEnd: nameEnd, end: end, markLength: 1)
    }
  }

  private mutating func rewriteTag(
    _ cursor: inout MarkupCursor,
    nameEnd: Int,
    end: Int,
    markLength: Int,
  ) throws(FeedParsingError) {
    let start = cursor.position
    var repair = TagRepair(
      cursor.slice(start..<end - markLength),
      nameEnd: nameEnd - start,
    )
    let findingsBefore = findings.total
    let isEmpty = try repair.run { value, output throws(FeedParsingError) in
      try writeValue(value, into: &output)
    }
    if repair.isMalformed || findings.total == findingsBefore { findings.add(.attributeSyntax) }
    let isEmptied = try begin(cursor.slice(start + 1..<nameEnd), isEmpty: isEmpty, &cursor)
    var tag = repair.output
    if isEmptied { tag.replaceSubrange((tag.count - 1)..., with: "/>".utf8) }
    replace(&cursor, to: end, with: tag)
    leaveRootIfClosed()
  }

  /// Lets a well-formed start tag pass.
  @inline(__always)
  private mutating func open(
    _ name: UnsafeRawBufferPointer,
    _ tag: StartTag,
    _ cursor: inout MarkupCursor,
  ) throws(FeedParsingError) {
    let isEmptied = try begin(name, isEmpty: tag.isEmpty, &cursor)
    cursor.position = isEmptied ? tag.end &- 1 : tag.end
    if isEmptied { replace(&cursor, to: tag.end, with: "/>".utf8) }
    leaveRootIfClosed()
  }

  /// Takes note of an element that begins, after closing those that end before it.
  ///
  /// - Returns: Whether its tag has to be made that of an empty element.
  @inline(__always)
  private mutating func begin(
    _ name: UnsafeRawBufferPointer,
    isEmpty: Bool,
    _ cursor: inout MarkupCursor,
  ) throws(FeedParsingError) -> Bool {
    let role = ElementRole(name)
    if role != .other { closeElements(before: role, name, &cursor) }
    if isEmpty { return false }
    if role == .void, stack.depth > 0 {
      findings.add(.unclosedElement)
      return true
    }
    guard stack.depth < Self.maximumDepth else {
      throw .limitExceeded(name: "depth of elements", limit: Self.maximumDepth)
    }
    stack.push(name, role: role)
    return false
  }

  private mutating func closeElements(
    before role: ElementRole,
    _ name: UnsafeRawBufferPointer,
    _ cursor: inout MarkupCursor,
  ) {
    // The root stays open whatever it is.
    if stack.depth > 1, stack.topRole.ends(before: role) {
      if role != .paragraph || stack.isTop(name) { close(1, &cursor) }
    }
    guard role == .story, stack.hasOpenStory, let height = stack.heightOfStory,
      height < stack.depth
    else { return }
    // A story inside another of the same name: the first was not closed.
    if stack.storyName.elementsEqual(name) { close(height, &cursor) }
  }

  /// Writes the end tags of the innermost elements.
  private mutating func close(_ count: Int, _ cursor: inout MarkupCursor) {
    drop(&cursor, to: cursor.position)
    for _ in 0..<count {
      findings.add(.unclosedElement)
      writeEndTag()
      stack.pop()
    }
  }

  private mutating func writeEndTag() {
    writer.append("</".utf8)
    writer.append(stack.top)
    writer.append(UInt8(ascii: ">"))
  }

  private mutating func leaveRootIfClosed() {
    if stack.depth == 0 { stage = .epilog }
  }

  @inline(__always)
  private mutating func readEndTag(_ cursor: inout MarkupCursor) throws(FeedParsingError) -> Bool {
    let nameStart = cursor.position &+ 2
    guard case .end(let nameEnd) = XMLNameScan.scan(cursor.bytes, from: nameStart),
      cursor.bytes[nameEnd] == UInt8(ascii: ">"),
      stack.isTop(cursor.slice(nameStart..<nameEnd))
    else { return readUnusualEndTag(&cursor, nameStart: nameStart) }
    stack.pop()
    cursor.position = nameEnd &+ 1
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
}
