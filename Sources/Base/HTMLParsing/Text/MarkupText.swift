import System

/// The text of a piece of HTML, taken out token by token: no tree is built, and it never fails.
///
/// It reads what is surely markup as its standard says, and leaves what only looks like it as text.
/// Every search that may fail is remembered or bounded, so that the time is linear.
struct MarkupText {
  let purpose: PlainText.Purpose
  /// UTF-8, with white space and invisible characters as they came.
  private(set) var output: [UInt8] = []
  /// The `alt` of the first image that has one, if no text came before it.
  private(set) var alternativeText: [UInt8]?
  private(set) var isCut = false

  private var tokenizer: HTMLTokenizer
  private var isNested = false
  private var startTags = 0
  private var hasEndTag = false
  private var hasAttributes = false
  private var hasDroppedContent = false
  /// The dropped elements for which no end tag follows.
  private var unended: Set<HTMLTag> = []
  private var openUnknown = 0
  private var lookaheadsLeft = 64
  /// The open elements `sup` and `sub`, the outermost first.
  private var raised: [(start: Int, isNote: Bool)] = []
  /// True in a link to another place of the text.
  private var isNote = false
  private var hasItem = false
  /// True after a formula, for which a tree is needed; nothing behind it is read.
  private(set) var hasFormula = false
  private let findsFormulas: Bool
  private var blank = 0
  private var weighed = 0
  private var weight = 0

  private static let space = UInt8(ascii: " ")
  private static let mostRaised = 8

  init(
    _ input: UnsafeRawBufferPointer,
    purpose: PlainText.Purpose,
    findsFormulas: Bool = true,
  ) {
    (self.purpose, self.findsFormulas) = (purpose, findsFormulas)
    tokenizer = HTMLTokenizer(input)
    tokenizer.isCautious = true
  }

  /// True where only tags without attributes and ends were found, or a script.
  var isOnlyMention: Bool {
    hasDroppedContent || (startTags > 0 && !hasEndTag && !hasAttributes)
  }

  mutating func read() {
    output.reserveCapacity(min(input.count, 4096))
    while true {
      let start = tokenizer.position
      guard !hasFormula else { return }
      guard !isFull() else {
        isCut = start < input.count
        return
      }
      switch tokenizer.next() {
      case .text(let range): append(range)
      case .reference(let reference): reference.append(to: &output)
      case .startTag: readStartTag(from: start)
      case .endTag: readEndTag(from: start)
      case .comment: readComment(from: start)
      case .nothing, .doctype: appendLiteral(start)
      case .end: return
      }
    }
  }

  private var input: UnsafeRawBufferPointer { tokenizer.bytes }

  private mutating func append(_ range: Range<Int>) {
    guard purpose == .summary else {
      output += input[range]
      return
    }
    // A summary may be full after these.
    let end = min(range.upperBound, range.lowerBound + 4096)
    output += input[range.lowerBound..<end]
    tokenizer.position = end
  }

  private mutating func appendLiteral(_ start: Int) {
    output.append(input[start])
    tokenizer.position = start + 1
  }

  private mutating func isFull() -> Bool {
    let maximum = PlainText.maximumSummary
    guard purpose == .summary, output.count > maximum else { return false }
    while weighed < output.count {
      let byte = output[weighed]
      // ASCII is a character; other scalars may be half of one. White space may be collapsed.
      weight += byte.isASCIISpace ? 0 : byte < 0x80 ? 2 : byte & 0xC0 == 0x80 ? 0 : 1
      weighed += 1
    }
    return weight > 2 * maximum
  }

  private mutating func isBlank() -> Bool {
    while blank < output.count, output[blank].isASCIISpace { blank += 1 }
    return blank == output.count
  }

  // MARK: Comments

  private mutating func readComment(from start: Int) {
    if input.hasASCII("<![CDATA[", at: start) { return readSection(from: start + 9) }
    let isKnown =
      ["<!--", "<![", "<!doctype"].contains { input.hasASCII($0, at: start) }
      || input[start + 1] == UInt8(ascii: "?") && input[(start + 2)...].first?.isASCIILetter == true
      || input[start + 1] == UInt8(ascii: "/") && !tokenizer.isUnended
    guard isKnown || purpose == .summary && !tokenizer.isUnended else {
      return appendLiteral(start)
    }
    if tokenizer.isUnended, purpose == .title { appendLiteral(start) }
  }

  private mutating func readSection(from start: Int) {
    let end = ByteScan.first("]]>", in: input, from: start) ?? input.count
    tokenizer.position = min(end + 3, input.count)
    guard !isNested else {
      output += input[min(start, end)..<end]
      return
    }
    let section = UnsafeRawBufferPointer(rebasing: input[min(start, end)..<end])
    var content = MarkupText(section, purpose: purpose, findsFormulas: findsFormulas)
    content.isNested = true
    content.read()
    output += content.output
    alternativeText = alternativeText ?? content.alternativeText
    isCut = isCut || content.isCut
    hasFormula = hasFormula || content.hasFormula
  }
}

// MARK: - Tags

