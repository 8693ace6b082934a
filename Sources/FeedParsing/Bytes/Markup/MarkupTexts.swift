/// The texts of a document, which go past libxml2: it gets a mark for each, the handler the text.
///
/// PERF: libxml2 takes more than half of its time for text, most of that for references
/// (`&lt;p&gt;`). What it gets instead of a text is a CDATA section with a mark and the text's line
/// feeds, so that its lines still count; the repair decodes the references where it looks for them
/// anyway. All CDATA sections that libxml2 sees are such marks.
final class MarkupTexts {
  /// Of one text, more than a field keeps is not held.
  static let maximumLength = Draft.maximumFieldBytes + 16

  @exclusivity(unchecked) private(set) var isOpen = false
  /// Whether the text being collected is as it stood in the document, with nothing that XML would
  /// take for markup.
  @exclusivity(unchecked) private(set) var isVerbatim = true
  private let buffer = TextBuffer(capacity: 64 << 10)
  /// Where the text being collected begins.
  @exclusivity(unchecked) private var start = 0
  /// Line feeds of it that are not held.
  @exclusivity(unchecked) private var linesCut = 0
  /// Where the closed texts end that have not been taken.
  @exclusivity(unchecked) private var ends: [Int] = []
  @exclusivity(unchecked) private var next = 0
  /// Where the next one begins.
  @exclusivity(unchecked) private var nextStart = 0
  @exclusivity(unchecked) private var taken: UInt8 = 0
  @exclusivity(unchecked) private var closed: UInt8 = 0

  /// Bytes held.
  var heldBytes: Int { buffer.count }

  /// The text being collected, valid until the next change.
  var open: UnsafeBufferPointer<UInt8> {
    buffer.bytes(TextSpan(start: start, end: buffer.count))
  }

  /// Begins a text, or goes on with the one that is open.
  func begin() {
    guard !isOpen else { return }
    isOpen = true
    isVerbatim = true
    linesCut = 0
    start = buffer.count
  }

  /// Takes text up to the next `<`, `]`, unusual reference, or the end; answers where that is.
  func append(_ bytes: UnsafeRawBufferPointer, from position: Int) -> Int {
    let (end, hasReferences) = buffer.appendText(bytes, from: position)
    if hasReferences { isVerbatim = false }
    cut()
    return end
  }

  /// Takes text that came in another form than it has.
  func append(decoded text: UnsafeRawBufferPointer) {
    isVerbatim = false
    buffer.append(text.bindMemory(to: UInt8.self))
    cut()
  }

  /// Ends the text, which is taken later.
  ///
  /// - Parameter output: Gets the mark; nothing when there is no text.
  func close(into output: RunWriter) {
    isOpen = false
    let text = open
    let lines = linesCut + ByteScan.count(0x0A, in: UnsafeRawBufferPointer(text))
    guard !text.isEmpty else {
      for _ in 0..<lines { output.append(0x0A) }
      return
    }
    ends.append(buffer.count)
    output.appendSection(Self.mark(closed), lines: lines)
    closed &+= 1
  }

  /// Ends the text, which is not taken later.
  func discard() {
    isOpen = false
    buffer.truncate(to: start)
  }

  /// The text of a mark, valid until the next call of anything here; nil for a mark of none.
  func take(_ mark: UInt8) -> UnsafeBufferPointer<UInt8>? {
    guard next < ends.count, mark == Self.mark(taken) else { return nil }
    let span = TextSpan(start: nextStart, end: ends[next])
    taken &+= 1
    next += 1
    nextStart = span.end
    return buffer.bytes(span)
  }

  /// Forgets what has been taken.
  func sweep() {
    guard next > 0 else { return }
    ends.removeFirst(next)
    for index in ends.indices { ends[index] -= nextStart }
    buffer.removeFirst(nextStart)
    start -= nextStart
    next = 0
    nextStart = 0
  }

  /// Follows one another in 32 printable characters, so that a mark that was lost shows.
  private static func mark(_ number: UInt8) -> UInt8 {
    0x40 + number & 0x1F
  }

  private func cut() {
    let end = start + Self.maximumLength
    guard buffer.count > end else { return }
    let rest = buffer.bytes(TextSpan(start: end, end: buffer.count))
    linesCut += ByteScan.count(0x0A, in: UnsafeRawBufferPointer(rest))
    buffer.truncate(to: end)
  }
}

extension TextBuffer {
  /// Appends text with its references decoded, as far as they are plain, up to the next `<` or `]`.
  ///
  /// PERF: sixteen bytes a step, copied before they are looked at.
  fileprivate func appendText(
    _ bytes: UnsafeRawBufferPointer,
    from start: Int,
  ) -> (end: Int, hasReferences: Bool) {
    var position = start
    var hasReferences = false
    append(atMost: bytes.count - start + 16) { output in
      var count = 0
      while position < bytes.count {
        let length = ByteScan.copyText(bytes, from: position, to: output + count)
        position &+= length
        count &+= length
        guard let reference = PredefinedReference(bytes, at: position) else { break }
        output[count] = reference.character
        count &+= 1
        position &+= reference.length
        hasReferences = true
      }
      return count
    }
    return (position, hasReferences)
  }
}

/// One of the five references that XML predefines (XML 1.0 §4.6).
struct PredefinedReference {
  let character: UInt8
  let length: Int

  /// - Returns: nil where there is none of them.
  @inline(__always)
  init?(_ bytes: UnsafeRawBufferPointer, at position: Int) {
    guard position &+ 4 <= bytes.count else { return nil }
    let word = UInt32(
      littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
    )
    switch word {
    case 0x3B74_6C26: self.init(UInt8(ascii: "<"), length: 4)
    case 0x3B74_6726: self.init(UInt8(ascii: ">"), length: 4)
    case 0x706D_6126 where bytes.hasByte(0x3B, at: position &+ 4):
      self.init(UInt8(ascii: "&"), length: 5)
    case 0x6F75_7126
    where bytes.hasByte(UInt8(ascii: "t"), at: position &+ 4)
      && bytes.hasByte(0x3B, at: position &+ 5):
      self.init(UInt8(ascii: "\""), length: 6)
    case 0x6F70_6126
    where bytes.hasByte(UInt8(ascii: "s"), at: position &+ 4)
      && bytes.hasByte(0x3B, at: position &+ 5):
      self.init(UInt8(ascii: "'"), length: 6)
    default: return nil
    }
  }

  @inline(__always)
  private init(_ character: UInt8, length: Int) {
    self.character = character
    self.length = length
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  fileprivate func hasByte(_ byte: UInt8, at position: Int) -> Bool {
    position < count && self[position] == byte
  }
}
