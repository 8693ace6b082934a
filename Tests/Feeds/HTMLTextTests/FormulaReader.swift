/// A reader of the lines that formulas become, as someone reads them who knows the rules of signs.
///
/// It writes operators and names before what they are of: `(/ 1 (* 2 x))`.
struct FormulaReader {
  private var rest: Substring

  static func meaning(_ line: String) -> String {
    var reader = FormulaReader(rest: line[...])
    let meaning = reader.relation()
    return reader.rest.isEmpty ? meaning : "\(meaning) and \(reader.rest)"
  }

  private mutating func skip(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }

  private mutating func relation() -> String { binary(["=", "→"]) { $0.sum() } }

  private mutating func sum() -> String {
    binary(["+", "−"]) { $0.skip("−") ? "(− \($0.product()))" : $0.product() }
  }

  private mutating func binary(
    _ signs: [String],
    _ operand: (inout FormulaReader) -> String,
  ) -> String {
    var left = operand(&self)
    while let sign = signs.first(where: rest.hasPrefix), skip(sign) {
      left = "(\(sign) \(left) \(operand(&self)))"
    }
    return left
  }

  /// Reads what a space or a point joins, which joins less than a slash without spaces.
  private mutating func product() -> String {
    var factors = [quotient()]
    while let last = factors.last {
      if skip(" !") {
        factors = ["(! \(Self.product(factors)))"]
      } else if skip(" / ") {
        factors = ["(/ \(Self.product(factors)) \(quotient()))"]
      } else if skip(" × ") || skip("·") {
        factors.append(quotient())
      } else if skip(" ") {
        let next = quotient()
        let isMixed =
          Int(last) != nil && next.hasPrefix("(/ ") && next.dropFirst(3).first?.isNumber == true
        factors = isMixed ? factors.dropLast() + ["(+ \(last) \(next))"] : factors + [next]
      } else {
        break
      }
    }
    return Self.product(factors)
  }

  private static func product(_ factors: [String]) -> String {
    factors.count == 1 ? factors[0] : "(* \(factors.joined(separator: " ")))"
  }

  private mutating func quotient() -> String { binary(["/"]) { $0.factors() } }

  private mutating func factors() -> String {
    var factors = [power()]
    while let next = rest.first, next.isLetter || next.isNumber || "(√".contains(next) {
      factors.append(power())
    }
    return Self.product(factors)
  }

  private mutating func power() -> String {
    if rest.hasPrefix("√") || rest.hasPrefix("^") || digits(Self.raised, peek: true) != nil {
      let index = skip("^") ? script() : digits(Self.raised) ?? ""
      _ = skip("√")
      return "(√\(index) \(primary()))"
    }
    var base = primary()
    while true {
      if let number = digits(Self.lowered) {
        base = "(_ \(base) \(number))"
      } else if let number = digits(Self.raised) {
        base = "(^ \(base) \(number))"
      } else if skip("_") {
        base = "(_ \(base) \(script()))"
      } else if skip("^") {
        base = "(^ \(base) \(script()))"
      } else {
        return base
      }
    }
  }

  private static let raised = Array("⁰¹²³⁴⁵⁶⁷⁸⁹")
  private static let lowered = Array("₀₁₂₃₄₅₆₇₈₉")

  private mutating func digits(_ signs: [Character], peek: Bool = false) -> String? {
    let digits = rest.prefix(while: signs.contains)
    if !peek { rest = rest.dropFirst(digits.count) }
    return digits.isEmpty ? nil : digits.compactMap(signs.firstIndex).map(String.init).joined()
  }

  private mutating func script() -> String {
    guard !rest.hasPrefix("(") else { return primary() }
    let word = rest.prefix { $0.isLetter || "0123456789".contains($0) }
    rest = rest.dropFirst(word.count)
    return String(word)
  }

  private static let names = ["overline", "underline", "cancel", "vec", "lim"]

  private mutating func primary() -> String {
    if let name = Self.names.first(where: rest.hasPrefix), skip(name) {
      return rest.hasPrefix("(") ? "(\(name) \(primary()))" : name
    }
    if skip("(") {
      let inner = relation()
      return skip(")") ? inner : "\(inner) without end"
    }
    let number = rest.prefix { "0123456789".contains($0) }
    let word = number.isEmpty ? rest.prefix(1) : number
    rest = rest.dropFirst(word.count)
    return String(word)
  }
}
