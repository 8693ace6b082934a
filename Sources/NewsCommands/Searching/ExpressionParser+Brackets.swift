/// `[…]`.
extension ExpressionParser {
  /// The set behind a `[` that was taken.
  mutating func bracket() throws(ExpressionError) -> ScalarSet {
    let isInverted = take("^")
    var set = ScalarSet()
    var isFirst = true
    while let scalar = next, scalar != "]" || isFirst {
      isFirst = false
      set = set.union(try member())
    }
    guard take("]") else { throw .unpaired("[") }
    let folded = set.folded
    return isInverted ? folded.inverted : folded
  }

  /// One character, a range of them, or a class.
  private mutating func member() throws(ExpressionError) -> ScalarSet {
    if let set = try characterClass() { return set }
    if next == "\\", position + 1 < scalars.count,
      let set = Self.set(escaped: scalars[position + 1])
    {
      position += 2
      return set
    }
    let first = try character()
    guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
      return ScalarSet([first.value...first.value])
    }
    position += 1
    let last = try character()
    guard first <= last else { throw .backwardRange("\(first)-\(last)") }
    return ScalarSet([first.value...last.value])
  }

  private mutating func character() throws(ExpressionError) -> Unicode.Scalar {
    guard let scalar = next else { throw .unpaired("[") }
    position += 1
    guard scalar == "\\" else { return scalar }
    guard let escaped = next else { throw .unfinished }
    position += 1
    return try Self.character(escaped: escaped)
  }

  /// `[:alpha:]`.
  private mutating func characterClass() throws(ExpressionError) -> ScalarSet? {
    guard next == "[", position + 1 < scalars.count, scalars[position + 1] == ":" else {
      return nil
    }
    let rest = scalars[(position + 2)...]
    guard let colon = rest.firstIndex(of: ":"), colon + 1 < scalars.count,
      scalars[colon + 1] == "]"
    else { return nil }
    let name = String(String.UnicodeScalarView(rest[..<colon]))
    guard let set = Self.set(named: name) else { throw .unknownClass(name) }
    position = colon + 2
    return set
  }

  private static func set(named name: String) -> ScalarSet? {
    let underscore = ScalarSet([0x5f...0x5f])
    let alnum = ScalarSet.word.inverted.union(underscore).inverted
    switch name {
    case "digit": return .digits
    case "space": return .space
    case "blank": return ScalarSet([0x09...0x09, 0x20...0x20])
    case "alnum": return alnum
    case "alpha", "upper", "lower": return alnum.inverted.union(.digits).inverted
    case "xdigit": return ScalarSet([0x30...0x39, 0x41...0x46, 0x61...0x66])
    case "punct": return ScalarSet([0x21...0x2f, 0x3a...0x40, 0x5b...0x60, 0x7b...0x7e])
    default: return nil
    }
  }
}
