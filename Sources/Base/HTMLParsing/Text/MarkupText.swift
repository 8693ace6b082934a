import System

/// The text of a piece of HTML, taken out token by token: no tree is built, and it never fails.
///
/// It reads what is surely markup as its standard says, and leaves what only looks like it as text.
/// Every search that may fail is remembered or bounded, so that the time is linear.
struct MarkupText {
  let purpose: PlainText.Purpose
  /// UTF-8, with white space and invisible characters as they came.
  var output: [UInt8] = []
  /// The `alt` of the first image that has one, if no text came before it.
  var alternativeText: [UInt8]?
  private(set) var isCut = false

  var tokenizer: HTMLTokenizer
  private var isNested = false
  var startTags = 0
  var hasEndTag = false
  var hasAttributes = false
  var hasDroppedContent = false
  /// The dropped elements for which no end tag follows.
  var unended: Set<HTMLTag> = []
  var openUnknown = 0
  var lookaheadsLeft = 64
  /// The open elements `sup` and `sub`, the outermost first.
  var raised: [(start: Int, isNote: Bool)] = []
  /// True in a link to another place of the text.
  var isNote = false
  var hasItem = false
  var hasCode = false
  /// True after a formula, for which a tree is needed; nothing behind it is read.
  var hasFormula = false
  let findsFormulas: Bool
  private var blank = 0
  private var weighed = 0
  private var weight = 0

  static let space = UInt8(ascii: " ")
  static let mostRaised = 8

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

  var input: UnsafeRawBufferPointer { tokenizer.bytes }

  mutating func append(_ range: Range<Int>) {
    guard purpose == .summary else {
      output += input[range]
      return
    }
    // A summary may be full after these.
    let end = min(range.upperBound, range.lowerBound + 4096)
    output += input[range.lowerBound..<end]
    tokenizer.position = end
  }

  mutating func appendLiteral(_ start: Int) {
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

  mutating func isBlank() -> Bool {
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
