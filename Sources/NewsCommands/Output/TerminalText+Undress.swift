extension TerminalText {
  /// Text without what `Style` dresses it with: weight, colour, hyperlinks, places.
  static func undressed(_ text: String) -> String {
    guard text.utf8.contains(0x1b) else { return text }
    var result = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\u{1b}" else {
        result.unicodeScalars.append(scalar)
        continue
      }
      if rest.first == "[" {
        rest = rest.drop { $0 != "m" && $0 != "G" }.dropFirst()
      } else {
        // An OSC: as far as the string terminator, ESC and backslash.
        rest = rest.drop { $0 != "\u{1b}" }.dropFirst(2)
      }
    }
    return result
  }
}
