import System

extension MarkupReader {
  /// Reads what begins with `<`: markup as HTML §13.2.5.6 has it, or just that character.
  mutating func readMarkup() {
    switch byte(at: index + 1) {
    case let next where next.isASCIILetter: readStartTag()
    case 0x2F where byte(at: index + 2).isASCIILetter: readEndTag()
    case 0x21: readDeclaration()
    case 0x3F where byte(at: index + 2).isASCIILetter: skipThroughTagEnd(from: index + 2)
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
    index = tag.end
    if tag.kind == .dropped, !tag.isSelfClosing { skipContent(of: name) }
  }

  private mutating func readEndTag() {
    let name = self.name(at: index + 2)
    let kind = HTMLElement.kind(of: name)
    let isOther = name.contains(0x3A) || name.contains(0x2D)
    guard kind != nil || openUnknown > 0 || isOther else { return appendLiteral() }
    if kind == nil, !isOther { openUnknown -= 1 }
    if kind?.separatesWords == true { output.append(Self.space) }
    hasEndTag = true
    skipThroughTagEnd(from: index + 2)
  }

  private mutating func readDeclaration() {
    let rest = input[(index + 2)...]
    if rest.starts(with: "--".utf8) {
      skipComment()
    } else if rest.starts(with: "[CDATA[".utf8) {
      readCDATA()
    } else if byte(at: index + 2).isASCIILetter || byte(at: index + 2) == 0x5B {
      skipThroughTagEnd(from: index + 2)
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

  private mutating func skipComment() {
    // `<!-->` and `<!--->` are whole comments (HTML §13.2.5.43).
    let start = index + 2
    index = first("-->", from: start).map { $0 + 3 } ?? input.count
    if byte(at: start + 2) == Self.greaterThan { index = start + 3 }
  }

  private func first(_ mark: StaticString, from start: Int) -> Int? {
    ByteScan.first(mark, in: UnsafeRawBufferPointer(input), from: start)
  }

  /// Skips the content and the end tag of an element that is not for readers of text.
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
