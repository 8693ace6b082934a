package import System

/// The text of HTML as nearly all feeds have it, read in one pass.
///
/// PERF: a fifth of the time of `MarkupText`, and of the tree for a summary, which it equals
/// wherever it answers at all (there is a test of that). It answers for ASCII, Latin, Greek and
/// Cyrillic letters and typographic marks, and tags that are surely tags; all else is left to them.
package struct QuickText {
  private var tokenizer: HTMLTokenizer
  private let isSummary: Bool
  private let output: UnsafeMutablePointer<UInt8>
  private var index = 0
  private var count = 0
  private var isSpacePending = false
  private var isASCII = true
  private var hasStartTag = false

  /// Returns false, and appends nothing, where another reader has to decide.
  package static func append(
    _ html: UnsafeBufferPointer<UInt8>,
    for purpose: PlainText.Purpose,
    to buffer: TextBuffer,
  ) -> Bool {
    var isRead = false
    // A summary is full after a step of sixteen bytes beyond its end.
    let length = purpose == .summary ? min(html.count, PlainText.maximumSummary) : html.count
    buffer.append(atMost: length + 32) { output in
      var reader = QuickText(
        tokenizer: HTMLTokenizer(UnsafeRawBufferPointer(html)),
        isSummary: purpose == .summary,
        output: output,
      )
      isRead = reader.read() && reader.count > 0
      return isRead ? reader.count : 0
    }
    return isRead
  }

  private init(
    tokenizer: HTMLTokenizer,
    isSummary: Bool,
    output: UnsafeMutablePointer<UInt8>,
  ) {
    self.tokenizer = tokenizer
    self.tokenizer.isCautious = !isSummary
    self.isSummary = isSummary
    self.output = output
  }

  private var input: UnsafeRawBufferPointer { tokenizer.bytes }

  private mutating func read() -> Bool {
    while index < input.count {
      if isSummary, count > PlainText.maximumSummary { return cut() }
      if readLine() { continue }
      guard readByte(input[index]) else { return false }
    }
    // One more character than there is room for, or as many bytes of fewer characters.
    return !isSummary || count <= PlainText.maximumSummary || cut()
  }

  /// Shortens a summary of ASCII, where a byte is a character.
  private mutating func cut() -> Bool {
    guard isASCII else { return false }
    count = PlainText.maximumSummary - 1
    while count > 0, output[count - 1] == 0x20 { count -= 1 }
    for byte in "…".utf8 { put(byte) }
    return true
  }

  /// Takes sixteen visible ASCII characters and single spaces, if they are not the first bytes.
  @inline(__always)
  private mutating func readLine() -> Bool {
    guard count > 0, index &+ 16 <= input.count, ByteScan.isLine(input, at: index),
      !isSpacePending || input[index] != 0x20
    else { return false }
    writeSpace()
    let block = input.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
    UnsafeMutableRawPointer(output + count).storeBytes(of: block, as: SIMD16<UInt8>.self)
    isSpacePending = input[index &+ 15] == 0x20
    count &+= isSpacePending ? 15 : 16
    index &+= 16
    return true
  }

  private mutating func readByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x3C, 0x26: return readToken()
    case 0x21...0x7E:
      write(byte)
      index &+= 1
      return true
    case 0x20, 0x0A, 0x0D, 0x09:
      isSpacePending = true
      index &+= 1
      return true
    case 0xC2...0xCB, 0xCE...0xD1, 0xE2: return readLetter(byte)
    default: return false
    }
  }

  private static let softHyphen: UInt8 = 0xAD

  /// Reads a letter of Latin (U+00A1 to U+02FF), Greek or Cyrillic (to U+047F), or a typographic
  /// mark.
  private mutating func readLetter(_ lead: UInt8) -> Bool {
    let second = index &+ 1 < input.count ? input[index &+ 1] : 0
    guard second & 0xC0 == 0x80, lead != 0xC2 || second > 0xA0 && second != Self.softHyphen else {
      return false
    }
    if lead == 0xE2 {
      let third = index &+ 2 < input.count ? input[index &+ 2] : 0
      guard second == 0x80, 0x90...0xA7 ~= third else { return false }
      writeSpace()
      put(lead)
      put(second)
      put(third)
      index &+= 3
    } else {
      writeSpace()
      put(lead)
      put(second)
      index &+= 2
    }
    isASCII = false
    return true
  }

  private mutating func readToken() -> Bool {
    tokenizer.position = index
    switch tokenizer.next() {
    case .startTag: guard skipTag(isEnd: false) else { return false }
    case .endTag: guard skipTag(isEnd: true) else { return false }
    case .reference(let reference):
      switch reference.first {
      case 0x21...0x7E where reference.second == 0: write(UInt8(reference.first))
      case 0xA0: isSpacePending = true
      default: return false
      }
    // A lone ampersand stands for itself.
    case .text where input[index] == 0x26: write(0x26)
    default: return false
    }
    index = tokenizer.position
    return true
  }

  private mutating func skipTag(isEnd: Bool) -> Bool {
    guard let tag = isSummary ? tokenizer.plainTag(isStart: !isEnd) : titleTag(isEnd: isEnd) else {
      return false
    }
    if tag.separatesWords { isSpacePending = true }
    return true
  }

  /// Returns a tag that is surely one, and none that someone speaks of (`the <dialog> tag`).
  private mutating func titleTag(isEnd: Bool) -> HTMLTag? {
    let tag = HTMLTag.of(input[tokenizer.name])
    guard tag != .unknown, !tag.isStripped, !tag.isTold, !tokenizer.isUnended else { return nil }
    guard isEnd ? hasStartTag : isSurelyStart(tag) else { return nil }
    hasStartTag = true
    return tag
  }

  private func isSurelyStart(_ tag: HTMLTag) -> Bool {
    if let first = tokenizer.attributes.first { return first.value.lowerBound > 0 }
    return tokenizer.isSelfClosing || tag.isOftenOpen
  }

  @inline(__always)
  private mutating func write(_ byte: UInt8) {
    writeSpace()
    put(byte)
  }

  @inline(__always)
  private mutating func writeSpace() {
    guard isSpacePending else { return }
    isSpacePending = false
    if count > 0 { put(0x20) }
  }

  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    output[count] = byte
    count &+= 1
  }
}
