import System

/// Takes the text out of a piece of HTML: a tokenizer that builds no tree and never fails.
///
/// It follows the tokenizer of HTML (§13.2.5) as to where tags, comments and references begin and
/// end, and leaves what it has no name for as text. Every search that may fail is remembered or
/// bounded, so that the time is linear in the length of the input.
struct MarkupReader {
  let input: UnsafeBufferPointer<UInt8>
  let purpose: PlainText.Purpose
  var index = 0
  /// UTF-8, with white space and invisible characters as they came.
  var output: [UInt8] = []
  /// The `alt` of the first image that has one, if no text came before it.
  var alternativeText: [UInt8]?
  var isNested = false
  var isCut = false

  var startTags = 0
  var hasEndTag = false
  var hasAttributes = false
  var hasDroppedContent = false
  /// Quotation marks that do not come any more.
  var exhausted: [UInt8] = []
  /// Whether a comment that begins here never ends.
  var lacksCommentEnd = false
  /// Dropped elements whose end tag does not come any more.
  var unended: [Slice<UnsafeBufferPointer<UInt8>>] = []
  /// End tags of unknown elements that are to be taken for markup, too.
  var openUnknown = 0
  var lookaheadsLeft = 64
  /// Where the text of a `<sup>` begins that has not ended.
  var raised: Int?
  /// Bytes at the beginning of the output that are known to be white space.
  private var blank = 0
  private var weighed = 0
  private var weight = 0

  init(_ input: UnsafeBufferPointer<UInt8>, purpose: PlainText.Purpose) {
    self.input = input
    self.purpose = purpose
  }

  mutating func read() {
    output.reserveCapacity(min(input.count, 4096))
    while index < input.count {
      guard !isFull() else {
        isCut = true
        return
      }
      let window = min(input.count, index + 4096)
      let end = ByteScan.firstMarkup(in: input, from: index, to: window)
      append(index..<end)
      index = end
      guard index < window else { continue }
      if input[index] == Self.ampersand { readReference() } else { readMarkup() }
    }
  }

  /// Whether nothing but markup with nothing to it was found: tags without attributes or ends, or
  /// a script.
  var isOnlyMention: Bool {
    hasDroppedContent || (startTags > 0 && !hasEndTag && !hasAttributes)
  }

  /// The input with its references decoded and its tags left in place.
  var mention: [UInt8] {
    var reader = MarkupReader(input, purpose: purpose)
    while reader.index < input.count {
      if input[reader.index] == Self.ampersand {
        reader.readReference()
      } else {
        reader.appendLiteral()
      }
    }
    return reader.output
  }

  /// Whether a summary has text enough, however many scalars make a character of it.
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

  mutating func append(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    output.append(contentsOf: UnsafeBufferPointer(rebasing: input[range]))
  }

  mutating func appendLiteral() {
    output.append(input[index])
    index += 1
  }

  mutating func isBlank() -> Bool {
    while blank < output.count, output[blank].isASCIISpace { blank += 1 }
    return blank == output.count
  }

  func byte(at index: Int) -> UInt8 {
    index < input.count ? input[index] : 0
  }

  static let ampersand: UInt8 = 0x26
  static let greaterThan: UInt8 = 0x3E
  static let space: UInt8 = 0x20
}

extension MarkupReader {
  /// Reads a character reference (HTML §13.2.5.72); what is none is text.
  mutating func readReference() {
    if byte(at: index + 1) == 0x23 { readNumericReference() } else { readNamedReference() }
  }

  private mutating func readNamedReference() {
    let letters = input[(index + 1)...].prefix(32).prefix(while: \.isASCIILetterOrDigit)
    let name = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: letters))
    if byte(at: letters.endIndex) == UInt8(ascii: ";") {
      if let character = HTMLEntities.predefined(name) {
        output.append(character)
        index = letters.endIndex + 1
        return
      }
      if let text = HTMLEntities.text(named: name) {
        output += text
        index = letters.endIndex + 1
        return
      }
    }
    // The shortest is `lt`: most lone ampersands need no look at the names.
    let length = name.count >= 2 ? HTMLEntities.legacyPrefix(of: name) : 0
    let legacy = UnsafeRawBufferPointer(rebasing: name.prefix(length))
    guard length > 0, let text = HTMLEntities.text(named: legacy) else { return appendLiteral() }
    output += text
    index = letters.startIndex + length
  }

  private mutating func readNumericReference() {
    guard let number = NumericReference.read(UnsafeRawBufferPointer(input), at: index) else {
      return appendLiteral()
    }
    output.append(codePoint: Self.codePoint(number.value))
    index += number.length
  }

  /// The character of a number as HTML has it (§13.2.5.80): C1 means windows-1252.
  private static func codePoint(_ value: UInt32) -> UInt32 {
    value == 0 ? 0xFFFD : value < 0x100 ? Windows1252.codePoint(UInt8(value)) ?? value : value
  }
}
