/// The one rule about what text from outside may reach the store, a terminal or a TSV field.
///
/// A line holds no control character (C0, DEL, C1), no line or paragraph separator, nothing
/// invisible that reorders, hides or tags text, no noncharacter, and at most
/// `maximumMarks` combining marks on a base. Its white space is single spaces, none at the ends.
/// ZERO WIDTH JOINER and NON-JOINER stay: emoji and Persian need them.
package enum SafeText {
  /// Combining marks that a base character may carry; no script's orthography needs more.
  static let maximumMarks = 8

  /// The text as one safe line; once more changes nothing.
  package static func line(_ text: String) -> String {
    var text = text
    let rewritten: String? = text.withUTF8 { isClean($0) ? nil : rewrite($0) }
    return rewritten ?? text
  }

  /// The bytes, which should be UTF-8, as one safe line.
  ///
  /// What is not UTF-8 becomes U+FFFD, one for each maximal subpart (Unicode §3.9).
  package static func line(utf8: UnsafeBufferPointer<UInt8>) -> String {
    isClean(utf8) ? String(decoding: utf8, as: UTF8.self) : rewrite(utf8)
  }

  /// The text, or as much of its beginning as fits, cut between two characters and ended by `…`.
  ///
  /// The maximum is one of graphemes, the `…` included, and at least 1.
  package static func prefix(_ text: String, maximumCharacters: Int) -> String {
    // A character has at least one byte: most texts need no counting.
    guard text.utf8.count > maximumCharacters else { return text }
    guard var end = cut(text, maximumCharacters: maximumCharacters) else { return text }
    while end > text.startIndex {
      let before = text.utf8.index(before: end)
      guard text.utf8[before] == 0x20 else { break }
      end = before
    }
    return text[..<end] + "…"
  }

  /// Where to cut a text so that it and one character more are the maximum; nil if all of it fits.
  private static func cut(_ text: String, maximumCharacters: Int) -> String.Index? {
    // PERF NOTES: finding the bounds of graphemes costs 15 ns each, and few texts need it.
    var scalars = text.unicodeScalars.startIndex
    var count = 0
    var result: String.Index?
    while scalars < text.endIndex, text.unicodeScalars[scalars].isWholeCharacter {
      if count == maximumCharacters - 1 { result = scalars }
      if count == maximumCharacters { return result }
      count += 1
      scalars = text.unicodeScalars.index(after: scalars)
    }
    guard scalars < text.endIndex else { return nil }
    let last = text.index(
      text.startIndex,
      offsetBy: maximumCharacters - 1,
      limitedBy: text.endIndex,
    )
    guard let last, last < text.endIndex, text.index(after: last) < text.endIndex else {
      return nil
    }
    return last
  }

  /// Whether the bytes are a safe line already, so that nothing has to be built.
  static func isClean(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // A space is fine only between two others.
    var isAfterSpace = true
    var marks = 0
    var index = 0
    while index < bytes.count {
      while let word = ASCIIWord(bytes, at: index), word.isClean(isAfterSpace: isAfterSpace) {
        (isAfterSpace, marks, index) = (word.endsWithSpace, 0, index + 8)
      }
      guard index < bytes.count else { break }
      let byte = bytes[index]
      if byte > 0x20, byte < 0x7F {
        (isAfterSpace, marks, index) = (false, 0, index + 1)
      } else if byte == 0x20, !isAfterSpace {
        (isAfterSpace, marks, index) = (true, 0, index + 1)
      } else {
        guard byte >= 0x80 else { return false }
        let (scalar, length) = UTF8Sequence.decode(bytes, at: index)
        guard let scalar else { return false }
        switch ScalarRole(scalar) {
        case .visible: marks = 0
        case .joiner: break
        case .mark:
          marks += 1
          guard marks <= maximumMarks else { return false }
        case .space, .unwanted: return false
        }
        (isAfterSpace, index) = (false, index + length)
      }
    }
    return !isAfterSpace || bytes.isEmpty
  }

  /// The safe line, built anew.
  static func rewrite(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    // The worst case is a byte that is not UTF-8: it becomes the three of U+FFFD.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count * 3 + 1) { output in
      var line = LineBuilder(output: output)
      var index = 0
      while index < bytes.count {
        if bytes[index] > 0x20, bytes[index] < 0x7F {
          line.append(visible: bytes[index])
          index += 1
          continue
        }
        let (scalar, length) = UTF8Sequence.decode(bytes, at: index)
        line.append(scalar, from: bytes, at: index, length: length)
        index += length
      }
      return String(decoding: output[..<line.count], as: UTF8.self)
    }
  }
}

/// Collects a safe line in memory that is large enough for three bytes per byte read.
private struct LineBuilder {
  let output: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0
  private var marks = 0
  private var isSpacePending = false

  init(output: UnsafeMutableBufferPointer<UInt8>) {
    self.output = output
  }

  mutating func append(
    _ scalar: Unicode.Scalar?,
    from bytes: UnsafeBufferPointer<UInt8>,
    at index: Int,
    length: Int,
  ) {
    switch scalar.map(ScalarRole.init) {
    case .space: isSpacePending = true
    case .unwanted: break
    case .joiner: write(bytes[index..<(index + length)])
    case .mark:
      marks += 1
      if marks <= SafeText.maximumMarks { write(bytes[index..<(index + length)]) }
    case .visible:
      marks = 0
      write(bytes[index..<(index + length)])
    case nil:
      marks = 0
      write([0xEF, 0xBF, 0xBD])
    }
  }

  mutating func append(visible byte: UInt8) {
    marks = 0
    writeSpace()
    put(byte)
  }

  private mutating func write(_ bytes: some Collection<UInt8>) {
    writeSpace()
    for byte in bytes { put(byte) }
  }

  private mutating func writeSpace() {
    guard isSpacePending else { return }
    isSpacePending = false
    if count > 0 { put(0x20) }
  }

  private mutating func put(_ byte: UInt8) {
    output[count] = byte
    count += 1
  }
}
