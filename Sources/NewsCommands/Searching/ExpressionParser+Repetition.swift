/// `*`, `+`, `?` and `{m,n}`.
extension ExpressionParser {
  /// What was read with the repetition that follows it; `?` behind one changes nothing, for all
  /// that is asked is whether there is a match.
  mutating func repetition(of atom: ExpressionNode) throws(ExpressionError) -> ExpressionNode {
    skipMarks()
    guard let (minimum, maximum) = try counts() else { return atom }
    _ = take("?")
    if let sign = next, "*+?".unicodeScalars.contains(sign) {
      throw .nothingToRepeat(Character(sign))
    }
    return .repetition(atom, minimum: minimum, maximum: maximum)
  }

  /// Marks on the last letter, which the texts do not have.
  private mutating func skipMarks() {
    while let scalar = next, TextFolding.isMark(scalar.value) { position += 1 }
  }

  private mutating func counts() throws(ExpressionError) -> (Int, Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    return try braces()
  }

  /// `{2}`, `{2,}`, `{,3}`, `{2,3}`; any other brace is itself.
  private mutating func braces() throws(ExpressionError) -> (Int, Int?)? {
    let start = position
    guard take("{") else { return nil }
    let minimum = number()
    let hasComma = take(",")
    let maximum = hasComma ? number() : minimum
    guard take("}"), minimum != nil || maximum != nil else {
      position = start
      return nil
    }
    let least = minimum ?? 0
    guard least <= maximum ?? least, max(least, maximum ?? 0) <= Self.maximumCount else {
      throw .wrongCount(limit: Self.maximumCount)
    }
    return (least, maximum)
  }

  /// Digits; a number above the limit is the limit plus one.
  private mutating func number() -> Int? {
    var number: Int?
    while let scalar = next, ("0"..."9").contains(scalar) {
      number = min((number ?? 0) * 10 + Int(scalar.value - 0x30), Self.maximumCount + 1)
      position += 1
    }
    return number
  }
}
