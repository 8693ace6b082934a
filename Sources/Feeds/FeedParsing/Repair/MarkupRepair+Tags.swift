import System

extension MarkupRepair {
  mutating func readTag() throws(FeedParsingError) {
    switch position + 1 < bytes.count ? bytes[position + 1] : 0 {
    case UInt8(ascii: "/"): readEndTag()
    case UInt8(ascii: "!"): readDeclaration()
    case UInt8(ascii: "?"): readInstruction()
    default: try readStartTag()
    }
  }

  private mutating func escapeLessThan() {
    guard position + 1 < bytes.count else { return dropTruncated() }
    if stack.depth == 0 { return resumeProlog() }
    findings.add(.bareLessThan)
    replace(to: position + 1, with: "&lt;")
  }

  private mutating func dropTruncated() {
    findings.add(.truncatedTag)
    drop(to: bytes.count)
  }

  private mutating func readDeclaration() {
    if bytes.hasASCII("<!--", at: position) {
      drop(to: position + 4)
      readComment(through: "-->")
    } else if bytes.hasASCII("<![CDATA[", at: position) {
      readCDATA()
    } else if Self.isBeginning(rest, of: "<!--") || Self.isBeginning(rest, of: "<![CDATA[") {
      dropTruncated()
    } else {
      escapeLessThan()
    }
  }

  private static func isBeginning(_ bytes: UnsafeRawBufferPointer, of word: StaticString) -> Bool {
    guard bytes.count < word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { word in
      zip(bytes, word).allSatisfy { $0 == $1 || $0 == $1 | 0x20 }
    }
  }

  private mutating func readComment(through mark: StaticString) {
    let start = output.count
    guard swallow(through: mark) else { return }
    output.insert(contentsOf: "<!--".utf8, at: start)
    output.append(contentsOf: "-->".utf8)
  }

  private mutating func readInstruction() {
    let nameStart = position + 2
    let nameEnd = XMLNameScan.end(bytes, from: nameStart)
    guard nameEnd < bytes.count else { return dropTruncated() }
    guard nameEnd > nameStart, nameEnd - nameStart <= XMLNameScan.maximumLength else {
      return escapeLessThan()
    }
    let isDeclaration = nameEnd == nameStart + 3 && bytes.hasASCII("xml", at: nameStart)
    if isDeclaration { findings.add(.secondDeclaration) }
    drop(to: nameEnd)
    readComment(through: isDeclaration ? ">" : "?>")
  }

  private static let maximumAttributes = 250

  private mutating func readStartTag() throws(FeedParsingError) {
    let name = position + 1..<XMLNameScan.end(bytes, from: position + 1)
    guard name.upperBound < bytes.count else { return dropTruncated() }
    guard !name.isEmpty, isTag(name) else { return escapeLessThan() }
    // Nine in ten tags of a feed have no attributes.
    if bytes[name.upperBound] == UInt8(ascii: ">") {
      let isEmptied = try begin(name, isEmpty: false)
      position = name.upperBound
      if isEmptied { replace(to: position + 1, with: "/>") } else { position += 1 }
      return leaveRootIfClosed()
    }
    var scanner = TagEndScanner()
    switch scanner.scan(rest) {
    case .end(let length): try rewriteTag(name, end: position + length, markLength: 1)
    case .interrupted(let length) where scanner.hasQuotedValue:
      findings.add(.missingTagEnd)
      try rewriteTag(name, end: position + length, markLength: 0)
    case .interrupted: escapeLessThan()
    case .truncated: dropTruncated()
    case .tooLong:
      throw .limitExceeded(name: "bytes of a tag", limit: TagEndScanner.maximumLength)
    }
  }

  /// Returns true if the name is a tag's, by what follows it: `<joe@example.org>` and `<http://…>`
  /// are text.
  private func isTag(_ name: Range<Int>) -> Bool {
    guard name.count <= XMLNameScan.maximumLength else { return false }
    let next = bytes[name.upperBound]
    if next == UInt8(ascii: ">") || next.isXMLWhitespace { return true }
    return next == UInt8(ascii: "/") && bytes[name.upperBound - 1] != UInt8(ascii: ":")
  }

  /// Writes a tag anew with quoted attributes, without those with invalid names and the second of a
  /// name.
  private mutating func rewriteTag(
    _ name: Range<Int>,
    end: Int,
    markLength: Int,
  ) throws(FeedParsingError) {
    let start = position
    let tag = slice(start..<end - markLength)
    var reader = AttributeReader(tag, nameEnd: name.upperBound - start)
    var attributes: [AttributeReader.Attribute] = []
    while let attribute = reader.next() {
      if !XMLNameScan.isName(UnsafeRawBufferPointer(rebasing: tag[attribute.name]))
        || attributes.contains(where: { tag.isSame($0.name, attribute.name) })
      {
        reader.isMalformed = true
      } else {
        attributes.append(attribute)
      }
      if reader.isMalformed { guesses += 1 }
      guard attributes.count <= Self.maximumAttributes else {
        throw .limitExceeded(name: "attributes of an element", limit: Self.maximumAttributes)
      }
    }
    let isEmpty = tag.last == UInt8(ascii: "/") && !reader.endsInValue
    let isEmptied = try begin(name, isEmpty: isEmpty)
    position = name.upperBound
    dropKeepingLines(to: end)
    for attribute in attributes {
      output.append(UInt8(ascii: " "))
      output.append(contentsOf: tag[attribute.name])
      output.append(contentsOf: "=\"".utf8)
      let value = start + attribute.value.lowerBound..<start + attribute.value.upperBound
      if !attribute.value.isEmpty { writeValue(value) }
      output.append(UInt8(ascii: "\""))
    }
    if reader.isMalformed { findings.add(.attributeSyntax) }
    output.append(contentsOf: isEmpty || isEmptied ? "/>".utf8 : ">".utf8)
    leaveRootIfClosed()
  }

