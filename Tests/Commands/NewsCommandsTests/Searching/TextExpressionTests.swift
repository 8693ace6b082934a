import CommandLine
import TestSupport
import Testing

@testable import Searching

@Suite("--grep /…/ is an expression of PCRE2 that ignores case and accents, and never hangs")
struct TextExpressionTests {
  private func matches(_ expression: String, _ texts: String...) throws -> Bool {
    let matcher = TextExpression.Matcher(try TextExpression(expression))
    var folded = FoldedText()
    for text in texts { folded.append(text) }
    return try matcher.matches(folded.bytes)
  }

  @Test(
    "it finds what is written, whatever the case and the accents",
    arguments: [
      ("caf.", "das Café", "caf"), ("^plant", "Plants grow", "A plant"),
      ("plant$", "a PLANT", "plants"), ("^$", "", "x"), ("a|b|cd", "xcd", "xc"),
      ("colou?r", "Color", "colr"), ("go+gle", "GOOOgle", "ggle"), ("ab*c", "ac", "ab"),
      ("a{3}", "aaa", "aa"), ("^a{2,3}$", "aaa", "aaaa"), ("^a{2,}$", "aaaaa", "a"),
      ("a{x}", "a{x}", "a"), ("(ab)+c", "xababc", "xaac"),
      ("(?:ab|c){2}", "abc", "ab c"), ("[a-c]x", "BX", "dx"), ("[^a-c]x", "dx", "bx"),
      ("[]x]y", "]y", "ay"), ("[a-]z", "-z", "bz"), ("[[:digit:]]+%", "40%", "%"),
      ("[[:alpha:]]{3}", "äöü", "a1b"), (#"\d{4}"#, "in 2026", "in 26"),
      (#"\bcat\b"#, "a cat.", "concat"), (#"\Bcat"#, "concat", "cat"), (#"\w\s\W"#, "a  ", "a b"),
      (#"\børe\b"#, "en øre", "en øreb"), (#"\.com"#, "x.com", "xcom"), (#"a\/b"#, "a/b", "ab"),
      ("(a|)b$", "b", "a"), ("(^a|b)c", "abc", "xac"), ("a+?b", "aab", "b"), ("}]", "}]", "}"),
      ("é[ÀÉ]", "EE", "eb"), ("[^é]x", "ax", "ex"), (#"(an)\1"#, "Ananas", "An As"),
      ("strasse", "Straße", "Strase"), ("^e\u{301}*$", "ee", "u"), ("[α-ω]ς", "ΟΣ", "xσ"),
      ("[а-я]+ёлка", "ТЁЛКА тёлка", "елка"), ("東.都", "東京都", "東都"), ("^.$", "🦶", "🦶🦶"),
      ("don't", "Don’t", "dont"), (#"[\d,]+ euros"#, "1,000 EUROS", "x euros"),
      (#"\W\W"#, "?!", "é!"),
    ],
  )
  func meaning(_ expression: String, _ match: String, _ other: String) throws {
    #expect(try matches(expression, match))
    #expect(try !matches(expression, other))
  }

  @Test("it is looked for in each text, never across two of them")
  func texts() throws {
    #expect(try matches("^b$", "a", "b", "c"))
    #expect(try !matches("a.b", "a", "b"))
    #expect(try matches("a$", "a", "b") && matches("^b", "a", "b"))
    #expect(try !matches("a"))
  }

  @Test(
    "what is wrong with one is said with the status 64",
    arguments: [
      ("/a(b/", "missing closing parenthesis"), ("/a)b/", "unmatched closing parenthesis"),
      ("/[a/", "missing terminating ]"), ("/*a/", "quantifier does not follow a repeatable item"),
      ("/a{3,2}/", "numbers out of order"), ("/[z-a]/", "range out of order"),
      (#"/\q/"#, #"unrecognized character follows \"#), (#"/\C/"#, #"using \C is disabled"#),
      ("/[[:letter:]]/", "unknown POSIX class name"), (#"/a\/"#, #"\ at end of pattern"#),
      ("/" + String(repeating: "(", count: 300) + "/", "parentheses are too deeply nested"),
      ("/((a{1000}){1000}){1000}/", "regular expression is too large"),
    ],
  )
  func errors(_ text: String, _ reason: String) throws {
    let news = try CommandRun()
    try news.storeSample()
    let result = news("list", "--grep", text)
    #expect(result.status == 64 && result.output.isEmpty)
    #expect(result.errors.contains(" is not a regular expression: \(reason)"), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test("one that goes back and forth without end in a text is given up, and said")
  func hostile() throws {
    let text = String(repeating: "a", count: 1_000)
    #expect(throws: Failure.self) { try matches("^(a|aa)+$", text + "b") }
    let news = try CommandRun()
    try news.store(
      [Sample.story(1, text + "b", hours: 1)],
      subscriptions: [(Sample.feed, "Example")],
    )
    let result = news("list", "--grep", "/^(a|aa)+$/")
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.errors.contains("more than 1000000 times"), "\(result.errors)")
  }

  @Test("it agrees with the standard library's expressions, whatever is written")
  func sameAsStandardLibrary() throws {
    var numbers = Numbers(seed: 1)
    var matchCount = 0
    for _ in 0..<600 {
      let expression = numbers.expression(depth: 3)
      let standard = try Regex(expression).wordBoundaryKind(.simple)
      for _ in 0..<8 {
        let text = numbers.text()
        let isMatch = text.firstMatch(of: standard) != nil
        #expect(try matches(expression, text) == isMatch, "/\(expression)/ in \(text)")
        matchCount += isMatch ? 1 : 0
      }
    }
    #expect((500...4_300).contains(matchCount))
  }

  @Test("list takes it between slashes, and finds in titles and summaries")
  func command() throws {
    let news = try CommandRun()
    try news.storeSample()
    #expect(news("list", "--grep", "/^caf[eé] .*lait$/").output.hasPrefix("1\tCafé au lait"))
    #expect(news("list", "--grep", "/^summary of [no]/").output.split(separator: "\n").count == 2)
    #expect(news("list", "--grep", "/zebra/").output.isEmpty)
    // A single slash, or two with nothing between, is a word.
    #expect(news("list", "--grep", "//").output.isEmpty)
    #expect(news("list", "--grep", "/").output.isEmpty)
  }
}

private struct Numbers {
  private var chance: Chance

  init(seed: UInt64) {
    chance = Chance(seed: seed)
  }

  mutating func text() -> String {
    (0..<chance.below(9)).map { _ in ["a", "b", "c", " "][chance.below(4)] }.joined()
  }

  mutating func expression(depth: Int) -> String {
    guard depth > 0 else { return ["a", "b", "c", ".", "[ab]", "[^a]", #"\w"#][chance.below(7)] }
    let one = expression(depth: depth - 1)
    switch chance.below(9) {
    case 0: return "(?:\(one))*"
    case 1: return "(?:\(one))+"
    case 2: return "(?:\(one))?"
    case 3: return "(?:\(one)){1,2}"
    case 4: return "(?:\(one)|\(expression(depth: depth - 1)))"
    case 5: return "^\(one)"
    case 6: return "\(one)$"
    case 7: return #"\b"# + one
    default: return one + expression(depth: depth - 1)
    }
  }
}