extension MarkupText {
  private mutating func readStartTag(from start: Int) {
    let tag = HTMLTag.of(input[tokenizer.name])
    let isCutByTag = input[tokenizer.name.upperBound...].first == UInt8(ascii: "<")
    guard !isCutByTag, tag == .unknown ? isUnknownMarkup() : isMarkup(tag, at: start) else {
      return appendLiteral(start)
    }
    startTags += 1
    if !isBare { hasAttributes = true }
    if tag == .img, alternativeText == nil, isBlank() { takeAlternativeText() }
    if tag.separatesWords { output.append(Self.space) }
    switch tag {
    case .sup, .sub: if raised.count < Self.mostRaised { raised.append((output.count, isNote)) }
    case .a:
      isNote = value(of: "href")?.first == UInt8(ascii: "#")
      if isNote, !raised.isEmpty { raised[raised.count - 1].isNote = true }
    case .li: hasItem = true
    case .input: if purpose == .summary { appendBox() }
    case .math: hasFormula = findsFormulas
    case .script:
      hasFormula = findsFormulas && value(of: "type")?.starts(with: "math/".utf8) == true
    default: break
    }
    if tag.isStripped, !tokenizer.isSelfClosing { skipContent(of: tag) }
  }

  private mutating func readEndTag(from start: Int) {
    let name = input[tokenizer.name]
    let tag = HTMLTag.of(name)
    let isOther = name.contains(0x3A) || name.contains(0x2D)
    // A title may speak of a tag, with more text after it.
    let isMention =
      purpose == .title && startTags == 0
      && !input[tokenizer.position...].allSatisfy(\.isASCIISpace)
    guard tag != .unknown || openUnknown > 0 || isOther, !isMention else {
      return appendLiteral(start)
    }
    if tag == .unknown, !isOther { openUnknown -= 1 }
    if tag.separatesWords { output.append(Self.space) }
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

  /// Tells markup from text that only looks like it.
  ///
  /// In a title only what is surely markup counts: with values, without need of an end, or with an
  /// end tag.
  private mutating func isMarkup(_ tag: HTMLTag, at start: Int) -> Bool {
    if purpose == .title {
      if tokenizer.isUnended { return hasQuotedValue }
      let beginsWithValue = tokenizer.attributes.first.map { $0.value.lowerBound > 0 } ?? false
      if hasQuotedValue || beginsWithValue || tokenizer.isSelfClosing { return true }
      return isBare && tag.isOftenOpen || !isLone()
    }
    if tokenizer.isUnended { return hasValues || isBare }
    // `if a<b and c>d`: no tag of one letter has attributes without values.
    if tokenizer.name.count == 1, !isBare, !hasValues, !tokenizer.isSelfClosing { return false }
    guard isBare, !tag.isOftenOpen, !isBlank(), isTypeName(at: start) else { return true }
    return !isLone()
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
    if parts.count == 2, !parts.contains(where: \.isEmpty),
      purpose == .summary || hasValues || tokenizer.isSelfClosing
    {
      return true
    }
    if name.contains(0x2D), hasValues { return true }
    guard !tokenizer.isSelfClosing, lookaheadsLeft > 0, !isLone() else { return false }
    openUnknown += 1
    return true
  }

  /// Recognizes a capitalised word right after another: `List<Button>`.
  private func isTypeName(at start: Int) -> Bool {
    let name = input[tokenizer.name]
    guard start > 0, input[start - 1].isNamePart, let first = name.first else { return false }
    let isAllCapitals = name.count > 1 && name.allSatisfy { $0 & 0x20 == 0 || $0.isASCIIDigit }
    return first & 0x20 == 0 && !isAllCapitals
  }

  private mutating func isLone() -> Bool {
    guard lookaheadsLeft > 0 else { return false }
    lookaheadsLeft -= 1
    let start = tokenizer.position
    let end = min(input.count, start + 4096)
    return tokenizer.endTag(of: input[tokenizer.name], in: start..<end) == nil
  }

  private func value(of name: StaticString) -> Slice<UnsafeRawBufferPointer>? {
    tokenizer.attributes.first {
      $0.name.count == name.utf8CodeUnitCount && input.hasASCII(name, at: $0.name.lowerBound)
    }.map { input[$0.value] }
  }

  private mutating func takeAlternativeText() {
    guard let alt = value(of: "alt"), !alt.allSatisfy(\.isASCIISpace) else { return }
    alternativeText = Array(HTMLReference.decoded(UnsafeRawBufferPointer(rebasing: alt)).utf8)
  }

  private mutating func appendBox() {
    guard value(of: "type")?.elementsEqual("checkbox".utf8) == true,
      hasItem || value(of: "disabled") != nil
    else { return }
    output += (value(of: "checked") == nil ? "[ ] " : "[x] ").utf8
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
      // Only scripts and styles reach to the end of the document without an end tag, and drawings
      // where the text is shown.
      guard tag == .script || tag == .style || tag == .svg && purpose == .summary else { return }
      hasDroppedContent = start < input.count
      tokenizer.position = input.count
    }
  }
}

extension UInt8 {
  fileprivate var isNamePart: Bool {
    isASCIILetterOrDigit || self == 0x2D || self == 0x3A || self == 0x5F
  }
}
