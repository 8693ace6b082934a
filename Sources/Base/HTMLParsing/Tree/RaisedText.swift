/// The form that a `<sup>` or a `<sub>` has in a line: `10⁻³`, `2^l`, `e^(kt)`, `z_max`.
package struct RaisedText: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    case raised, lowered
  }

  package private(set) var before = ""
  package private(set) var after = ""
  private(set) var isSigns = false
  private let place: Place

  /// The characters of a power; a longer text behind a space is small print.
  private static let longestPower = 12

  /// Takes as `base` the end of the text before: of `1<sup>st</sup>` it is the one.
  package init(_ text: String, _ place: Place, behind base: String, isUnicode: Bool = true) {
    self.place = place
    guard text.contains(where: { $0.isLetter || $0.isNumber || Self.digits.contains($0) }),
      let first = text.first, !"([{^_".contains(first)
    else { return }
    if text.allSatisfy(Self.digits.contains) || text == "TM" {
      isSigns = isUnicode
      if !isUnicode, place == .raised { before = "^" }
      return
    }
    let isSmallPrint =
      base.last?.isWhitespace ?? true
      && (text.count > Self.longestPower || text.contains(where: \.isWhitespace))
    if isSmallPrint || Self.isWord(text, place, behind: base) { return }
    let isOne =
      place == .raised ? text.count == 1 : text.allSatisfy { $0.isLetter || $0.isNumber }
    before = (place == .raised ? "^" : "_") + (isOne ? "" : "(")
    after = isOne ? "" : ")"
  }

  package func signs(_ text: String) -> String {
    guard isSigns else { return text }
    if text == "TM" { return place == .raised ? "™" : text }
    let signs = place == .raised ? Self.raised : Self.lowered
    return String(text.map { Self.digits.firstIndex(of: $0).map { signs[$0] } ?? $0 })
  }

  /// Returns the text of a link to a footnote: `[1]`.
  package static func note(_ text: String) -> String {
    guard let first = text.first, first.isLetter || first.isNumber || "*†‡§".contains(first) else {
      return text
    }
    return "[\(text)]"
  }

  package func line(_ text: String) -> String { before + signs(text) + after }

  private static let digits = Array("0123456789+-−")
  private static let raised = Array("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
  private static let lowered = Array("₀₁₂₃₄₅₆₇₈₉₊₋₋")

  // MARK: Words

  /// Recognizes the end of a word or of an ordinal: `1st`, `Mlle`, `nº`, `XIXe`, `LaTeX`.
  private static func isWord(_ text: String, _ place: Place, behind base: String) -> Bool {
    let text = text.lowercased()
    guard let last = base.last else { return false }
    guard place == .raised else {
      return text == "e" && (base.lowercased().hasSuffix("lat") || base.hasSuffix("BibT"))
    }
    if text.count > 1 { return ends.contains(text) && (last.isLetter || last.isNumber) }
    if last.isNumber { return "eoahªº".contains(text) }
    return letters[text]?.contains(last) ?? false
  }

  private static let ends: Set<String> = [
    "st", "nd", "rd", "th", "er", "ers", "re", "res", "es", "ère", "ème", "eme", "ième", "ieme",
    "nde", "os", "as", "ra", "da", "ta", "va", "lle", "lles", "me", "mes", "mme", "gr", "rs", "te",
    "tes", "ie", "ier", "bis", "ter", "sm", "mc", "md",
  ]

  /// The letters that may stand before each.
  private static let letters: [String: String] = [
    "o": "nN", "e": "IVXLCDM", "r": "DM", "t": "S", "a": "L",
  ]
}
