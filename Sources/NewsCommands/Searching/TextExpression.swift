/// A regular expression for folded texts.
///
/// Own code, for neither alternative is fit: libc's `regexec` knows letters only through the
/// process's locale, and takes microseconds a call and unbounded time for some expressions; the
/// standard library's `Regex` backtracks, too. This one reads each text once, knows the folding of
/// the words, and is the same on every system.
struct TextExpression: Hashable, Sendable {
  let source: String
  let program: ExpressionProgram

  init(_ source: String) throws(ExpressionError) {
    self.source = source
    program = try ExpressionProgram(ExpressionParser.read(source))
  }

  static func == (one: TextExpression, other: TextExpression) -> Bool {
    one.source.unicodeScalars.elementsEqual(other.source.unicodeScalars)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(source)
  }
}
