import System
import TestSupport
import Testing

@testable import Searching

@Suite("A search is read as one value, and printed as what is read as the same again")
struct SearchLanguageTests {
  private func read(_ text: String) throws -> Condition<SearchTerm> {
    try StorySearch(text).condition
  }

  private func word(_ text: String, _ place: SearchPlace = .anywhere) -> Condition<SearchTerm> {
    .term(.text(place, .words(text)))
  }

  private func expression(
    _ source: String,
    _ place: SearchPlace = .anywhere,
  ) throws -> Condition<SearchTerm> {
    .term(.text(place, .expression(try TextExpression(source))))
  }

  @Test("and binds closer than or, not closest; parentheses and minus do as one expects")
  func joining() throws {
    let (a, b, c) = (word("a"), word("b"), word("c"))
    let meanings: [(String, Condition<SearchTerm>)] = [
      ("a b", .all([a, b])), ("a and b", .all([a, b])), ("a AND b", .all([a, b])),
      ("a or b", .any([a, b])), ("a OR b or c", .any([a, b, c])),
      ("a b or c", .any([.all([a, b]), c])), ("a or b c", .any([a, .all([b, c])])),
      ("(a or b) c", .all([.any([a, b]), c])), ("a (b c)", .all([a, b, c])),
      ("-a", .not(a)), ("not a", .not(a)), ("NOT a b", .all([.not(a), b])),
      ("-(a or b)", .not(.any([a, b]))), ("not(a or b)", .not(.any([a, b]))),
      ("-(-a)", a), ("not not a", a), ("a -b or c", .any([.all([a, .not(b)]), c])),
      ("((a))", a), ("(a)or(b)", .any([a, b])),
      ("-(a -(b or c))", .not(.all([a, .not(.any([b, c]))]))),
    ]
    for (text, meaning) in meanings { #expect(try read(text) == meaning, "\(text)") }
  }

  @Test("words with the signs of the language in other places are words")
  func plain() throws {
    let texts = [
      "camera", "camera lens", "\"two words\"", "\"two   words\" more", "/reg ex/", "/a/b/", "//",
      "/",
      "/etc/passwd", "/etc/passwd more", "\"\"", "", "  ", "c++:", "12:30",
      "https://example.org/a:b",
      "-", "--verbose", "12\"", "a\"b c\"", "f(x)", "std::map", "note: this", "D:", "\"a b\"c",
      "/foo/ bar/", "/[/ ]x/", "“quoted", "a/b", "\u{301}", "x-y", "http://", "feed://example.org",
    ]
    for text in texts {
      let isOfWords = try StorySearch(text).condition.terms.allSatisfy { term in
        if case .text(.anywhere, _) = term { true } else { false }
      }
      #expect(isOfWords, "\(text)")
    }
  }

  @Test("expressions end before white space or parentheses; slashes in them may have backslashes")
  func expressions() throws {
    #expect(try read("/a/ or /b/") == .any([expression("a"), expression("b")]))
    #expect(try read("/a/ -/b c/") == .all([expression("a"), .not(expression("b c"))]))
    #expect(try read("(/a(b)/ or c)") == .any([expression("a(b)"), word("c")]))
    #expect(try read("title:/^a b$/ c") == .all([expression("^a b$", .title), word("c")]))
    #expect(try read(#"/a\/b/"#) == expression("a/b"))
    #expect(try read(#"/a\/ b/ c"#) == .all([expression("a/ b"), word("c")]))
    #expect(try read("/a b/ c") == .all([expression("a b"), word("c")]))
  }

  @Test("fields have values; the words of texts may have colons")
  func fields() throws {
    let terms: [(String, SearchTerm)] = [
      ("title:camera", .text(.title, .words("camera"))), ("TITLE:x", .text(.title, .words("x"))),
      ("author:\"Ann  Lee\"", .text(.author, .words("Ann Lee"))),
      ("text:12:30", .text(.text, .words("12:30"))),
      ("category:a", .text(.category, .words("a"))),
      ("link:https://x.org/", .text(.link, .words("https://x.org/"))),
      ("site:Example.ORG", .site("example.org")), ("site:https://a.b/c", .site("a.b")),
      ("feed:lwn", .feed("lwn")), ("feed:\"Hacker News\"", .feed("Hacker News")),
      ("tag:work/daily", .tag("work/daily")), ("is:unread", .state(.unread)),
      ("is:Starred", .state(.starred)), ("has:enclosure", .part(.enclosure)),
      ("since:3d", .since("3d")), ("since:\"last week\"", .since("last week")),
      ("before:2026-11-01", .before("2026-11-01")),
      ("length:>2000", .length(isAbove: true, 2000)), ("length:<5", .length(isAbove: false, 5)),
      ("length:>=2000", .length(isAbove: true, 1999)), ("length:<=5", .length(isAbove: false, 6)),
      ("lang:pt_BR", .language("pt-br")), ("today", .today), ("Today", .today),
      ("\"today\"", .text(.anywhere, .words("today"))),
      ("\"or\"", .text(.anywhere, .words("or"))),
      ("\"-a\"", .text(.anywhere, .words("-a"))),
      ("\"auther:x\"", .text(.anywhere, .words("auther:x"))),
    ]
    for (text, term) in terms { #expect(try read(text) == .term(term), "\(text)") }
  }

  @Test("a field before parentheses is that of each thing in them that has none of its own")
  func groups() throws {
    let (a, b) = (word("a", .title), word("b", .title))
    let meanings: [(String, Condition<SearchTerm>)] = [
      ("title:(a or b)", .any([a, b])), ("title:(a b) c", .all([a, b, word("c")])),
      ("-title:(a or b)", .not(.any([a, b]))), ("title:(-a)", .not(a)),
      ("TITLE:(a)b", .all([a, word("b")])),
      ("title:(a (b or text:c))", .all([a, .any([b, word("c", .text)])])),
      (
        "title:(a author:(b or c) b)",
        .all([a, .any([word("b", .author), word("c", .author)]), b]),
      ),
      ("title:(\"x y\" or /z w/)", .any([word("x y", .title), try expression("z w", .title)])),
      ("title:(today or 12:30)", .any([word("today", .title), word("12:30", .title)])),
      ("is:(unread or starred)", .any([.term(.state(.unread)), .term(.state(.starred))])),
      (
        "length:(>2 <9)",
        .all([.term(.length(isAbove: true, 2)), .term(.length(isAbove: false, 9))]),
      ),
      (
        "feed:(lwn or \"a b\") today",
        .all([.any([.term(.feed("lwn")), .term(.feed("a b"))]), .term(.today)]),
      ),
    ]
    for (text, meaning) in meanings { #expect(try read(text) == meaning, "\(text)") }
  }

  @Test("a field before parentheses makes of what is printed of words the same in that field")
  func groupRoundTrip() throws {
    var searches = SearchMaker(seed: 7)
    for _ in 0..<2_000 {
      let condition = try searches.condition(depth: 3)
      let isMeant = condition.terms.allSatisfy { term in
        guard case .text(_, .words(let word)) = term else { return term != .today }
        return FoldedWord(word) != nil
      }
      guard isMeant else { continue }
      var search = StorySearch()
      search.condition = condition
      let text = search.text
      let expected = condition.map { term -> SearchTerm in
        if case .text(.anywhere, let text) = term { .text(.title, text) } else { term }
      }
      #expect(try read("title:(\(text))") == expected, "\(text)")
    }
  }

  @Test("an order is about all that is found")
  func orders() throws {
    #expect(try StorySearch("a sort:title b").sort == SearchSort(.title))
    #expect(try StorySearch("-sort:date").sort == SearchSort(.date, isReversed: true))
    #expect(try StorySearch("a or b sort:length").condition == read("a or b"))
    #expect(try StorySearch("sort:unread").condition == .always)
  }

  @Test(
    "what is not understood is refused with its place, and with what is near",
    arguments: [
      (
        "auther:x", 1,
        "no field auther:; there is author: (a word with a colon goes in quotation marks)",
      ),
      ("camera auther:x", 8, "no field auther:; there is author:"),
      ("zzz:x", 1, "no field zzz:; the fields are title, text"),
      ("is:raed", 4, "no is:raed; there is is:read"),
      ("has:x", 5, "it is one of enclosure, image"),
      ("sort:name", 6, "it is one of date, feed, title, length, unread"),
      ("a -b title:", 12, "title: needs a value right behind the colon"),
      ("title: camera", 7, "title: needs a value"), ("title:()", 7, "nothing stands in these"),
      ("title:(a", 7, "this ( is not closed"),
      ("is:(read raed)", 10, "no is:raed; there is is:read"),
      ("sort:(date)", 6, "no sort:(date)"), ("title:(a \"\")", 10, "there is no word to look for"),
      ("since:soon", 7, "soon is not a time"), ("length:2000", 8, "no length in characters"),
      ("lang:d", 6, "no language, such as de"), ("site:.", 6, "is no host"),
      ("a (b", 3, "this ( is not closed"), ("a) b", 2, "this ) closes nothing"),
      ("a ()", 3, "nothing stands in these parentheses"),
      ("or a", 1, "or needs something on both sides"),
      ("a or", 3, "or needs something on both sides"), ("a or or b", 3, "or needs something"),
      ("and a", 1, "and needs something"), ("a and", 3, "and needs something"),
      ("a not", 3, "not needs something behind it; as a word: \"not\""),
      ("-\"\"", 1, "there is no word to leave out"),
      ("title:\"\"", 7, "there is no word to look for"),
      ("a \"b", 3, "this quotation mark is not closed"),
      ("x /(/ y", 3, "/(/ is not a regular expression: missing closing parenthesis"),
      ("(a sort:title)", 4, "it stands outside of parentheses"),
      ("sort:date sort:feed", 11, "sort: already"),
      ("not sort:date", 5, "it stands by itself"),
    ],
  )
  func faults(_ text: String, _ place: Int, _ reason: String) throws {
    let fault = try #require(throws: SearchFault.self) { try StorySearch(text) }
    #expect(fault.offset + 1 == place && fault.reason.contains(reason), "\(fault)")
  }

  @Test("what is nested without end is refused, not followed")
  func depth() throws {
    for text in [
      String(repeating: "(", count: 100_000), String(repeating: "not ", count: 100_000) + "a",
    ] {
      #expect(throws: SearchFault.self) { try StorySearch(text) }
    }
    #expect(
      try read(String(repeating: "(", count: 40) + "a" + String(repeating: ")", count: 40))
        == word("a")
    )
  }

  @Test("two quotation marks within a phrase are one")
  func quotationMarks() throws {
    #expect(try read("\"12\"\" disc\"") == word("12\" disc"))
    #expect(try read("\"\"\"\"") == word("\""))
    #expect(try read("title:\"a\"\"b\"") == word("a\"b", .title))
    #expect(throws: SearchFault.self) { try StorySearch("\"a\"\"") }
  }

  @Test("a search is bounded: in its length, its words, its expressions, and all together")
  func limits() throws {
    func many(_ count: Int, _ part: String) -> String {
      (0..<count).map { "\(part)\($0)/" }.joined(separator: " or ")
    }
    #expect(try read(many(200, "/a")).terms.count == 200)
    #expect(try read(many(2_000, "a")).terms.count == 2_000)
    for text in [
      many(201, "/a"), many(2_001, "a"), String(repeating: "a", count: 65_537),
      String(repeating: "/a ", count: 21_000),
    ] {
      let fault = try #require(throws: SearchFault.self) { try StorySearch(text) }
      #expect(fault.reason.contains("a search has at most"))
    }
    var search = try StorySearch(many(150, "/a"))
    #expect(throws: SearchFault.self) { try search.add(StorySearch(many(51, "/b"))) }
    try search.add(StorySearch("b"))
  }

  @Test("what is printed is read as the same value, whatever it is")
  func roundTrip() throws {
    var searches = SearchMaker(seed: 3)
    for _ in 0..<4_000 {
      let search = try searches.search()
      let text = search.text
      let again = try StorySearch(text)
      #expect(again == search, "\(text)")
      #expect(again.text == text)
      #expect(!search.words(.system).isEmpty)
    }
  }

  @Test("whatever is typed is printed as what is read as the same again")
  func typedRoundTrip() throws {
    let pieces = [
      "\"", "/", " ", "(", ")", "-", "a", "f", "\\", " or ", "not ", "title:", "feed:", "tag:", ":",
      "|", "sort:title", "\t", "\u{301}", "//", "/a/", "\" \"", "since:", "today", "and",
    ]
    var chance = Chance(seed: 11)
    var read = 0
    for _ in 0..<20_000 {
      let typed = (0..<1 + chance.below(9)).map { _ in pieces[chance.below(pieces.count)] }.joined()
      guard let search = try? StorySearch(typed) else { continue }
      read += 1
      let text = search.text
      let again = try? StorySearch(text)
      #expect(again == search && again?.text == text, "\(typed) is printed as \(text)")
    }
    #expect(read > 3_000)
  }

  @Test("the searches of the page about them are understood, twenty of them in its last table")
  func page() throws {
    let path = BuiltProduct.fixture("../Sources/news/Documentation.docc/Searching.md")
    let parts = try readText(path).split(separator: "\n## ")
    var searches: [String] = []
    for part in parts {
      let column = part.contains("| what | search |") ? 2 : 1
      let rows = part.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
      let found = rows.flatMap { row in
        let cell = row.split(separator: "|")[column - 1]
        return cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
      }
      if column == 2 { #expect(rows.count == 20 && found.count == 20) }
      searches += found
    }
    #expect(searches.count > 50)
    for search in searches {
      let read = try StorySearch(search)
      #expect(!read.isEmpty, "\(search)")
    }
  }

  @Test("a search is told in words, a not of several things of each of them")
  func words() throws {
    let told: [(String, String)] = [
      ("camera -privacy", "have “camera”, and do not have “privacy”"),
      ("a or is:unread", "have “a” or are unread"),
      ("-(a or b)", "do not have “a”, and do not have “b”"),
      ("(a or title:b) today", "(have “a” or have “b” in the title), and are of today"),
      ("-(a author:b)", "do not have “a” or do not have “b” in the author"),
      (
        "/x y/ length:>2 -has:image",
        "have what /x y/ matches, and have more than 2 characters, and do not have an image",
      ),
      ("since:2026-11-01 lang:de", "are as new as 2026-11-01 00:00, and are in the language de"),
    ]
    for (text, words) in told { #expect(try StorySearch(text).words(.system) == words) }
  }
}

struct SearchMaker {
  private var chance: Chance

  init(seed: UInt64) {
    chance = Chance(seed: seed)
  }

  mutating func one<Value>(of values: [Value]) -> Value { values[chance.below(values.count)] }

  mutating func search() throws -> StorySearch {
    var search = StorySearch()
    search.condition = chance.below(20) == 0 ? .always : try condition(depth: 3)
    if chance.below(4) == 0 {
      search.sort = SearchSort(one(of: SearchSort.Key.allCases), isReversed: chance.below(2) == 0)
    }
    return search
  }

  mutating func condition(depth: Int) throws -> Condition<SearchTerm> {
    guard depth > 0 else { return .term(try term()) }
    let parts = try (0..<2 + chance.below(2)).map { _ in try condition(depth: depth - 1) }
    switch chance.below(4) {
    case 0: return .joined(parts)
    case 1: return .either(parts)
    case 2: return parts[0].opposite
    default: return .term(try term())
    }
  }

  private static let words = [
    "camera", "two words", "or", "NOT", "and", "today", "-x", "--x", "(a", "a)", "a(b)", "a:b",
    "12:30",
    "c++:", "title:x", "/a", "/a/", "https://x.org/a", "12\"", "é", "sort:x", "a b/", "-", "not(a",
    "/", "/\"", "\"f/", "\" \"f", "a\"b", ":", ":x", "\u{301}x", "--\"",
  ]
  private static let expressions = [
    "a", "a b", "a/b", "a/ b", " a ", "^x$", "a|b", #"a\\"#, "(a) b", "[)]", "/",
  ]

  mutating func term() throws -> SearchTerm {
    let text = chance.below(2) == 0
    switch chance.below(12) {
    case 0: return .site("example.org")
    case 1: return .feed(one(of: ["lwn", "Hacker News", "a)b", "/home/feed"]))
    case 2: return .tag(one(of: ["work/daily", "my tag", "-x"]))
    case 3: return .state(one(of: StoryState.allCases))
    case 4: return .part(one(of: StoryPart.allCases))
    case 5: return text ? .since("last week") : .before("2026-11-01")
    case 6: return text ? .today : .language("pt-br")
    case 7: return .length(isAbove: text, chance.below(9_999))
    default:
      let expression = try TextExpression(one(of: Self.expressions))
      let words = SearchText.words(one(of: Self.words))
      return .text(one(of: SearchPlace.allCases), text ? .expression(expression) : words)
    }
  }
}