  private mutating func begin(_ name: Range<Int>, isEmpty: Bool) throws(FeedParsingError) -> Bool {
    let role = ElementRole(slice(name))
    if role != .other { closeElements(before: role, name) }
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

  private mutating func closeElements(before role: ElementRole, _ name: Range<Int>) {
    // The root stays open, whatever element it is.
    if stack.depth > 1, stack.topRole.ends(before: role) {
      if role != .paragraph || stack.isTop(name) { close(1, unclosed: 1) }
    }
    guard role == .story else { return }
    if let height = stack.heightOfForeign {
      if isClosedLater(stack.name(at: height)) { return }
      close(height, unclosed: height)
    }
    guard let height = stack.heightOfStory, height < stack.depth else { return }
    // A story inside another of the same name means that the first was not closed.
    if stack.isSame(name, asAt: height) { close(height, unclosed: height) }
  }

  /// Returns true if the end tag of an open element comes before another start tag of its name.
  private mutating func isClosedLater(_ name: Range<Int>) -> Bool {
    var next = position
    while lookaheads > 0, let tag = ByteScan.first(UInt8(ascii: "<"), in: bytes, from: next) {
      lookaheads -= 1
      let isEnd = tag + 1 < bytes.count && bytes[tag + 1] == UInt8(ascii: "/")
      next = tag + (isEnd ? 2 : 1)
      let end = next + name.count
      if end < bytes.count, bytes.isSame(next..<end, name), !XMLNameScan.isASCIINameByte(bytes[end])
      {
        return isEnd
      }
    }
    return false
  }

  private static let maximumEndTagLength = 4096

  private mutating func readEndTag() {
    let nameStart = position + 2
    let nameEnd = XMLNameScan.end(bytes, from: nameStart)
    if nameEnd < bytes.count {
      guard nameEnd > nameStart, nameEnd - nameStart <= XMLNameScan.maximumLength else {
        return escapeLessThan()
      }
    }
    let name = nameStart..<nameEnd
    let limit = min(bytes.count, nameStart + Self.maximumEndTagLength)
    let mark = bytes[min(nameEnd, limit)..<limit].firstIndex {
      $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<")
    }
    if let mark { return readMarkedEndTag(name, mark: mark) }
    if limit < bytes.count { return escapeLessThan() }
    // At the document's end the `>` is missing, and the name may be cut off, too.
    guard !name.isEmpty, nameEnd < bytes.count || stack.isTop(name) else { return dropTruncated() }
    findings.add(.missingTagEnd)
    end(name, tagEnd: bytes.count)
  }

  private mutating func readMarkedEndTag(_ name: Range<Int>, mark: Int) {
    let isMissing = bytes[mark] == UInt8(ascii: "<")
    let hasMore = bytes[name.upperBound..<mark].contains { !$0.isXMLWhitespace }
    if isMissing { findings.add(.missingTagEnd) }
    if hasMore { findings.add(.attributeSyntax) }
    guard isMissing || hasMore || !stack.isTop(name) else {
      stack.pop()
      position = mark + 1
      return leaveRootIfClosed()
    }
    end(name, tagEnd: isMissing ? mark : mark + 1)
  }

  /// The number of unmatched end tags after which no more guesses are made.
  private static let maximumThoroughMatches = 10_000

  private mutating func end(_ name: Range<Int>, tagEnd: Int) {
    drop(to: tagEnd)
    mismatches += 1
    let isThorough = mismatches < Self.maximumThoroughMatches
    let count = stack.elements(closedBy: name, isThorough: isThorough)
    if count == 0, ElementRole(slice(name)) != .void { findings.add(.strayEndTag) }
    if count == 1, !stack.isTop(name) { findings.add(.misspeltEndTag) }
    close(count, unclosed: count - 1)
    leaveRootIfClosed()
  }

  private mutating func close(_ count: Int, unclosed: Int) {
    drop(to: position)
    for number in 0..<count {
      if number < unclosed { findings.add(.unclosedElement) }
      output.append(contentsOf: "</".utf8)
      output.append(contentsOf: stack.top)
      output.append(UInt8(ascii: ">"))
      stack.pop()
    }
  }

  private mutating func leaveRootIfClosed() {
    if stack.depth == 0 { stage = .epilog }
  }
}
