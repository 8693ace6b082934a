extension SafeText {
  /// The text as it stands, spaces, tabs and line feeds too, without what a safe line may not have.
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
