internal import FeedModel
internal import System

/// The text of HTML as nearly all feeds have it: read in one pass, without a look at the rest.
///
/// PERF: a fifth of the time of `PlainText`, which it equals wherever it answers at all (there is a
/// test of that). It answers for ASCII, Latin, Greek and Cyrillic letters and typographic marks, the
/// predefined references, and tags that are surely tags; everything else is left to `PlainText`.
struct QuickText {
  private let input: UnsafeBufferPointer<UInt8>
  private let isSummary: Bool
  private let output: UnsafeMutablePointer<UInt8>
  private var index = 0
  private var count = 0
  private var isSpacePending = false
  private var isASCII = true
  private var hasStartTag = false

  /// Appends the text; false, and nothing appended, where `PlainText` has to decide.
  static func append(
    _ html: UnsafeBufferPointer<UInt8>,
    for purpose: PlainText.Purpose,
    to buffer: TextBuffer,
  ) -> Bool {
    var isRead = false
    // A summary is full after a step of sixteen bytes beyond its end.
    let length = purpose == .summary ? min(html.count, PlainText.maximumSummary) : html.count
    buffer.append(atMost: length + 32) { output in
      var reader = QuickText(input: html, isSummary: purpose == .summary, output: output)
      isRead = reader.read() && reader.count > 0
      return isRead ? reader.count : 0
    }
    return isRead
  }

  private init(
    input: UnsafeBufferPointer<UInt8>,
    isSummary: Bool,
    output: UnsafeMutablePointer<UInt8>,
  ) {
    self.input = input
    self.isSummary = isSummary
    self.output = output
  }

  private mutating func read() -> Bool {
    while index < input.count {
      if isSummary, count > PlainText.maximumSummary { return cut() }
      if readLine() { continue }
      guard readByte(input[index]) else { return false }
    }
    // One more character than there is room for, or as many bytes of fewer characters.
    return !isSummary || count <= PlainText.maximumSummary || cut()
  }

  /// A summary that is full: of ASCII, a byte is a character.
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
    let raw = UnsafeRawBufferPointer(input)
    guard count > 0, index &+ 16 <= raw.count, ByteScan.isLine(raw, at: index),
      !isSpacePending || input[index] != 0x20
    else { return false }
    writeSpace()
    let block = raw.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
    UnsafeMutableRawPointer(output + count).storeBytes(of: block, as: SIMD16<UInt8>.self)
    isSpacePending = input[index &+ 15] == 0x20
    count &+= isSpacePending ? 15 : 16
    index &+= 16
    return true
  }

  private mutating func readByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x3C: return readTag()
    case 0x26: return readReference()
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

  /// A letter of Latin (U+00A1 to U+02FF), Greek or Cyrillic (to U+047F), or a typographic mark.
  private mutating func readLetter(_ lead: UInt8) -> Bool {
    let second = index &+ 1 < input.count ? input[index &+ 1] : 0
    guard second & 0xC0 == 0x80, lead != 0xC2 || second > 0xA0 else { return false }
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

  private mutating func readReference() -> Bool {
    let start = index &+ 1
    guard start < input.count, input[start] != 0x20 else {
      // A lone ampersand stands for itself.
      write(0x26)
      index = start
      return true
    }
    guard let end = input[start...].prefix(5).firstIndex(of: UInt8(ascii: ";")) else {
      return false
    }
    let name = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: input[start..<end]))
    if let character = HTMLEntities.predefined(name) {
      write(character)
    } else if name.isASCII("#39") {
      write(UInt8(ascii: "'"))
    } else if name.isASCII("nbsp") {
      isSpacePending = true
    } else {
      return false
    }
    index = end &+ 1
    return true
  }

  /// Skips a tag that is surely one: of an element of HTML, in small letters, closed by `>`.
  private mutating func readTag() -> Bool {
    var position = index &+ 1
    let isEnd = position < input.count && input[position] == 0x2F
    if isEnd { position &+= 1 }
    let nameStart = position
    while position < input.count, Self.isNameByte(input[position]) { position &+= 1 }
    guard position < input.count, let kind = HTMLElement.kind(of: input[nameStart..<position]),
      kind != .stripped, let tail = tail(from: position)
    else { return false }
    if isSummary, position &- nameStart == 3, input[nameStart..<position].elementsEqual("sup".utf8)
    {
      return false
    }
    let isBare = input[position..<tail.end].allSatisfy(\.isASCIISpace)
    let isSure =
      isEnd
      ? isSummary || hasStartTag
      : isSurelyStart(kind, isBare, tail.hasValues, position &- nameStart)
    guard isSure else { return false }
    hasStartTag = true
    if kind.separatesWords { isSpacePending = true }
    index = tail.end &+ 1
    return true
  }

  /// Whether it is no tag that someone speaks of (`the <dialog> tag`, `a<b and c>d`).
  private func isSurelyStart(
    _ kind: HTMLElement.Kind,
    _ isBare: Bool,
    _ hasValues: Bool,
    _ nameLength: Int,
  ) -> Bool {
    isBare ? isSummary || !kind.needsEndTag : hasValues || (isSummary && nameLength > 1)
  }

  private func tail(from start: Int) -> (end: Int, hasValues: Bool)? {
    var position = start
    var hasValues = false
    let next = input[start]
    guard next == 0x3E || next == 0x20 || next == 0x2F || next == 0x0A else { return nil }
    while position < input.count {
      switch input[position] {
      case 0x3E: return (position, hasValues)
      case 0x3C, 0x27: return nil
      case 0x22:
        guard position > start, input[position &- 1] == 0x3D,
          let close = ByteScan.first(0x22, in: UnsafeRawBufferPointer(input), from: position &+ 1)
        else { return nil }
        hasValues = true
        position = close &+ 1
      default: position &+= 1
      }
    }
    return nil
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte &- 0x61 < 26 || byte &- 0x30 < 10
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
