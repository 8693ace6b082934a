internal import System

package enum Key: Hashable, Sendable {
  case character(Character)
  /// A key with Ctrl held down: `z` for Ctrl-Z.
  case control(Character)
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, escape, tab, backTab, backspace, delete
  /// No key: the last Escape was the beginning of what follows, which a slow line sent in pieces.
  case noEscape
  /// Rows and columns from 0.
  case click(row: Int, column: Int)
  case wheelUp(row: Int, column: Int)
  case wheelDown(row: Int, column: Int)
  case pasted(String)
}

/// Parses the bytes that a terminal sends into keys.
///
/// The sequences are those that xterm, and all that follow it, send without being asked for others:
/// ECMA-48's cursor keys in both modes, VT220's function keys, mouse reports in SGR's form (1006),
/// pastes in brackets (2004). An unknown sequence is skipped whole: the letters in it are keys that
/// change things.
package struct KeyReader {
  private var bytes: [UInt8] = []
  private var paste: [UInt8]?
  /// True after Escape was taken for a key: the rest of a sequence may still follow.
  private var isCut = false

  private static let escape: UInt8 = 0x1b
  private static let longestSequence = 64
  private static let longestPaste = 65_536

  /// True while more may belong to the bytes read: Escape is a key, and begins most of the others.
  package var isInSequence: Bool { !bytes.isEmpty || isCut || paste != nil }

  private let isRemote: Bool

  /// The time to wait for the rest of a sequence, which a slow line sends in pieces.
  ///
  /// Escape is a key after the shortest: what follows in time takes it back.
  package var timeout: Duration {
    if paste != nil { return .seconds(1) }
    if isCut, isRemote { return .milliseconds(400) }
    return isCut && bytes.isEmpty ? .milliseconds(250) : .milliseconds(60)
  }

  /// A reader of a terminal that is remote, or not.
  package init(isRemote: Bool = false) {
    self.isRemote = isRemote
  }

  package mutating func read(_ new: some Sequence<UInt8>) -> [Key] {
    bytes += new
    var keys: [Key] = []
    if isCut, let first = bytes.first {
      isCut = false
      if first == UInt8(ascii: "[") || first == UInt8(ascii: "O") {
        bytes.insert(Self.escape, at: 0)
        guard let (key, length) = next() else {
          bytes.removeFirst()
          isCut = true
          return []
        }
        bytes.removeFirst(length)
        keys = [.noEscape] + [key].compactMap(\.self)
      }
    }
    while !bytes.isEmpty {
      guard let (key, length) = paste == nil ? next() : nextPasted() else { break }
      bytes.removeFirst(length)
      if let key { keys.append(key) }
    }
    return keys
  }

  /// Returns the keys of an unfinished sequence, after its rest has not come in time.
  package mutating func endSequence() -> [Key] {
    if let pasted = paste {
      let text = SafeText.line(String(decoding: pasted + bytes, as: UTF8.self))
      (paste, bytes) = (nil, [])
      return [.pasted(text)]
    }
    guard !isCut else {
      // What comes so late was typed: `O` may be a key of the reader's.
      isCut = false
      return read([])
    }
    guard let first = bytes.first else { return [] }
    let rest = Array(bytes.dropFirst())
    bytes = []
    isCut = first == Self.escape
    return (isCut ? [.escape] : []) + read(rest)
  }

  // MARK: One key

  /// Returns the next key and its length; no key for an unknown one; nil while more has to come.
  private mutating func next() -> (Key?, Int)? {
    guard bytes[0] == Self.escape else { return character() }
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "["): return controlSequence()
    case UInt8(ascii: "O"):
      guard bytes.count > 2 else { return nil }
      return (bytes[2] == UInt8(ascii: "M") ? .enter : Self.cursorKeys[bytes[2]], 3)
    // Alt with a key looks like Escape and the key; here Alt means nothing.
    default: return (.escape, 1)
    }
  }

  private func character() -> (Key?, Int)? {
    switch bytes[0] {
    case 0x0d, 0x0a: return (.enter, 1)
    case 0x09: return (.tab, 1)
    case 0x7f, 0x08: return (.backspace, 1)
    case 0x01...0x1a: return (.control(Character(Unicode.Scalar(bytes[0] + 0x60))), 1)
    case 0x20...0x7e: return (.character(Character(Unicode.Scalar(bytes[0]))), 1)
    case 0xc2...0xf4: break
    default: return (nil, 1)
    }
    let length = bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4
    guard bytes.count >= length else { return nil }
    let text = String(validating: bytes[..<length], as: UTF8.self).map { SafeText.line($0) }
    return text?.count == 1 ? (text?.first.map(Key.character), length) : (nil, 1)
  }

  /// CSI, parameters, and a final byte (ECMA-48 §5.4).
  private mutating func controlSequence() -> (Key?, Int)? {
    let isFinal = { (byte: UInt8) in (0x40...0x7e).contains(byte) || byte == Self.escape }
    guard let end = bytes.dropFirst(2).firstIndex(where: isFinal) else {
      return bytes.count > Self.longestSequence ? (nil, bytes.count) : nil
    }
    // Another sequence begins: this one was cut.
    guard bytes[end] != Self.escape else { return (nil, end) }
    if end == 2, let length = Self.longerSequences[bytes[2]] {
      return bytes.count < length ? nil : (nil, length)
    }
    let length = end + 1
    let parameters = bytes[2..<end]
    if bytes[end] == UInt8(ascii: "~") {
      let number = Self.numbers(parameters).first ?? 0
      if number == 200 { paste = [] }
      return (Self.functionKeys[number], length)
    }
    if parameters.first == UInt8(ascii: "<") {
      return (
        mouse(Self.numbers(parameters.dropFirst()), isPress: bytes[end] == UInt8(ascii: "M")),
        length,
      )
    }
    return (Self.cursorKeys[bytes[end]], length)
  }

  private func mouse(_ numbers: [Int], isPress: Bool) -> Key? {
    guard numbers.count == 3, isPress, numbers[1] > 0, numbers[2] > 0 else { return nil }
    let (column, row) = (numbers[1] - 1, numbers[2] - 1)
    return switch numbers[0] {
    case 0: .click(row: row, column: column)
    case 64: .wheelUp(row: row, column: column)
    case 65: .wheelDown(row: row, column: column)
    default: nil
    }
  }

  private static func numbers(_ bytes: some Collection<UInt8>) -> [Int] {
    bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
  }

  private static let cursorKeys: [UInt8: Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right,
    UInt8(ascii: "D"): .left, UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end,
    UInt8(ascii: "Z"): .backTab,
  ]

  /// The lengths of sequences that go on behind their final byte.
  ///
  /// Function keys of the Linux console (F1 is `ESC [ [ A`), and mouse reports in the form of X10.
  private static let longerSequences: [UInt8: Int] = [UInt8(ascii: "["): 4, UInt8(ascii: "M"): 6]

  private static let functionKeys: [Int: Key] = [
    1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
  ]

  // MARK: Pastes

  private mutating func nextPasted() -> (Key?, Int)? {
    let end = Array("\u{1b}[201~".utf8)
    guard let stop = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else {
      // The bracket may be cut.
      let taken = max(bytes.count - end.count, 0)
      take(bytes[..<taken])
      return taken > 0 ? (nil, taken) : nil
    }
    take(bytes[..<stop])
    let text = SafeText.line(String(decoding: paste ?? [], as: UTF8.self))
    paste = nil
    return (.pasted(text), stop + end.count)
  }

  private mutating func take(_ part: ArraySlice<UInt8>) {
    let room = Self.longestPaste - (paste?.count ?? 0)
    paste?.append(contentsOf: part.prefix(room))
  }
}
