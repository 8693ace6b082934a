// Start tags, and which elements end before the one that begins.
extension MarkupRepair {
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
        try open(nameStart..<nameEnd, tag, &cursor)
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
    case .wellFormed(let tag): try open(cursor.position + 1..<nameEnd, tag, &cursor)
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
    let isEmptied = try begin(start + 1..<nameEnd, isEmpty: isEmpty, &cursor)
    var tag = repair.output
    if isEmptied { tag.replaceSubrange((tag.count - 1)..., with: "/>".utf8) }
    drop(&cursor, to: end)
    writer.append(tag)
    leaveRootIfClosed()
  }

  /// Lets a well-formed start tag pass.
  @inline(__always)
  private mutating func open(
    _ name: Range<Int>,
    _ tag: StartTag,
    _ cursor: inout MarkupCursor,
  ) throws(FeedParsingError) {
    let isEmptied = try begin(name, isEmpty: tag.isEmpty, &cursor)
    cursor.position = isEmptied ? tag.end &- 1 : tag.end
    if isEmptied { replace(&cursor, to: tag.end, with: "/>") }
    leaveRootIfClosed()
  }

  /// Takes note of an element that begins, after closing those that end before it.
  ///
  /// - Returns: Whether its tag has to be made that of an empty element.
  @inline(__always)
  private mutating func begin(
    _ name: Range<Int>,
    isEmpty: Bool,
    _ cursor: inout MarkupCursor,
  ) throws(FeedParsingError) -> Bool {
    let role = ElementRole(cursor.slice(name))
    if role != .other { closeElements(before: role, cursor.slice(name), &cursor) }
    if isEmpty { return false }
    if role == .void, stack.depth > 0 {
      findings.add(.unclosedElement)
      return true
    }
    guard stack.depth < Self.maximumDepth else {
      throw .limitExceeded(name: "depth of elements", limit: Self.maximumDepth)
    }
    stack.push(cursor.bytes, name, role: role)
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
}
