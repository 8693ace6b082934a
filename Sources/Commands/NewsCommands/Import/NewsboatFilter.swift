import CommandLine
import Searching

/// Translates a filter of newsboat's ("Filter Language" in newsboat(1)) into a search.
///
/// `and` and `or` are taken from left to right, neither closer than the other, as newsboat 2.21
/// does. What no search can say is refused with the reason.
struct NewsboatFilter {
  private enum Token: Hashable {
    case word(String)
    case text(String)
    case sign(String)
  }

  private var tokens: [Token]
  private var index = 0
  private var depth = 0

  static func search(_ filter: String) throws -> StorySearch {
    var parser = NewsboatFilter(tokens: try tokens(filter))
    guard !parser.tokens.isEmpty else { throw Failure("an empty filter") }
    var search = StorySearch()
    search.condition = try parser.joined()
    guard parser.index == parser.tokens.count else { throw parser.fault() }
    return search
  }

  // MARK: Words

  private static let signs = [
    "=~", "!~", "==", "!=", "!#", "<=", ">=", "=", "<", ">", "#", "(", ")",
  ]

  private static func tokens(_ filter: String) throws -> [Token] {
    var tokens: [Token] = []
    var rest = Substring(filter)
    while let character = rest.first {
      if character.isWhitespace {
        rest.removeFirst()
      } else if character == "\"" {
        tokens.append(.text(try quoted(&rest)))
      } else if let sign = signs.first(where: { rest.hasPrefix($0) }) {
        tokens.append(.sign(sign))
        rest.removeFirst(sign.count)
      } else {
        let word = rest.prefix { $0.isLetter || $0.isNumber || "_:-.".contains($0) }
        guard !word.isEmpty else { throw notUnderstood(String(character)) }
        tokens.append(.word(String(word)))
        rest.removeFirst(word.count)
      }
    }
    return tokens
  }

  private static func quoted(_ rest: inout Substring) throws -> String {
    var text = ""
    rest.removeFirst()
    while let character = rest.popFirst() {
      if character == "\"" { return text }
      guard character == "\\", let next = rest.first else {
        text.append(character)
        continue
      }
      // Every other backslash is a part of an expression.
      if next != "\"" { text.append("\\") }
      text.append(next)
      rest.removeFirst()
    }
    throw Failure("its quotation mark is not closed")
  }

  private static func notUnderstood(_ word: String) -> Failure {
    Failure("not understood at \(Spelling.quoted(word))")
  }

  private func fault() -> Failure {
    guard index < tokens.count else { return Failure("it breaks off") }
    switch tokens[index] {
    case .word(let word), .text(let word), .sign(let word): return Self.notUnderstood(word)
    }
  }

  // MARK: Joining

  private mutating func joined() throws -> Condition<SearchTerm> {
    var condition = try operand()
    while true {
      if passes(.word("or")) {
        condition = .either([condition, try operand()])
      } else if passes(.word("and")) {
        condition = condition && (try operand())
      } else {
        return condition
      }
    }
  }

  private mutating func passes(_ token: Token) -> Bool {
    guard index < tokens.count, tokens[index] == token else { return false }
    index += 1
    return true
  }

  private mutating func operand() throws -> Condition<SearchTerm> {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 32 else { throw Failure("too much stands in one another") }
    guard passes(.sign("(")) else { return try comparison().condition() }
    let condition = try joined()
    guard passes(.sign(")")) else { throw fault() }
    return condition
  }

  private mutating func comparison() throws -> NewsboatComparison {
    guard case .word(let attribute) = next() else { throw fault(back: 1) }
    let sign: String
    switch next() {
    case .sign(let text) where text != "(" && text != ")": sign = text == "==" ? "=" : text
    case .word("between"): sign = "between"
    default: throw fault(back: 1)
    }
    switch next() {
    case .text(let value), .word(let value):
      return NewsboatComparison(attribute: attribute.lowercased(), sign: sign, value: value)
    default: throw fault(back: 1)
    }
  }

  private mutating func next() -> Token? {
    defer { index += 1 }
    return index < tokens.count ? tokens[index] : nil
  }

  private mutating func fault(back count: Int) -> Failure {
    index -= count
    return fault()
  }
}
