import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import HTMLText
@testable import Searching
@testable import System

@Suite("text, widths and numbers in the output")
struct OutputTextTests {
  @Test(
    "a text is as wide as a terminal shows it",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("東京", 4), ("ｱ", 1), ("Ａ", 2), ("👩‍👩‍👧", 2),
      ("🇨🇭", 2), ("👍🏽", 2), ("☀", 1), ("☀\u{fe0f}", 2), ("한글", 4), ("\u{1112}\u{1161}\u{11ab}", 2),
      ("நி", 2), ("हिन्दी", 5), ("กำ", 2), ("ｶﾞ", 2), ("1️⃣", 2), ("❤️‍🔥", 2),
      ("🇨", 1), ("क\u{94d}\u{200d}ष", 2), ("שלום", 4), ("a\u{200d}b", 2), ("…", 1), ("★", 1),
      ("½", 1),
    ],
  )
  func width(_ text: String, _ columns: Int) {
    #expect(TerminalText.width(text) == columns)
  }

  @Test(
    "a text is cut so that it fits, never in the middle of a character",
    arguments: [
      ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("ab cd", 4, "ab…"), ("東京駅", 5, "東京…"),
      ("東京駅", 4, "東…"), ("👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"), ("abc", 1, "…"), ("abc", 0, ""),
    ],
  )
  func cut(_ text: String, _ columns: Int, _ expected: String) {
    #expect(TerminalText.cut(text, to: columns) == expected)
  }

  @Test("what dresses a text has no width, and no soft hyphen is shown")
  func dressAndHyphens() {
    let style = Style(isColored: true, hasHyperlinks: true)
    let styled = style.link(style.bold("東京") + style.dim("x"), to: "https://a.example/")
    #expect(TerminalText.unstyled("a" + styled + "b") == "a東京xb")
    #expect(StoryTitle.text("Donau\u{ad}dampf", summary: nil) == "Donaudampf")
  }

  @Test("lines are broken at spaces, long words between characters, links not at all")
  func wrap() {
    #expect(TerminalText.wrap("one two three", to: 7) == ["one two", "three"])
    #expect(TerminalText.wrap("a 東京東京", to: 5) == ["a", "東京", "東京"])
    #expect(
      TerminalText.wrap("x https://example.com/y z", to: 8) == ["x", "https://example.com/y", "z"]
    )
    #expect(TerminalText.wrap("  ", to: 8).isEmpty)
  }

  @Test("JSON strings escape what JSON forbids and what could hide")
  func jsonStrings() {
    #expect(
      PrintedJSON.string("a\"\\\n\t\u{1b}\u{7f}\u{85}\u{2028}\u{202e}\u{e0041}é😀/").description
        == "\"a\\\"\\\\\\n\\t\\u001b\\u007f\\u0085\\u2028\\u202e\\udb40\\udc41é😀/\""
    )
    #expect(PrintedJSON.text("").description == "null")
  }

  @Test(
    "seconds have three decimals",
    arguments: [
      (0.4124, "0.412"), (0.0005, "0.001"), (12, "12.000"), (-1, "0.000"), (.nan, "0.000"),
    ],
  )
  func seconds(_ value: Double, _ text: String) {
    #expect(Seconds.text(value) == text)
  }

  @Test(
    "a date is told as people do",
    arguments: [
      (0, "now"), (59, "now"), (60, "1 min ago"), (3599, "59 min ago"), (3600, "1 h ago"),
      (5 * 3600, "5 h ago"), (12 * 3600, "12 h ago"), (13 * 3600, "yesterday"),
      (36 * 3600, "yesterday"), (37 * 3600, "2 days ago"), (7 * 86_400, "25 Oct"),
      (400 * 86_400, "27 Sep 2025"), (-30, "now"), (-7200, "1 Nov"),
    ],
  )
  func relativeDates(_ age: Int, _ text: String) {
    let dates = RelativeDate(clock: .utc(1_793_534_400))
    #expect(dates.text(1_793_534_400 - age) == text)
  }

  @Test("of the days of one column either all have their year, or none")
  func agreeing() {
    let dates = RelativeDate(clock: .utc(1_793_534_400))
    func column(_ days: [Int]) -> [String] {
      let instants = days.map { 1_793_534_400 - $0 * 86_400 }
      let agreed = dates.agreeing(on: instants)
      return instants.map { agreed.text($0) }
    }
    #expect(column([0, 8, 100]) == ["now", "24 Oct", "24 Jul"])
    #expect(column([0, 8, 400]) == ["now", "24 Oct 2026", "27 Sep 2025"])
    // A few days ago are no date, even if that was in another year.
    let early = RelativeDate(clock: .utc(1_798_934_400))
    #expect(
      early.agreeing(on: [1_798_934_400 - 4 * 86_400]).text(1_798_934_400 + 86_400) == "4 Jan"
    )
  }

  @Test(
    "a point in time is read in the forms of the help, or refused",
    arguments: [
      ("2026-11-01", 1_793_491_200, 1_793_577_599), ("yesterday", 1_793_404_800, 1_793_491_199),
      ("today", 1_793_491_200, 1_793_577_599), ("3d", 1_793_275_200, 1_793_275_200),
      ("2h", 1_793_527_200, 1_793_527_200), ("1w", 1_792_929_600, 1_792_929_600),
      ("90 min", 1_793_529_000, 1_793_529_000), ("1mo", 1_790_856_000, 1_790_856_000),
      ("2026-11-01T10:00", 1_793_527_200, 1_793_527_200),
      ("2026-11-01 10:00:30", 1_793_527_230, 1_793_527_230),
      ("2026-11-01T10:00:00+02:00", 1_793_520_000, 1_793_520_000),
      ("2026-11-01T10:00:00.5Z", 1_793_527_200, 1_793_527_200), ("2026-02-30", nil, nil),
      ("2026-11-01T10:00-0330", 1_793_539_800, 1_793_539_800), ("2026-11-1", nil, nil),
      ("2026-11-01T10:00+02", 1_793_520_000, 1_793_520_000), ("2026-11-01T10:00+2", nil, nil),
      ("2026-13-01", nil, nil), ("3x", nil, nil), ("d", nil, nil), ("", nil, nil),
      ("2026-11-01T25:00", nil, nil), ("2026-11-01T10:00:00+", nil, nil), ("-3d", nil, nil),
      ("tuesday", 1_793_059_200, 1_793_145_599), ("Last Tue", 1_793_059_200, 1_793_145_599),
      ("sunday", 1_792_886_400, 1_792_972_799), ("saturday", 1_793_404_800, 1_793_491_199),
      ("last week", 1_792_368_000, 1_792_972_799), ("this week", 1_792_972_800, 1_793_577_599),
      ("last month", 1_790_812_800, 1_793_491_199), ("this month", 1_793_491_200, 1_796_083_199),
      ("week", nil, nil), ("this tuesday", nil, nil), ("last", nil, nil), ("next week", nil, nil),
      ("the last week", nil, nil),
    ] as [(String, Int?, Int?)],
  )
  func times(_ text: String, _ start: Int?, _ end: Int?) {
    let expression = TimeExpression(clock: .utc(1_793_534_400))
    #expect(expression.seconds(text, edge: .start) == start)
    #expect(expression.seconds(text, edge: .end) == end)
  }

  @Test(
    "a search ignores case and diacritics",
    arguments: [
      ("Café", "CAFE"), ("Straße", "straße"), ("ÅNGSTRÖM", "angstrom"), ("e\u{301}t\u{e9}", "ete"),
      ("ΆΛΦΑ", "αλφα"), ("Ёлка", "елка"), ("Łódź", "lodz"), ("東京", "京"), ("x", ""),
    ],
  )
  func folding(_ text: String, _ needle: String) {
    #expect(TextFolding.contains(text, TextFolding.fold(needle)))
    #expect(!TextFolding.contains(text, TextFolding.fold(needle + "zz")))
  }

  @Test(
    "colour follows the option, NO_COLOR, CLICOLOR_FORCE, TERM and the stream, in this order",
    arguments: [
      ([:], true, .auto, true), ([:], false, .auto, false),
      (["NO_COLOR": "1"], true, .auto, false),
      (["NO_COLOR": ""], true, .auto, true), (["NO_COLOR": "1"], true, .always, true),
      (["CLICOLOR_FORCE": "1"], false, .auto, true),
      (["CLICOLOR_FORCE": "0"], false, .auto, false),
      (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], true, .auto, false),
      (["TERM": "dumb"], true, .auto, false), (["TERM": "dumb"], true, .always, true),
      (["CLICOLOR": "0"], true, .auto, false), ([:], true, .never, false),
    ] as [([String: String], Bool, ColorChoice, Bool)],
  )
  func color(_ variables: [String: String], _ isTerminal: Bool, _ choice: ColorChoice, _ on: Bool) {
    let style = Style.forStream(isTerminal: isTerminal, choice: choice) { variables[$0] }
    #expect(style.isColored == on)
  }

  @Test("colors of one's own are numbers of SGR; other words change nothing, and send nothing")
  func ownColors() {
    let words = "feed=1;34:chosen=30;43:title=\u{1b}[2J:bad=31m:none=5:good:faint="
    let style = Style.forStream(isTerminal: true, choice: .auto) {
      $0 == "NEWS_COLORS" ? words : nil
    }
    #expect(
      style.codes.faults == [
        "title= [2J is left out; colors are numbers of SGR: title=30;43",
        "bad=31m is left out; colors are numbers of SGR: bad=30;43",
        "none=5 is left out; there are title, faint, feed, good, bad, chosen",
        "good is left out; colors are numbers of SGR: good=30;43",
        "faint= is left out; colors are numbers of SGR: faint=30;43",
      ]
    )
    #expect(style.cyan("x") == "\u{1b}[1;34mx\u{1b}[0m")
    #expect(style.styled("x", [.reversed, .bold]) == "\u{1b}[1;30;43mx\u{1b}[0m")
    #expect(style.bold("x") == "\u{1b}[1mx\u{1b}[0m" && style.dim("x") == "\u{1b}[2mx\u{1b}[0m")
    #expect(style.red("x") == "\u{1b}[31mx\u{1b}[0m" && style.green("x") == "\u{1b}[32mx\u{1b}[0m")
  }

  @Test(
    "only http and https links with a host are printed as links",
    arguments: [
      ("https://example.com/", true), ("HTTP://a", true), ("http:///x", false), ("http://", false),
      ("javascript:x", false), ("https://a\u{1b}", false), ("https://a b", false), ("", false),
      ("https://é.example/", false),
    ],
  )
  func links(_ url: String, _ isSafe: Bool) {
    #expect(SafeLink.isSafe(url) == isSafe)
  }

  @Test(
    "what a word names",
    arguments: [
      ("https://a.example/x", .web("https://a.example/x")),
      ("a.example", .web("https://a.example")),
      ("feed://a.example/x", .web("https://a.example/x", orElse: "http://a.example/x")),
      ("FEED:a.example/x", .web("https://a.example/x", orElse: "http://a.example/x")),
      ("feeds://a.example/x", .web("https://a.example/x")),
      ("<HTTPS://a.example/x>", .web("https://a.example/x")),
      ("\u{A0}\u{200B}a.example/x \n", .web("https://a.example/x")),
      ("feed:", nil), ("feed://", nil), ("itpc:///", nil),
      ("feed:https://a.example/x", .web("https://a.example/x")),
      ("localhost:8080/feed", .web("http://localhost:8080/feed")),
      ("a.example/feed.xml", .web("https://a.example/feed.xml")),
      ("file:///tmp/a%20b.xml", .file("/tmp/a b.xml")), ("here.xml", .file("/cwd/here.xml")),
      ("../here.xml", .file("/here.xml")), ("gone.xml", nil), ("gopher://a/", nil), ("word", nil),
      ("127.0.0.1:8123/x.xml", .web("http://127.0.0.1:8123/x.xml")),
      ("127.0.0.1", .web("http://127.0.0.1")), ("host/x.xml", .web("https://host/x.xml")),
      ("a.example:81", .web("http://a.example:81")), ("folder/x.xml", nil), (".a/x.xml", nil),
      ("1.2.3.4:x/y", nil), ("1.2.3.4:/y", nil), ("/host/x.xml", nil), ("a b/x.xml", nil),
    ] as [(String, FeedSource?)],
  )
  func sources(_ word: String, _ expected: FeedSource?) {
    let source = try? FeedSource.read(word, in: "/cwd") { path in
      path.hasSuffix("here.xml") ? .file : path == "/cwd/folder" ? .folder : nil
    }
    #expect(source == expected)
  }

  @Test("a path and its file URL are each other's")
  func fileURLs() {
    let path = "/tmp/a b/ü%?#.xml"
    #expect(LocalPath.fileURL(path) == "file:///tmp/a%20b/%C3%BC%25%3F%23.xml")
    #expect(LocalPath.path(ofFileURL: LocalPath.fileURL(path)) == path)
  }

  @Test(
    "a path is cleared of dots and double slashes",
    arguments: [
      ("/a/b", "/a/b"), ("/a//b", "/a/b"), ("/a/./b", "/a/b"), ("/a/../b", "/b"), ("/a/", "/a"),
      ("/", "/"), ("//", "/"), ("/..", "/"), ("/a/.b", "/a/.b"), ("/a/...", "/a/..."),
      ("/a/b.", "/a/b."), ("", "/"), ("a", "/a"),
    ],
  )
  func normalized(_ path: String, _ expected: String) {
    #expect(LocalPath.normalized(path) == expected)
  }

  @Test("a date of mail has the right day of the week")
  func mailDate() {
    #expect(MailDate.text(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(MailDate.text(951_782_400) == "Tue, 29 Feb 2000 00:00:00 GMT")
    #expect(MailDate.text(1_793_534_400) == "Sun, 01 Nov 2026 12:00:00 GMT")
  }
}
