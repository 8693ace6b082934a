extension SafeText {
  /// Returns a text, or as much of it as fits, cut between two characters and ended by `…`.
  ///
  /// The maximum counts graphemes, the `…` included, and is at least 1.
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

  /// Returns the beginning of a text that is too long, ended at a word by an ellipsis; nil where
  /// all fits.
  ///
  /// ASCII is ended by three dots: a `…` would double its size in a property list. The maximum
  /// counts graphemes, as that of `prefix` does. Where no word ends in the last third, as in
  /// Chinese or a long URL, the text is cut between two characters.
  package static func beginning(
    ofUTF8 bytes: UnsafeBufferPointer<UInt8>,
    maximumCharacters: Int,
  ) -> String? {
    guard bytes.count > maximumCharacters else { return nil }
    let end: Int
    switch quickCut(bytes, maximumCharacters: maximumCharacters) {
    case .fits: return nil
    case .after(let cut): end = cut
    case .unclear:
      let text = String(decoding: bytes, as: UTF8.self)
      let cut = prefix(text, maximumCharacters: maximumCharacters)
      guard cut.utf8.count != bytes.count || cut != text else { return nil }
      end = cut.utf8.count - "…".utf8.count
    }
    let isASCII = beginsWithASCII(bytes, count: end, from: 0)
    let last = wordEnd(in: bytes, before: isASCII ? max(end - 2, 0) : end)
    return String(decoding: bytes[..<last], as: UTF8.self) + (isASCII ? "..." : "…")
  }

  private static func wordEnd(in bytes: UnsafeBufferPointer<UInt8>, before end: Int) -> Int {
    let space: UInt8 = 0x20
    guard end < bytes.count, bytes[end] != space else { return end }
    let last = bytes[..<end].lastIndex(of: space)
    return last.map { $0 * 3 >= end * 2 ? $0 : end } ?? end
  }

  private enum Cut {
    case fits
    case after(Int)
    case unclear
  }

  /// Finds the place to cut without a search for graphemes, or gives up as `unclear`.
  ///
  /// Every scalar must be a character, a mark on the one before it, or a pictograph that is joined
  /// to another (rules GB9 and GB11 of Unicode's annex 29). PERF NOTES: finding the bounds of
  /// graphemes costs 15 ns each, and few texts need it.
  private static func quickCut(
    _ bytes: UnsafeBufferPointer<UInt8>,
    maximumCharacters: Int,
  ) -> Cut {
    if beginsWithASCII(bytes, count: maximumCharacters + 1, from: 0x20) {
      return .after(maximumCharacters - 1)
    }
    var (index, count, cut) = (0, 0, 0)
    var (isPictograph, isJoined) = (false, false)
    while index < bytes.count {
      let (scalar, length) = UTF8Scalar.decode(UnsafeRawBufferPointer(bytes), at: index)
      guard let scalar else { return .unclear }
      if index > 0, scalar.extendsCharacter {
        let isJoiner = scalar == "\u{200D}"
        if isJoiner, isJoined || !isPictograph { return .unclear }
        isJoined = isJoiner
      } else {
        guard scalar.isPictograph || (scalar.isWholeCharacter && !isJoined) else {
          return .unclear
        }
        if !isJoined {
          if count == maximumCharacters { return .after(cut) }
          if count == maximumCharacters - 1 { cut = index }
          count += 1
        }
        (isPictograph, isJoined) = (scalar.isPictograph, false)
      }
      index += length
    }
    return .fits
  }

  /// Returns true for at least `count` bytes of ASCII, none below `lowest`.
  ///
  /// PERF: without a branch a byte, so that many are compared at once.
  private static func beginsWithASCII(
    _ bytes: UnsafeBufferPointer<UInt8>,
    count: Int,
    from lowest: UInt8,
  ) -> Bool {
    guard bytes.count >= count else { return false }
    var all: UInt8 = 0
    var least = UInt8.max
    for byte in UnsafeBufferPointer(rebasing: bytes[..<count]) {
      all |= byte
      least = min(least, byte)
    }
    return all < 0x80 && least >= lowest
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

extension SafeText {
  /// Returns a text with spaces, tabs and line feeds as they are, and the rest as safe lines have
  /// it.
  package static func spaced(_ text: String) -> String {
    var result = ""
    var piece = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\r": break
      case "\n", "\t", " ", "\u{a0}":
        result += line(piece)
        result.unicodeScalars.append(scalar == "\u{a0}" ? " " : scalar)
        piece = ""
      default: piece.unicodeScalars.append(scalar)
      }
    }
    return result + line(piece)
  }
}
