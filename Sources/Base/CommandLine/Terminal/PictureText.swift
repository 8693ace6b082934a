package enum PictureText {
  /// Returns the harmless part of a drawn picture: SGR sequences and signs of one column, within
  /// its size.
  package static func lines(_ printed: String, columns: Int, rows: Int) -> [String] {
    let lines = printed.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix(rows).map { line($0, columns: columns) }
    let end = lines.lastIndex { !TerminalText.unstyled($0).isEmpty } ?? -1
    return Array(lines[...end])
  }

  private static func line(_ printed: Substring.UnicodeScalarView, columns: Int) -> String {
    var line = String.UnicodeScalarView()
    var used = 0
    var rest = printed
    while let sign = rest.popFirst() {
      if sign == "\u{1b}" {
        if let look = takeLook(from: &rest) { line += look.unicodeScalars }
      } else if isSign(sign), used < columns {
        line.append(sign)
        used += 1
      }
    }
    return used == 0 ? "" : String(line) + "\u{1b}[0m"
  }

  /// Takes an SGR sequence behind ESC; any other sequence is skipped, and gives nil.
  private static func takeLook(
    from rest: inout Substring.UnicodeScalarView
  ) -> String? {
    guard rest.first == "[" else { return nil }
    rest.removeFirst()
    let numbers = rest.prefix { ("0"..."9").contains($0) || $0 == ";" || $0 == ":" }
    rest = rest[numbers.endIndex...]
    if rest.first == "m", numbers.count <= 64 {
      rest.removeFirst()
      return "\u{1b}[\(String(numbers))m"
    }
    rest = rest.drop { ("\u{20}"..."\u{3f}").contains($0) }.dropFirst()
    return nil
  }

  /// Returns true for ASCII, lines, blocks and Braille, which take one column everywhere.
  private static func isSign(_ sign: Unicode.Scalar) -> Bool {
    switch sign.value {
    case 0x20...0x7e, 0x2500...0x259f, 0x2800...0x28ff: true
    default: false
    }
  }
}
