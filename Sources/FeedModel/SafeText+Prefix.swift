extension SafeText {
  /// The text, or as much of its beginning as fits, cut between two characters and ended by `…`.
  ///
  /// The maximum is one of graphemes, the `…` included, and at least 1.
  package static func prefix(_ text: String, maximumCharacters: Int) -> String {
    // A character has at least one byte: most texts need no counting.
    guard text.utf8.count > maximumCharacters else { return text }
    var text = text
    let quick = text.withUTF8 { quickCut($0, maximumCharacters: maximumCharacters) }
    switch quick {
    case .fits: return text
    case .after(let bytes):
      return ended(text, at: text.utf8.index(text.startIndex, offsetBy: bytes))
    case .unclear: break
    }
    let last = text.index(
      text.startIndex,
      offsetBy: maximumCharacters - 1,
      limitedBy: text.endIndex,
    )
    guard let last, last < text.endIndex, text.index(after: last) < text.endIndex else {
      return text
    }
    return ended(text, at: last)
  }

  private enum Cut {
    case fits
    /// As many bytes, and the `…`, are the maximum.
    case after(Int)
    case unclear
  }

  /// Finds the place to cut where every scalar is a character, or a mark on the one before it.
  ///
  /// PERF NOTES: finding the bounds of graphemes costs 15 ns each, and few texts need it.
  private static func quickCut(
    _ bytes: UnsafeBufferPointer<UInt8>,
    maximumCharacters: Int,
  ) -> Cut {
    var (index, count, cut) = (0, 0, 0)
    while index < bytes.count {
      if count == maximumCharacters - 1 { cut = index }
      var length = 1
      if !(0x20...0x7E).contains(bytes[index]) {
        let (scalar, bytes) = UTF8Sequence.decode(bytes, at: index)
        guard let scalar else { return .unclear }
        if index > 0, scalar.value < 0x800, ScalarRole(scalar) == .mark {
          index += bytes
          continue
        }
        guard scalar.isWholeCharacter else { return .unclear }
        length = bytes
      }
      if count == maximumCharacters { return .after(cut) }
      count += 1
      index += length
    }
    return .fits
  }

  private static func ended(_ text: String, at end: String.Index) -> String {
    var end = end
    while end > text.startIndex {
      let before = text.utf8.index(before: end)
      guard text.utf8[before] == 0x20 else { break }
      end = before
    }
    return text[..<end] + "…"
  }
}
