import System

extension MarkupReader {
  struct OpeningTag {
    var name: Slice<UnsafeBufferPointer<UInt8>>
    var kind: HTMLElement.Kind?
    var attributes: Range<Int>
    /// After the `>`, or the end of the input.
    var end: Int
    var isUnterminated: Bool
    var isSelfClosing: Bool
    var hasValues: Bool
    var hasQuotedValue: Bool
    var beginsWithValue: Bool
    var isBare: Bool
  }

  mutating func tag(named name: Slice<UnsafeBufferPointer<UInt8>>) -> OpeningTag? {
    let next = byte(at: name.endIndex)
    let mayFollow =
      next.isASCIISpace || next == 0x2F || next == Self.greaterThan
      || name.endIndex == input.count
    guard mayFollow else { return nil }
    let tail = tagTail(from: name.endIndex)
    let isTerminated = byte(at: tail.end) == Self.greaterThan
    return OpeningTag(
      name: name,
      kind: HTMLElement.kind(of: name),
      attributes: name.endIndex..<tail.end,
      end: isTerminated ? tail.end + 1 : tail.end,
      isUnterminated: !isTerminated,
      isSelfClosing: tail.last == 0x2F,
      hasValues: tail.hasEquals,
      hasQuotedValue: tail.hasQuote,
      beginsWithValue: tail.beginsWithValue,
      isBare: tail.last == 0,
    )
  }

  /// Whether a start tag is markup rather than text that only looks like it.
  ///
  /// In a title only what is surely markup: with values, without need of an end, or with an end tag.
  mutating func isMarkup(_ tag: OpeningTag) -> Bool {
    guard let kind = tag.kind else { return isUnknownMarkup(tag) }
    if purpose == .title {
      if tag.isUnterminated { return tag.hasQuotedValue }
      if tag.hasQuotedValue || tag.beginsWithValue || tag.isSelfClosing { return true }
      return (tag.isBare && !kind.needsEndTag) || !isLone(tag.name, from: tag.end)
    }
    if tag.isUnterminated { return tag.hasValues || tag.isBare }
    // `if a<b and c>d`: no tag of one letter has attributes without values.
    if tag.name.count == 1, !tag.isBare, !tag.hasValues, !tag.isSelfClosing { return false }
    guard tag.isBare, kind.needsEndTag, !isBlank(), isTypeName(tag.name) else { return true }
    return !isLone(tag.name, from: tag.end)
  }

  /// Whether a tag of an element that HTML does not have is used as markup all the same.
  ///
  /// It is with a prefix (`o:p`), with attributes (`amp-img`), or with an end tag; `List<String>`,
  /// `<std::string>` and `<NYSE: X>` are text.
  private mutating func isUnknownMarkup(_ tag: OpeningTag) -> Bool {
    guard !tag.isUnterminated else { return false }
    let parts = tag.name.split(separator: 0x3A, omittingEmptySubsequences: false)
    if parts.count == 2, !parts.contains(where: \.isEmpty),
      purpose == .summary || tag.hasValues || tag.isSelfClosing
    {
      return true
    }
    if tag.name.contains(0x2D), tag.hasValues { return true }
    guard !tag.isSelfClosing, lookaheadsLeft > 0, !isLone(tag.name, from: tag.end) else {
      return false
    }
    openUnknown += 1
    return true
  }

  /// Whether an end tag that no tag began is spoken of: in a title, with more text after it.
  mutating func isMention(endTag name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard purpose == .title, startTags == 0 else { return false }
    return !input[min(tagTail(from: name.endIndex).end + 1, input.count)...]
      .allSatisfy(\.isASCIISpace)
  }

  /// `List<Button>`: a capitalised word right after another.
  private func isTypeName(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard index > 0, byte(at: index - 1).isNamePart, let first = name.first else { return false }
    let isAllCapitals = name.count > 1 && name.allSatisfy { $0 & 0x20 == 0 || $0.isASCIIDigit }
    return first & 0x20 == 0 && !isAllCapitals
  }

