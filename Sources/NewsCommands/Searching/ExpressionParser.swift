/// Reads the syntax of POSIX's extended regular expressions, with `\d \w \s \b` and `(?:…)`.
///
/// Letters lose case and diacritics as the texts do that they will be compared with.
struct ExpressionParser {
  var scalars: [Unicode.Scalar]
  var position = 0
  private var depth = 0

  static let maximumDepth = 100
  static let maximumCount = 1_000

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  /// The whole text.
  static func read(_ text: String) throws(ExpressionError) -> ExpressionNode {
    var parser = ExpressionParser(text)
    let node = try parser.alternatives()
    guard parser.next == nil else { throw .unpaired(")") }
    return node
  }

  var next: Unicode.Scalar? {
    position < scalars.count ? scalars[position] : nil
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  private mutating func alternatives() throws(ExpressionError) -> ExpressionNode {
    var branches = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .alternatives(branches)
  }

  private mutating func sequence() throws(ExpressionError) -> ExpressionNode {
    var parts: [ExpressionNode] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      guard let atom = try atom(scalar) else { continue }
      parts.append(try repetition(of: atom))
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  /// nil for a mark, which the texts do not have: what follows it belongs to the letter before.
  private mutating func atom(_ scalar: Unicode.Scalar) throws(ExpressionError) -> ExpressionNode? {
    position += 1
    switch scalar {
    case "(": return try group()
    case "[": return .scalar(try bracket())
    case ".": return .scalar(.all)
    case "^": return .assertion(.start)
    case "$": return .assertion(.end)
    case "\\": return try escape()
    case "*", "+", "?": throw .nothingToRepeat(Character(scalar))
    default: return Self.literal(scalar)
    }
  }

  private mutating func group() throws(ExpressionError) -> ExpressionNode {
    if take("?"), !take(":") { throw .unsupportedGroup }
    guard depth < Self.maximumDepth else { throw .tooDeep(limit: Self.maximumDepth) }
    depth += 1
    let node = try alternatives()
    depth -= 1
    guard take(")") else { throw .unpaired("(") }
    return node
  }

  private mutating func escape() throws(ExpressionError) -> ExpressionNode? {
    guard let scalar = next else { throw .unfinished }
    position += 1
    switch scalar {
    case "b": return .assertion(.wordBoundary)
    case "B": return .assertion(.noWordBoundary)
    case "1"..."9": throw .reference
    default: break
    }
    if let set = Self.set(escaped: scalar) { return .scalar(set) }
    return Self.literal(try Self.character(escaped: scalar))
  }

  static func set(escaped scalar: Unicode.Scalar) -> ScalarSet? {
    switch scalar {
    case "d": .digits
    case "D": ScalarSet.digits.inverted
    case "s": .space
    case "S": ScalarSet.space.inverted
    case "w": .word
    case "W": ScalarSet.word.inverted
    default: nil
    }
  }

  static func character(escaped scalar: Unicode.Scalar) throws(ExpressionError) -> Unicode.Scalar {
    switch scalar {
    case "t": return "\t"
    case "n": return "\n"
    case "r": return "\r"
    case "0"..."9", "a"..."z", "A"..."Z": throw .unknownEscape(Character(scalar))
    default: return scalar
    }
  }

  /// The scalar as the texts have it: none for a mark, several for some letters.
  private static func literal(_ scalar: Unicode.Scalar) -> ExpressionNode? {
    var letters: [ExpressionNode] = []
    TextFolding.fold(scalar.value) { letters.append(.scalar(ScalarSet([$0...$0]))) }
    return letters.count == 1 ? letters[0] : letters.isEmpty ? nil : .sequence(letters)
  }
}
