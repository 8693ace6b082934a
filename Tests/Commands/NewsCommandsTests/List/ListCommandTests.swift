import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import ReadingCommands

@Suite("news list")
struct ListCommandTests {
  @Test("on a terminal of 80 columns every line fits, and its columns are aligned")
  func eightyColumns() throws {
    let news = try CommandRun()
    try news.storeSample()
    news.useTerminal(80, variables: ["NO_COLOR": "1"])
    let result = news("list")
    #expect(
      result.output == """
        1• Newest of all                                         Example         1 h ago
        2• 東京で新しい駅が開業 👩‍👩‍👧                               Other Feed      3 h ago
        3  Café au lait                                          Example       yesterday
        4• A title that goes on and on until no terminal of ei…  Example      2 days ago
        5• ★ Oldest                                              Other Feed  27 Sep 2025

        """
    )
    #expect(
      result.output.split(separator: "\n").allSatisfy { TerminalText.width(String($0)) == 80 }
    )
    #expect(result.errors.isEmpty && result.status == 0)
  }

  @Test("a story is dated by what it stands in the order for, also one that was brought up again")
  func datedAsOrdered() throws {
    let news = try CommandRun()
    var stories = [
      Sample.story(1, "Brought up", hours: 1), Sample.story(2, "Stays", hours: 3),
      Sample.story(3, "From tomorrow", hours: -24),
    ]
    stories[0].stored = Sample.story(0, "", hours: 100).stored
    stories[2].stored = Sample.story(0, "", hours: 5).stored
    try news.store(stories, subscriptions: [])
    let list = news("list", "--dates", "relative").output.split(separator: "\n")
    #expect(list.map { $0.split(separator: "\t")[2] } == ["1 h ago", "3 h ago", "5 h ago"])
    let since = news("list", "--since", "4h").output.split(separator: "\n")
    #expect(since.map { $0.split(separator: "\t")[1] } == ["Brought up", "Stays"])
  }

  @Test("a story that was dated ahead goes to its place when its date has come, in browse as well")
  func datedAhead() throws {
    let news = try CommandRun()
    var stories = [
      Sample.story(1, "Fetched later", hours: 1), Sample.story(2, "Dated ahead", hours: 0),
      Sample.story(3, "Old", hours: 9),
    ]
    stories[1].stored = Sample.story(0, "", hours: 2).stored
    try news.store(stories, subscriptions: [])
    let order = ["Dated ahead", "Fetched later", "Old"]
    #expect(news("list", "--format", "{title}").output == order.map { $0 + "\n" }.joined())
    #expect(news("list", "-n1", "--format", "{title}").output == "Dated ahead\n")
    var browser = Browser(try news.store.read(.names))
    try browser.list(try news.context)
    #expect(try (0..<3).map { try browser.stories.story($0).item.title } == order)
    #expect(news("read", "--all", "--since", "30min").errors == "1 story marked read\n")
  }

  @Test("browse puts it there from below hundreds of rows, too")
  func datedAheadBelow() throws {
    let news = try CommandRun()
    var stories = (1...300).map { Sample.story($0, "Story \($0)", hours: $0) }
    stories.append(Sample.story(301, "Dated ahead", hours: 0))
    stories[300].stored = Sample.story(0, "", hours: 302).stored
    try news.store(stories, subscriptions: [])
    var browser = Browser(try news.store.read(.names))
    try browser.list(try news.context)
    #expect(try browser.stories.story(0).item.title == "Dated ahead")
    #expect(try browser.stories.story(300).item.title == "Story 300")
  }

  @Test("--count prints how many there are, and numbers nothing")
  func counted() throws {
    let news = try CommandRun()
    try news.storeSample()
    news("list", "--starred")
    #expect(news("list", "--unread", "--count").output == "4\n")
    #expect(news("list", "--grep", "nothing at all", "--count").output == "0\n")
    #expect(news("show", "1").output.contains("Oldest"))
    #expect(news("list", "--count", "--json").status == 64)
  }

  @Test("what is nearly a list is told how to ask for it")
  func hints() throws {
    let news = try CommandRun()
    try news.storeSample()
    news("feeds", "set", "Example", "--tag", "papers")
    news.launchStatus = 127
    for (words, hint) in [
      (["list", "5"], "for 5 stories: news list -n 5"), (["3"], "did you mean `news show 3`?"),
      (["-n", "5"], "did you mean `news list -n 5`?"), (["status"], "did you mean `news feeds`?"),
      (["edit"], "did you mean `news feeds set FEED`?"),
      (["config"], "did you mean `news help defaults`?"),
      (["list", "--feed", "papers"], "no feed matches papers; did you mean tag:papers?"),
      (["open", "--browser", "1"], "--browser needs it, or a browser that BROWSER names"),
    ] {
      #expect(news.run(words).errors.contains(hint), "\(words): \(news.run(words).errors)")
    }
    #expect(
      news("feeds", "set", "Example", "--pause=tomorrow").errors.contains("2026-11-01 23:59")
    )
    for topic in ["search", "keys", "defaults"] { #expect(news("help", topic).status == 0) }
    #expect(news("help", "search").output.contains("is:read|unread|starred"))
  }

  @Test("a pipe changes no number that stands on the screen, and gives others beyond the greatest")
  func numbersInAPipe() throws {
    let news = try CommandRun()
    try news.storeSample()
    news.useTerminal(80, variables: ["NO_COLOR": "1"])
    #expect(news("list", "-n", "2").output.contains("2• 東京"))
    func piped(_ words: String) -> [String] {
      news.terminal.isOutputTerminal = false
      defer { news.terminal.isOutputTerminal = true }
      return news("list", "--grep", words).output.split(separator: "\n").map {
        $0.split(separator: "\t").prefix(2).joined(separator: " ")
      }
    }
    #expect(piped("oldest") == ["3 Oldest"])
    #expect(news("show", "3", "--json").output.contains("\"title\":\"Oldest\""))
    #expect(piped("café") == ["3 Café au lait"] && piped("newest") == ["1 Newest of all"])
    #expect(news("show", "3", "--json").output.contains("\"title\":\"Oldest\"") == false)
    #expect(news("show", "2", "--json").output.contains("\"title\":\"東京"))
    #expect(news("list", "--grep", "oldest").output.hasPrefix("1  ★ Oldest"))
    #expect(piped("newest") == ["2 Newest of all"] && piped("oldest") == ["1 Oldest"])
    let script = try CommandRun()
    try script.storeSample()
    for title in ["Newest", "Oldest"] {
      #expect(script("list", "--grep", title).output.hasPrefix("1\t\(title)"))
    }
  }

  @Test("who asks for no stories is not told that none matches")
  func none() throws {
    let news = try CommandRun()
    try news.storeSample()
    news.useTerminal(80)
    #expect(news("list", "-n", "0") == CommandResult(output: "", errors: "", status: 0))
    #expect(news("list", "--grep", "nowhere").errors == "no story matches\n")
  }

  @Test("on a wide terminal no title is cut, and the other columns stand beside the titles")
  func wideTerminal() throws {
    let news = try CommandRun()
    try news.storeSample()
    news.useTerminal(200, variables: ["TERM": "dumb"])
    let lines = news("list").output.split(separator: "\n").map(String.init)
    #expect(lines.count == 5)
    let longest = "4• A title that goes on and on until no terminal of eighty columns has room"
    #expect(lines[3] == longest + "  Example      2 days ago")
    let width = TerminalText.width(lines[3])
    #expect(lines.allSatisfy { TerminalText.width($0) == width && !$0.contains("\u{1b}") })
  }

  @Test("a narrow terminal loses the feed first, then the date, never the number")
  func narrowTerminal() throws {
    let news = try CommandRun()
    try news.storeSample()
    news.useTerminal(50, variables: ["NO_COLOR": "1"])
    let lines = news("list").output.split(separator: "\n")
    #expect(lines.first == "1• Newest of all                           1 h ago")
    #expect(lines.allSatisfy { TerminalText.width(String($0)) == 50 })
    #expect(news("list", "-n1").output == "1• Newest of all  Example  1 h ago\n")
    news.terminal.columns = 20
    #expect(news("list", "-n4").output.hasSuffix("4• A title that goe…\n"))
  }

  @Test("a terminal is told how much there is of which it shows some")
  func rest() throws {
    let news = try CommandRun()
    try news.storeSample()
    news.useTerminal(80, variables: ["NO_COLOR": "1"])
    #expect(news("list").errors.isEmpty)
    #expect(news("list", "-n2").errors == "2 of 5, 4 unread\n")
    #expect(news("list", "-n2", "--unread").errors == "2 of 4 unread\n")
    #expect(news("list", "-n1", "--feed", "other").errors == "1 of 2, 2 unread\n")
    #expect(news("list", "-n2", "--feed", "other").errors.isEmpty)
    #expect(news("list", "-n2", "-q").errors.isEmpty)
    #expect(news("list", "-n2", "--json").errors.isEmpty)
    news.terminal = TerminalFacts()
    #expect(news("list", "-n2").errors.isEmpty)
  }

  @Test("is:new shows what was stored since the last whole list, which filters do not make")
  func onlyNew() throws {
    let news = try CommandRun()
    try news.storeSample()
    func new(_ words: String...) -> Int {
      news.run(["list", "--grep", "is:new"] + words).output.split(separator: "\n").count
    }
    #expect(new("--feed", "other") == 2 && new("-n3") == 3)
    #expect(new() == 5 && new() == 0)
    news.useTerminal(80)
    #expect(news("list", "--grep", "is:new").errors == "nothing new since you last looked\n")
    #expect(news("list", "--grep", "is:new", "--feed", "other").errors == "no story matches\n")
    news.terminal = TerminalFacts()
    var story = Sample.story(9, "Later", hours: 500)
    story.stored = Date() + 60
    let count = try news.store.read().items.count
    try news.store.update { _ in
      (LibraryChange(StoryChanges(adding: [story], before: count)), ())
    }
    news("list", "--unread")
    news("read", "-q", "1")
    #expect(news("list", "--grep", "is:new").output.hasPrefix("1\tLater\t"))
    news("star", "-q", "--all", "--grep", "is:new")
    #expect(news("list", "--starred").output.contains("Oldest"))
  }

  @Test("unread stories are bold; titles are links where the terminal knows them")
  func dress() throws {
    let news = try CommandRun()
    try news.storeSample()
    news.useTerminal(80, variables: ["TERM": "xterm-kitty"])
    let lines = news("list").output.split(separator: "\n").map(String.init)
    #expect(
      lines[0].contains(
        "\u{1b}]8;;https://example.com/1\u{1b}\\\u{1b}[1mNewest of all\u{1b}[0m\u{1b}]8;;\u{1b}\\"
      )
    )
    #expect(!lines[2].contains("\u{1b}[1m"))
    news.variables["TERM"] = "dumb"
    #expect(!news("list").output.contains("\u{1b}"))
    #expect(news("list", "--color", "always").output.contains("\u{1b}[1m"))
  }

  @Test("a story without title shows the beginning of its summary, piped too")
  func untitled() throws {
    let news = try CommandRun()
    var stories = [Sample.story(1, "", hours: 1), Sample.story(2, "", hours: 2)]
    stories[1].item.summary = nil
    try news.store(stories, subscriptions: [(Sample.feed, "Example")])
    #expect(news("list", "-n1").output.hasPrefix("1\tSummary of .\t2026-11-01T11:00:00Z"))
    news.useTerminal(60, variables: ["NO_COLOR": "1"])
    let lines = news("list").output.split(separator: "\n")
    #expect(lines[0].hasPrefix("1• Summary of ."))
    #expect(lines[1].hasPrefix("2• (untitled) "))
  }

  @Test("colours that are asked for are in pipes too, in every command that has any")
  func forced() throws {
    let news = try CommandRun()
    try news.storeSample()
    news("fetch")
    for words in [["list"], ["feeds"], ["log"], ["doctor", "--offline"], ["show", "1"], ["help"]] {
      #expect(!news.run(words).output.contains("\u{1b}"), "\(words)")
      #expect(news.run(words + ["--color", "always"]).output.contains("\u{1b}["), "\(words)")
      news.variables["CLICOLOR_FORCE"] = "1"
      #expect(news.run(words).output.contains("\u{1b}["), "\(words)")
      #expect(!news.run(words + ["--json"]).output.contains("\u{1b}"), "\(words)")
      news.variables["CLICOLOR_FORCE"] = nil
    }
    news("list")
    #expect(news("list", "-n1", "--color=always").output.hasPrefix("\u{1b}[2m1\u{1b}[0m\t"))
  }

  @Test("piped it is five fields with tabs between, never cut")
  func piped() throws {
    let news = try CommandRun()
    try news.storeSample()
    let result = news("list")
    #expect(
      result.output == """
        1\tNewest of all\t2026-11-01T11:00:00Z\tExample\thttps://example.com/1
        2\t東京で新しい駅が開業 👩‍👩‍👧\t2026-11-01T09:00:00Z\tOther Feed\thttps://example.com/2
        3\tCafé au lait\t2026-10-31T10:00:00Z\tExample\thttps://example.com/3
        4\tA title that goes on and on until no terminal of eighty columns has room\t2026-10-30T10:00:00Z\t\
        Example\thttps://example.com/4
        5\tOldest\t2025-09-27T12:00:00Z\tOther Feed\thttps://example.com/5

        """
    )
  }

  @Test("what a foreign data file holds cannot change a terminal or a field")
  func foreignText() throws {
    let news = try CommandRun()
    var story = Sample.story(1, "a\tb\nc\u{1b}]0;x\u{7}\u{202e}d", hours: 1)
    story.item.link = "javascript:alert(1)"
    try news.store([story], subscriptions: [(Sample.feed, "F\u{9b}31m")])
    let fields = news("list").output.split(separator: "\t", omittingEmptySubsequences: false)
    #expect(fields.count == 5)
    #expect(fields[1] == "a b c ]0;x d")
    news.useTerminal(80, variables: ["TERM": "xterm-kitty", "NO_COLOR": "1"])
    #expect(!news("list").output.contains("\u{1b}"))
    #expect(!news("list", "--json").output.contains("\u{1b}"))
  }

  @Test("JSON has the documented keys in their order, and null where there is nothing")
  func json() throws {
    let news = try CommandRun()
    var story = Sample.story(1, "One", hours: 1)
    story.item.summary = nil
    try news.store([story], subscriptions: [(Sample.feed, "Example")])
    #expect(
      news("list", "--json").output == """
        [
        {"n":1,"id":"0000000000000001","title":"One","pubDate":"published 1",\
        "date":"2026-11-01T11:00:00Z","link":"https://example.com/1","guid":"guid 1",\
        "feeds":["https://example.com/feed.xml"],"author":null,"summary":null,"read":false,\
        "starred":false,"tags":[],"note":null,"enclosures":[],"file":null,\
        "related":[],"season":null,"episode":null,"comments":null,"chapters":[],"people":[],"similar":[]}
        ]

        """
    )
    #expect(news("list", "--json", "--starred").output == "[]\n")
  }

  @Test(
    "filters choose stories",
    arguments: [
      (["-n", "2"], [1, 2]), (["-n0"], []), (["--unread"], [1, 2, 4, 5]), (["--starred"], [5]),
      (["--feed", "other"], [2, 5]), (["--feed=https://example.com/feed.xml"], [1, 3, 4, 5]),
      (["--since", "yesterday"], [1, 2, 3]), (["--since=3h"], [1, 2]),
      (["--until", "2d"], [4, 5]),
      (["--since", "2026-10-31", "--until=2026-10-31"], [3]), (["--grep", "CAFE"], [3]),
      (["--grep", "summary of old"], [5]), (["--reverse"], [5, 4, 3, 2, 1]),
      (["--reverse", "-n2"], [2, 1]), (["--unread", "--feed", "Example", "-n=1"], [1]),
    ],
  )
  func filters(_ words: [String], _ expected: [Int]) throws {
    let news = try CommandRun()
    try news.storeSample()
    let result = news.run(["list"] + words)
    let numbers = result.output.split(separator: "\n").compactMap { line in
      line.split(separator: "/").last.flatMap { Int($0) }
    }
    #expect(numbers == expected)
    #expect(result.errors.isEmpty && result.status == 0)
  }

  @Test(
    "what is wrong with the words is said in one line with the status 64",
    arguments: [
      (["--since", "soon"], "--since: soon is not a time"), (["-n", "many"], "-n: many is not"),
      (["--feed="], "--feed needs a feed's URL or title"),
      (["reuters"], "list takes options only"),
      (["--unraed"], "unknown option --unraed of `news list`; did you mean --unread?"),
      (["--unread=yes"], "--unread takes no value"), (["--feed"], "--feed needs a value"),
      (["-x"], "unknown option -x"), (["--color", "red"], "--color: red is not one of"),
    ],
  )
  func usage(_ words: [String], _ message: String) throws {
    let news = try CommandRun()
    try news.storeSample()
    let result = news.run(["list"] + words)
    #expect(result.errors.hasPrefix("news: \(message)"))
    #expect(result.errors.hasSuffix("(see `news list --help`)\n"))
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(result.output.isEmpty && result.status == 64)
  }

  @Test("a part of a name that several feeds have lists them")
  func ambiguousFeed() throws {
    let news = try CommandRun()
    try news.storeSample()
    let result = news("list", "--feed", "e")
    #expect(
      result.errors == """
        news: e matches 2 feeds; name one of them:
          https://example.com/feed.xml  Example
          https://example.org/atom  Other Feed

        """
    )
    #expect(result.status == 1)
  }

  @Test("a write error on standard output is told, a closed pipe is not")
  func writeErrors() throws {
    let news = try CommandRun()
    try news.storeSample()
    news.outputFailure = 28
    #expect(
      news("list")
        == CommandResult(
          output: "",
          errors: "news: standard output: no space left on device\n",
          status: 1,
        )
    )
    news.outputFailure = 32
    #expect(news("list") == CommandResult(output: "", errors: "", status: 0))
  }

  @Test("a data file that cannot be read is an error, and stays as it is")
  func damaged() throws {
    let news = try CommandRun()
    try news.storeSample()
    try news.folder.write("rubbish", to: "home/newsdata.plist")
    let result = news("list")
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.errors.hasPrefix("news: ") && result.errors.contains("newsdata.plist"))
  }
}
