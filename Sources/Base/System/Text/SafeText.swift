/// The rule about text from outside that may reach the store, a terminal or a TSV field.
///
/// A line holds no control character (C0, DEL, C1), no line or paragraph separator, no sign without
/// width, nothing that reorders, hides or tags text, no noncharacter, and at most `maximumMarks`
/// combining marks on a base. Its white space is single spaces, none at the ends. ZERO WIDTH JOINER
/// and NON-JOINER stay: emoji and Persian need them.
package enum SafeText {
  /// Combining marks that a base character may carry; no script's orthography needs more.
  static let maximumMarks = 8

  /// Returns a text as one safe line; a safe line stays the same.
  package static func line(_ text: String) -> String {
    var text = text
    let rewritten: String? = text.withUTF8 { isClean($0) ? nil : rewrite($0) }
    return rewritten ?? text
  }

  /// Appends a text as one safe line.
  package static func append(line text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { utf8 in
      if isClean(utf8) { bytes += utf8 } else { bytes += rewrite(utf8).utf8 }
    }
  }

  /// Returns bytes as one safe line.
  ///
  /// Bytes that are not UTF-8 become U+FFFD, one for each maximal subpart (Unicode §3.9).
  package static func line(utf8: UnsafeBufferPointer<UInt8>) -> String {
    let utf8 = trimmed(utf8)
    return isClean(utf8) ? String(decoding: utf8, as: UTF8.self) : rewrite(utf8)
  }

  package static func lineIfSafe(
    utf8: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8>? {
    let utf8 = trimmed(utf8)
    return isClean(utf8) ? utf8 : nil
  }

  static func isClean(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if ByteScan.isLine(UnsafeRawBufferPointer(bytes)) { return true }
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
        guard byte >= 0x80, let length = cleanLength(bytes, at: index, marks: &marks) else {
          return false
        }
        (isAfterSpace, index) = (false, index + length)
      }
    }
    return !isAfterSpace || bytes.isEmpty
  }

  /// Returns true for UTF-8 whose scalars are seen, or are blanks or `others`; joiners count as seen.
  static func isVisible(_ bytes: UnsafeBufferPointer<UInt8>, besides others: [UInt8] = []) -> Bool {
    var index = 0
    while true {
      index = ByteScan.firstUnseen(UnsafeRawBufferPointer(bytes), from: index)
      guard index < bytes.count else { return true }
      if bytes[index] < 0x7f {
        guard others.contains(bytes[index]) else { return false }
        index += 1
        continue
      }
      let (scalar, length) = UTF8Scalar.decode(UnsafeRawBufferPointer(bytes), at: index)
      switch scalar.map(ScalarRole.init) {
      case .visible, .mark, .joiner: index += length
      case .space, .unwanted, nil: return false
      }
    }
  }

  private static func cleanLength(
    _ bytes: UnsafeBufferPointer<UInt8>,
    at index: Int,
    marks: inout Int,
  ) -> Int? {
    let (scalar, length) = UTF8Scalar.decode(UnsafeRawBufferPointer(bytes), at: index)
    switch scalar.map(ScalarRole.init) {
    case .visible: marks = 0
    case .joiner: break
    case .mark:
      marks += 1
      guard marks <= maximumMarks else { return nil }
    case .space, .unwanted, nil: return nil
    }
    return length
  }

  private static func trimmed(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    var (start, end) = (0, bytes.count)
    while start < end, bytes[start] <= 0x20 { start += 1 }
    while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
    return UnsafeBufferPointer(rebasing: bytes[start..<end])
  }
}