  private mutating func isLone(_ name: Slice<UnsafeBufferPointer<UInt8>>, from start: Int) -> Bool {
    guard lookaheadsLeft > 0 else { return false }
    lookaheadsLeft -= 1
    let range = start..<min(input.count, start + 4096)
    return endTag(of: name, in: range) == nil
  }

  struct TagTail {
    var end: Int
    var hasEquals = false
    var hasQuote = false
    /// Whether the first `=` is that of the first attribute: `<a b=c>`, not `a<b and c=d>`.
    var beginsWithValue = false
    /// The last byte that is not white space; 0 if there is none.
    var last: UInt8 = 0
  }

  /// Finds where a tag ends: at its `>`, or, if it has none, before the next `<` or with the input.
  ///
  /// Neither counts in a quoted value. HTML would take a `<` for a part of the tag, but then the
  /// search could go to the end of the input for every tag that turns out to be none.
  mutating func tagTail(from start: Int) -> TagTail {
    var tail = TagTail(end: start)
    while tail.end < input.count {
      let byte = input[tail.end]
      if byte == Self.greaterThan || byte == 0x3C { return tail }
      if tail.last == 0x3D, byte == 0x22 || byte == 0x27 {
        tail.hasQuote = true
        tail.end = search(byte, from: tail.end + 1) ?? tail.end
      }
      if !byte.isASCIISpace { tail.last = byte }
      if byte == 0x3D, !tail.hasEquals {
        tail.hasEquals = true
        tail.beginsWithValue =
          input[start..<tail.end].split(whereSeparator: \.isASCIISpace).count == 1
      }
      tail.end += 1
    }
    return tail
  }

  mutating func skipThroughTagEnd(from start: Int) {
    let end = tagTail(from: start).end
    index = byte(at: end) == Self.greaterThan ? end + 1 : end
  }

  private mutating func search(_ byte: UInt8, from start: Int) -> Int? {
    guard !exhausted.contains(byte) else { return nil }
    let found = ByteScan.first(byte, in: UnsafeRawBufferPointer(input), from: start)
    if found == nil { exhausted.append(byte) }
    return found
  }

  /// The index of the end tag `</name` (any case) that begins in a range, or nil.
  func endTag(of name: Slice<UnsafeBufferPointer<UInt8>>, in range: Range<Int>) -> Int? {
    let raw = UnsafeRawBufferPointer(input)
    var start = range.lowerBound
    while let index = ByteScan.first(0x3C, in: raw, from: start), index < range.upperBound {
      start = index + 1
      let end = index + 2 + name.count
      guard end <= input.count, input[index + 1] == 0x2F else { continue }
      let isSame = input[(index + 2)..<end].elementsEqual(name) { $0 | 0x20 == $1 | 0x20 }
      if isSame, end == input.count || !input[end].isNamePart { return index }
    }
    return nil
  }

  /// The decoded `alt` of an image, or nil if it has none or an empty one.
  func alternativeText(of tag: OpeningTag) -> [UInt8]? {
    let text = UnsafeBufferPointer(rebasing: input[tag.attributes])
    let bytes = UnsafeRawBufferPointer(text)
    var reader = AttributeReader(bytes, nameEnd: 0)
    while let attribute = reader.next() {
      guard attribute.name.count == 3, bytes.hasASCII("alt", at: attribute.name.lowerBound) else {
        continue
      }
      let value = UnsafeBufferPointer(rebasing: text[attribute.value])
      return value.allSatisfy(\.isASCIISpace) ? nil : MarkupReader(value, purpose: .title).mention
    }
    return nil
  }
}

extension UInt8 {
  /// Part of the name of an element, with the prefixes and hyphens of other vocabularies.
  var isNamePart: Bool {
    isASCIILetterOrDigit || self == 0x2D || self == 0x3A || self == 0x5F
  }
}
