import System

extension MarkupReader {
  /// Reads what begins with `<`: markup as HTML §13.2.5.6 has it, or just that character.
  mutating func readMarkup() {
    switch byte(at: index + 1) {
    case let next where next.isASCIILetter: readStartTag()
    case 0x2F where byte(at: index + 2).isASCIILetter: readEndTag()
    case 0x21: readDeclaration()
    case 0x3F where byte(at: index + 2).isASCIILetter: skipDeclaration()
    default: appendLiteral()
    }
  }

  private mutating func readStartTag() {
    let name = self.name(at: index + 1)
    guard let tag = tag(named: name), isMarkup(tag) else { return appendLiteral() }
    startTags += 1
    if !tag.isBare { hasAttributes = true }
    if alternativeText == nil, isBlank(), name.elementsEqual("img".utf8, by: { $0 | 0x20 == $1 }) {
      alternativeText = alternativeText(of: tag)
    }
    if tag.kind?.separatesWords == true { output.append(Self.space) }
    if purpose == .summary, Self.isRaised(name) { raised = output.count }
    index = tag.end
    if tag.kind == .stripped, !tag.isSelfClosing { skipContent(of: name) }
  }

  private mutating func readEndTag() {
    let name = self.name(at: index + 2)
    let kind = HTMLElement.kind(of: name)
    let isOther = name.contains(0x3A) || name.contains(0x2D)
    guard kind != nil || openUnknown > 0 || isOther, !isMention(endTag: name) else {
      return appendLiteral()
    }
    if kind == nil, !isOther { openUnknown -= 1 }
    if kind?.separatesWords == true { output.append(Self.space) }
    hasEndTag = true
    if Self.isRaised(name) { endRaised() }
    skipThroughTagEnd(from: index + 2)
  }

  private static func isRaised(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    name.elementsEqual("sup".utf8) { $0 | 0x20 == $1 }
  }

  /// `2<sup>l+1</sup>` is `2^(l+1)`.
  private mutating func endRaised() {
    guard let start = raised else { return }
    raised = nil
    guard RaisedText.isPower(output[start...]) else { return }
    output.insert(contentsOf: "^(".utf8, at: start)
    output.append(UInt8(ascii: ")"))
  }

  private mutating func readDeclaration() {
    let rest = input[(index + 2)...]
    if rest.starts(with: "--".utf8) {
      skipComment()
    } else if rest.starts(with: "[CDATA[".utf8) {
      readCDATA()
    } else if byte(at: index + 2) == 0x5B
      || UnsafeRawBufferPointer(input).hasASCII("<!doctype", at: index)
    {
      skipDeclaration()
    } else {
      appendLiteral()
    }
  }

  /// Reads the content of a CDATA section as HTML: feeds that have one here have wrapped it twice.
  private mutating func readCDATA() {
    let start = index + 9
    let end = first("]]>", from: start) ?? input.count
    index = min(end + 3, input.count)
    guard !isNested else { return append(start..<end) }
    var content = MarkupReader(UnsafeBufferPointer(rebasing: input[start..<end]), purpose: purpose)
    content.isNested = true
    content.read()
    output += content.output
    alternativeText = alternativeText ?? content.alternativeText
    isCut = isCut || content.isCut
  }

  /// Skips what ends like a tag; without that end it is nothing in a title.
  private mutating func skipDeclaration() {
    let end = tagTail(from: index + 2).end
    let isEnded = byte(at: end) == Self.greaterThan
    if purpose == .title, !isEnded { return appendLiteral() }
    index = isEnded ? end + 1 : end
  }

  private mutating func skipComment() {
    // `<!-->` and `<!--->` are whole comments (HTML §13.2.5.43).
    let isEmpty = byte(at: index + 4) == Self.greaterThan
    let end = isEmpty ? index + 2 : lacksCommentEnd ? nil : first("-->", from: index + 2)
    lacksCommentEnd = end == nil
    if let end {
      index = end + 3
    } else if purpose == .title {
      appendLiteral()
    } else {
      index = input.count
    }
  }

  private func first(_ mark: StaticString, from start: Int) -> Int? {
    ByteScan.first(mark, in: UnsafeRawBufferPointer(input), from: start)
  }

  private mutating func skipContent(of name: Slice<UnsafeBufferPointer<UInt8>>) {
    let isKnownUnended = unended.contains { $0.elementsEqual(name) }
    let end = isKnownUnended ? nil : endTag(of: name, in: index..<input.count)
    if let end {
      if !input[index..<end].allSatisfy(\.isASCIISpace) { hasDroppedContent = true }
      index = end
      skipThroughTagEnd(from: end + 2)
    } else {
      if !isKnownUnended { unended.append(name) }
      // Only scripts and styles reach to the end of the document without an end tag.
      let lower = name.map { $0 | 0x20 }
      if lower.elementsEqual("script".utf8) || lower.elementsEqual("style".utf8) {
        hasDroppedContent = index < input.count
        index = input.count
      }
    }
  }

  func name(at start: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
    var end = start
    while end < input.count, input[end].isNamePart { end += 1 }
    return input[start..<end]
  }
}
