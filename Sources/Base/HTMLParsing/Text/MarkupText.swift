import System

/// The text of a title's HTML, taken out token by token: no tree is built, and it never fails.
///
/// It reads what is surely markup as its standard says, and leaves what only looks like it as text.
/// Every search that may fail is remembered or bounded, so that the time is linear.
struct MarkupText {
  /// UTF-8, with white space and invisible characters as they came.
  var output: [UInt8] = []
  /// The `alt` of the first image that has one, if no text came before it.
  var alternativeText: [UInt8]?

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
  /// True after a formula, for which a tree is needed; nothing behind it is read.
  var hasFormula = false
  let findsFormulas: Bool
  private var blank = 0

  static let mostRaised = 8

  init(_ input: UnsafeRawBufferPointer, findsFormulas: Bool = true) {
    self.findsFormulas = findsFormulas
    tokenizer = HTMLTokenizer(input)
    tokenizer.isCautious = true
  }

  /// True where only tags without attributes and ends were found, or a script.
  var isOnlyMention: Bool {
    hasDroppedContent || (startTags > 0 && !hasEndTag && !hasAttributes)
  }

  mutating func read() {
    output.reserveCapacity(min(input.count, 4096))
    while !hasFormula {
      let start = tokenizer.position
      switch tokenizer.next() {
      case .text(let range): output += input[range]
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

  mutating func appendLiteral(_ start: Int) {
    output.append(input[start])
    tokenizer.position = start + 1
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
      || input[start + 1] == UInt8(ascii: "/")
    if !isKnown || tokenizer.isUnended { appendLiteral(start) }
  }

  private mutating func readSection(from start: Int) {
    let end = ByteScan.first("]]>", in: input, from: start) ?? input.count
    tokenizer.position = min(end + 3, input.count)
    guard !isNested else {
      output += input[min(start, end)..<end]
      return
    }
    let section = UnsafeRawBufferPointer(rebasing: input[min(start, end)..<end])
    var content = MarkupText(section, findsFormulas: findsFormulas)
    content.isNested = true
    content.read()
    output += content.output
    alternativeText = alternativeText ?? content.alternativeText
    hasFormula = hasFormula || content.hasFormula
  }
}
