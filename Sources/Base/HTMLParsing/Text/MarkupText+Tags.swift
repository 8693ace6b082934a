import System

// MARK: - Tags

extension MarkupText {
  mutating func readStartTag(from start: Int) {
    let tag = HTMLTag.of(input[tokenizer.name])
    let isCutByTag = input[tokenizer.name.upperBound...].first == UInt8(ascii: "<")
    guard !isCutByTag, tag == .unknown ? isUnknownMarkup() : isMarkup(tag) else {
      return appendLiteral(start)
    }
    startTags += 1
    if !isBare { hasAttributes = true }
    if tag == .img, alternativeText == nil, isBlank() { takeAlternativeText() }
    if tag.separatesWords { output.endWord(behind: raised.last?.start ?? 0) }
    switch tag {
    case .sup, .sub: if raised.count < Self.mostRaised { raised.append((output.count, isNote)) }
    case .a:
      isNote = tokenizer.value(of: "href")?.first == UInt8(ascii: "#")
      if isNote, !raised.isEmpty { raised[raised.count - 1].isNote = true }
    case .math: hasFormula = findsFormulas
    case .script:
      hasFormula = findsFormulas && tokenizer.value(of: "type")?.starts(with: "math/".utf8) == true
    default: break
    }
    if tag.isStripped, !tokenizer.isSelfClosing { skipContent(of: tag) }
  }

  mutating func readEndTag(from start: Int) {
    let name = input[tokenizer.name]
    let tag = HTMLTag.of(name)
    let isOther = name.contains(0x3A) || name.contains(0x2D)
    // A title may speak of a tag, with more text after it.
    let isMention =
      startTags == 0 && !input[tokenizer.position...].allSatisfy(\.isASCIISpace)
    guard tag != .unknown || openUnknown > 0 || isOther, !isMention else {
      return appendLiteral(start)
    }
    if tag == .unknown, !isOther { openUnknown -= 1 }
    if tag.separatesWords { output.endWord(behind: raised.last?.start ?? 0) }
    hasEndTag = true
    if tag == .sup || tag == .sub { endRaised(tag == .sup ? .raised : .lowered) }
    if tag == .a { isNote = false }
  }

  private var isBare: Bool { tokenizer.attributes.isEmpty && !tokenizer.isSelfClosing }

  private var hasValues: Bool { tokenizer.attributes.contains { $0.value.lowerBound > 0 } }

  private var hasQuotedValue: Bool {
    tokenizer.attributes.contains { attribute in
      guard attribute.value.lowerBound > 0 else { return false }
      let before = input[attribute.value.lowerBound - 1]
      return before == UInt8(ascii: "\"") || before == UInt8(ascii: "'")
    }
  }

  /// Tells markup from text that only looks like it: only what is surely markup counts, with
  /// values, without need of an end, or with an end tag.
  private mutating func isMarkup(_ tag: HTMLTag) -> Bool {
    if tokenizer.isUnended { return hasQuotedValue }
    let beginsWithValue = tokenizer.attributes.first.map { $0.value.lowerBound > 0 } ?? false
    if hasQuotedValue || beginsWithValue || tokenizer.isSelfClosing { return true }
    return isBare && tag.isOftenOpen || !isLone()
  }

  /// Tells markup of elements that HTML does not have from text.
  ///
  /// Markup has a prefix (`o:p`), attributes (`amp-img`), or an end tag; `List<String>`,
  /// `<std::string>` and `<NYSE: X>` are text.
  private mutating func isUnknownMarkup() -> Bool {
    guard !tokenizer.isUnended else { return false }
    let name = input[tokenizer.name]
    guard name.allSatisfy(\.isNamePart) else { return false }
    let parts = name.split(separator: 0x3A, omittingEmptySubsequences: false)
    if parts.count == 2, !parts.contains(where: \.isEmpty), hasValues || tokenizer.isSelfClosing {
      return true
    }
    if name.contains(0x2D), hasValues { return true }
    guard !tokenizer.isSelfClosing, lookaheadsLeft > 0, !isLone() else { return false }
    openUnknown += 1
    return true
  }

  private mutating func isLone() -> Bool {
    guard lookaheadsLeft > 0 else { return false }
    lookaheadsLeft -= 1
    return tokenizer.isLone
  }

  private mutating func takeAlternativeText() {
    guard let alt = tokenizer.value(of: "alt"), !alt.allSatisfy(\.isASCIISpace) else { return }
    alternativeText = Array(HTMLReference.decoded(UnsafeRawBufferPointer(rebasing: alt)).utf8)
  }

  private mutating func endRaised(_ place: RaisedText.Place) {
    guard let (start, isNote) = raised.popLast() else { return }
    let text = SafeText.line(String(decoding: output[start...], as: UTF8.self))
    guard !text.isEmpty else { return }
    let base = String(decoding: output[..<start].suffix(16), as: UTF8.self)
    let line =
      isNote && place == .raised
      ? RaisedText.note(text) : RaisedText(text, place, behind: base).line(text)
    guard line != text else { return }
    output.replaceSubrange(start..., with: line.utf8)
  }

  private mutating func skipContent(of tag: HTMLTag) {
    let start = tokenizer.position
    let end =
      unended.contains(tag)
      ? nil : tokenizer.endTag(of: tag.rawValue.utf8, in: start..<input.count)
    if let end {
      if !input[start..<end].allSatisfy(\.isASCIISpace) { hasDroppedContent = true }
      tokenizer.position = end
      _ = tokenizer.next()
    } else {
      unended.insert(tag)
      // Only scripts and styles reach to the end of the document without an end tag.
      guard tag == .script || tag == .style else { return }
      hasDroppedContent = start < input.count
      tokenizer.position = input.count
    }
  }
}

extension UInt8 {
  var isNamePart: Bool {
    isASCIILetterOrDigit || self == 0x2D || self == 0x3A || self == 0x5F
  }
}
