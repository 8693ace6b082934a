import FeedFetching
import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import CommandLine
@testable import CommandSupport

@Suite("news refresh and fetch")
struct RefreshCommandTests {
  private static let unsubscribed =
    "news: no subscriptions yet; subscribe to a feed with `news subscribe URL` or "
    + "`news import FILE`\n"

  private func following(_ titles: [String], etag: String? = nil) throws -> CommandRun {
    let news = try CommandRun()
    serve(titles, etag: etag, news)
    try news.store([], subscriptions: [(Sample.feed, "Example")])
    return news
  }

  private func serve(_ titles: [String], etag: String? = nil, _ news: CommandRun) {
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", titles), etag: etag))
  }

  private func timeless(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let dot = rest.firstIndex(of: ".") {
      let decimals = rest[rest.index(after: dot)...].prefix(3)
      if decimals.count == 3, decimals.allSatisfy(\.isNumber), result.last?.isNumber != true {
        result += rest[..<dot].reversed().drop { $0.isNumber }.reversed() + "T"
        rest = rest[decimals.endIndex...]
      } else {
        result += rest[...dot]
        rest = rest[rest.index(after: dot)...]
      }
    }
    return result + rest
  }

  @Test("the table view says which feed failed and why, or the first of several")
  func summary() throws {
    let news = try CommandRun()
    try news.storeSample()
    news.fetcher.serve(Sample.feed, .init(error: .status(500)))
    news.fetcher.serve(Sample.other, .init(body: Sample.rss("Other", [])))
    func refresh() throws -> String {
      let context = try news.context
      let line = ProgressLine(output: context.environment.errorOutput, columns: 80)
      return context.environment.program.refresh(context, news.store, [], line)
    }
    #expect(try refresh() == "nothing new in 1 feed, Example failed: server answered 500")
    news.fetcher.serve(Sample.other, .init(error: .status(404)))
    #expect(try refresh() == "2 feeds failed: Example and 1 more (:feeds --failing)")
  }

  @Test("fetch prints one line, and its status is the outcome's where that is asked for")
  func fetch() throws {
    let news = try following(["a", "b"])
    let first = news("fetch", "--exit-status")
    #expect(timeless(first.output) == "newData: 2 new in 1 of 1 feeds, T s\n")
    #expect(first.status == 0 && first.errors.isEmpty)
    let second = news("fetch", "--exit-status")
    #expect(timeless(second.output) == "noData: 0 new in 0 of 1 feeds, T s\n")
    #expect(second.status == 3)
    #expect(news("fetch").status == 0)
  }

  @Test("a feed that fails has a line on standard error with the time of the next try")
  func failure() throws {
    let news = try following(["a"])
    news.fetcher.serve(Sample.feed, .init(error: .status(500)))
    let result = news("fetch")
    #expect(timeless(result.output) == "failed: 1 of 1 feeds failed, T s\n")
    #expect(result.errors.hasPrefix("news: https://example.com/feed.xml: server answered 500"))
    #expect(result.errors.contains("; next try after 12:"))
    #expect(result.errors.split(separator: "\n").count == 1 && result.status == 1)
  }

  @Test("offline is one line, whatever else fails; a lone host that is dead is told as such")
  func offline() throws {
    let news = try following(["a"])
    news.fetcher.serve(Sample.feed, .init(error: .nameNotResolved(host: "example.com")))
    let alone = news("fetch").errors
    #expect(
      alone.contains("feed.xml: the address of the host example.com could not be looked up; next")
    )
    news("subscribe", "--no-check", "-q", Sample.other)
    let file = try news.folder.write("no feed", to: "feed.xml")
    news("subscribe", "--no-check", "-q", file)
    news.fetcher.serve(Sample.other, .init(error: .connectTimeout(.seconds(10), host: "b")))
    let result = news("fetch")
    #expect(timeless(result.output) == "failed: 3 of 3 feeds failed, T s\n")
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.contains("seems to be offline: none of 2 feeds was reached (") == true)
    #expect(lines.last?.hasPrefix("news: \(file): ") == true)
  }

  @Test("one failure among others is counted, and is no failure of the run")
  func partialFailure() throws {
    let news = try following(["a"])
    news("subscribe", "--no-check", "-q", Sample.other)
    let result = news("fetch")
    #expect(timeless(result.output) == "newData: 1 new in 1 of 2 feeds, 1 failed, T s\n")
    #expect(result.errors.hasPrefix("news: https://example.org/atom: ") && result.status == 0)
  }

  @Test("without subscriptions both fail, and say how to subscribe; fetch prints its line")
  func noSubscriptions() throws {
    let news = try CommandRun()
    let fetch = news("fetch")
    #expect(timeless(fetch.output) == "failed: 0 of 0 feeds failed, T s\n")
    #expect(fetch.errors == Self.unsubscribed && fetch.status == 1)
    #expect(news("refresh") == CommandResult(output: "", errors: Self.unsubscribed, status: 1))
  }

  @Test("fetch --json prints one object with the documented keys in their order")
  func json() throws {
    let news = try following(["a"])
    let result = news("fetch", "--json")
    let text = timeless(result.output).replacing(number: "bytes", with: "B")
    #expect(
      text == """
        {"outcome":"newData","new":1,"stored":1,"changed":0,"seconds":T,"feeds":[{\
        "url":"https://example.com/feed.xml","title":"Example","outcome":"newData","new":1,\
        "stored":1,"changed":0,"status":200,"bytes":B,"seconds":T,"error":null}]}

        """
    )
  }

  @Test("a data file that cannot be read fails the run, and stays as it is")
  func damaged() throws {
    let news = try following(["a"])
    news("fetch")
    try news.folder.write("rubbish", to: "home/newsdata.plist")
    let result = news("fetch")
    #expect(result.output.hasPrefix("failed: ") && result.status == 1)
    #expect(result.errors.contains("newsdata.plist"))
    #expect(try readText(news.folder.path("home/newsdata.plist")) == "rubbish")
  }

  @Test("refresh prints the new headlines grouped by feed, and numbers them")
  func refresh() throws {
    let news = try following(["a", "b"])
    #expect(
      news("refresh")
        == CommandResult(output: "Example (2)\n1  a\n2  b\n", errors: "", status: 0)
    )
    news("list", "--reverse")
    serve(["c", "a", "b"], news)
    #expect(news("refresh").output == "Example (1)\n1  c\n")
    #expect(news("open", "1").output.hasSuffix("/c\n"))
    #expect(news("open", "2").errors.contains("the last list showed 1 story"))
  }

  @Test("headlines of feeds of one name are told apart, in a template too")
  func namesakes() throws {
    for words in [["refresh"], ["fetch", "--format", "{feed}: {title}"]] {
      let news = try CommandRun()
      let feeds = ["https://a.example/f", "https://b.example/f"]
      for feed in feeds {
        news.fetcher.serve(feed, .init(body: Sample.rss("Daily", ["of \(feed)"])))
      }
      try news.store([], subscriptions: feeds.map { ($0, "Daily") })
      let output = news.run(words).output
      for host in ["a.example", "b.example"] {
        #expect(output.contains("Daily (\(host))"), "\(output)")
      }
    }
  }

  @Test("with nothing new the numbers stay, and --json numbers nothing")
  func numbersStay() throws {
    let news = try following(["a", "b"])
    news("refresh", "-q")
    news("list", "--reverse")
    #expect(news("refresh") == CommandResult(output: "", errors: "", status: 0))
    #expect(news("open", "1").output.hasSuffix("/b\n"))
    serve(["c", "a", "b"], news)
    news("refresh", "--json")
    #expect(news("open", "1").output.hasSuffix("/b\n"))
  }

  @Test("fetch --format prints the new stories, and says its line apart")
  func fetchFormat() throws {
    let news = try following(["a", "b"])
    let result = news("fetch", "--format", "{feed}: {title}")
    #expect(result.output == "Example: a\nExample: b\n")
    #expect(timeless(result.errors) == "newData: 2 new in 1 of 1 feeds, T s\n")
    #expect(news("fetch", "--format", "{title}", "-q").errors.isEmpty)
  }

  @Test("a template of refresh has the numbers too")
  func numbersInTemplate() throws {
    let news = try following(["a", "b"])
    #expect(news("refresh", "--format", "{n} {title}").output == "1 a\n2 b\n")
    #expect(news("open", "2").output.hasSuffix("/b\n"))
  }

  @Test("on a terminal refresh fits headlines to the width, and says when nothing is new")
  func refreshOnTerminal() throws {
    let news = try following(["a-title-that-is-longer-than-the-terminal-is-wide"])
    news.useTerminal(30, variables: ["NO_COLOR": "1", "TERM": "dumb"])
    #expect(news("refresh").output == "Example (1)\n1  a-title-that-is-longer-tha…\n")
    #expect(news("refresh").errors == "nothing new in 1 feed\n")
    #expect(news("refresh", "-q").errors.isEmpty)
  }

  @Test("a terminal gets as many headlines as it holds, some of each feed, and how to see the rest")
  func headlinesThatFit() throws {
    let news = try CommandRun()
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", (1...9).map { "a\($0)" })))
    news.fetcher.serve(Sample.other, .init(body: Sample.rss("Other", ["b1", "b2", "b3"])))
    try news.store([], subscriptions: [(Sample.feed, "Example"), (Sample.other, "Other")])
    let variables = ["NO_COLOR": "1", "TERM": "dumb", "LINES": "11"]
    news.useTerminal(40, variables: variables)
    let result = news("refresh")
    #expect(
      result.output == """
        Example (9)
        1  a1
        2  a2
        3  a3
        Other (3)
        4  b1
        5  b2
        6  b3

        """
    )
    let told = result.errors.replacing("\n", with: " ")
    #expect(told == "6 more: `news list --grep is:new` shows all that is new ")
    #expect(news("open", "4").output.hasSuffix("/b1\n"))
    #expect(news("open", "7").errors.contains("showed 6 stories"))
  }

  @Test("refresh FEED asks that feed alone, by a part of its title")
  func refreshOne() throws {
    let news = try following(["a"])
    news("subscribe", "--no-check", "-q", Sample.other)
    #expect(news("refresh", "exam.*", "-q").status == 1)
    #expect(news("refresh", "Example").output == "Example (1)\n1  a\n")
    #expect(news.fetcher.requests.map(\.url) == [Sample.feed])
  }

  @Test("refresh of a new URL subscribes first, and asks but once")
  func refreshNew() throws {
    let news = try CommandRun()
    serve(["a"], etag: "\"1\"", news)
    let result = news("refresh", Sample.feed)
    #expect(result.output == "Example (1)\n1  a\n")
    #expect(result.errors.hasPrefix("subscribed to Example"))
    #expect(news.fetcher.requests.count == 1)
    news("refresh")
    #expect(news.fetcher.requests.last?.validators?.etag == "\"1\"")
  }

  @Test("subscribe stores what it has just fetched: a feed is asked without condition once")
  func oneUnconditionalRequest() throws {
    let news = try CommandRun()
    serve(["a", "b"], etag: "\"1\"", news)
    news("subscribe", Sample.feed)
    #expect(news("list").output.split(separator: "\n").count == 2)
    #expect(timeless(news("fetch").output) == "noData: 0 new in 0 of 1 feeds, T s\n")
    #expect(news.fetcher.requests.map { $0.validators?.etag } == [nil, "\"1\""])
    let names = try namesInFolder(news.folder.path("home"))
    #expect(
      names == [
        "feeds.plist", "fetch.lock", "history.plist", "listings", "lock", "newsdata.plist",
        "runs.plist",
      ]
    )
  }

  @Test("refresh and fetch tell of a clock that is days wrong, unless a server's agrees with it")
  func clock() throws {
    let news = try CommandRun()
    try news.storeSample()
    let body = Sample.rss("Example", ["a"])
    let now = Date(timeIntervalSince1970: news.now)
    let later = now.addingTimeInterval(3 * 86_400 + 60)
    for url in [Sample.feed, Sample.other] {
      news.fetcher.serve(url, .init(body: body, date: later))
    }
    let line =
      "news: the clock of this machine is 3 days behind the servers' clocks; "
      + "set the clock: timedatectl set-ntp true, or the like\n"
    #expect(news("refresh").errors.contains(line))
    #expect(news("fetch").errors.contains(line))
    news.fetcher.serve(Sample.other, .init(body: body, date: now))
    #expect(!news("fetch").errors.contains("clock"))
  }

  @Test("with --no-check subscribe asks nobody, and the first fetch is newData")
  func unchecked() throws {
    let news = try CommandRun()
    serve(["a", "b"], news)
    news("subscribe", "--no-check", Sample.feed)
    #expect(news.fetcher.requests.isEmpty)
    #expect(timeless(news("fetch").output) == "newData: 2 new in 1 of 1 feeds, T s\n")
  }

  @Test("a store that cannot be read is an error of subscribe, too")
  func subscribeToDamagedStore() throws {
    let news = try CommandRun()
    serve(["a"], news)
    try news.store.prepareHome()
    try news.folder.write("rubbish", to: "home/newsdata.plist")
    let result = news("subscribe", Sample.feed)
    #expect(result.status == 1 && result.errors.contains("newsdata.plist"))
    #expect(try readText(news.folder.path("home/newsdata.plist")) == "rubbish")
  }

  @Test("--force asks without condition")
  func force() throws {
    let news = try following(["a"], etag: "\"1\"")
    news("refresh")
    news("refresh", "--force")
    #expect(news.fetcher.requests.map { $0.validators?.etag } == [nil, nil])
  }

  @Test("clear forgets the validators, so that the next refresh brings everything back")
  func clear() throws {
    let news = try following(["a", "b"], etag: "\"1\"")
    news("refresh")
    news("clear", "--yes")
    #expect(news("refresh").output == "Example (2)\n1  a\n2  b\n")
  }

  @Test(
    "wrong words are told before anything is asked",
    arguments: [
      ["fetch", "example"], ["fetch", "--deadline", "0"], ["fetch", "--deadline=soon"],
      ["refresh", "--keep", "-1"], ["refresh", "--max-size", "0"],
      ["parse", "--max-size", "0", "x"],
      ["fetch", "--deadline", "nan"],
    ],
  )
  func usage(_ words: [String]) throws {
    let news = try following(["a"])
    #expect(news.run(words).status == 64)
    #expect(news.fetcher.requests.isEmpty)
  }

  @Test("the record of runs has a line for each, the newest first")
  func log() throws {
    let news = try following(["a"])
    news("refresh")
    news("fetch")
    let lines = timeless(news("log").output).split(separator: "\n")
    #expect(
      lines == [
        "2026-11-01T12:00:00Z\tfetch\tnoData\t0\t0\t1\t0\tT\t0\t0\t\t0\t0",
        "2026-11-01T12:00:00Z\trefresh\tnewData\t1\t1\t1\t0\tT\t0\t0\t\t0\t0",
      ]
    )
    #expect(news("log", "-n1", "--json").output.contains("\"command\":\"fetch\""))
  }

  @Test("of the record those runs are shown that failed, or are not too old")
  func chosenRuns() throws {
    let news = try following(["a"])
    news("fetch")
    news.fetcher.serve(Sample.feed, FakeFetcher.Page(error: .status(503)))
    news.now += 86_400
    news("fetch", "--due")
    func runs(_ words: String...) -> [String] {
      news.run(["log"] + words).output.split(separator: "\n").map { line in
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        return "\(fields[2]) \(fields[10])"
      }
    }
    #expect(runs() == ["failed due", "newData "])
    #expect(runs("--failed") == ["failed due"])
    #expect(runs("--since", "2h") == ["failed due"])
    #expect(runs("--failed", "--since", "2026-11-03") == [])
    #expect(news("log", "--since", "soon").status == 64)
    news.useTerminal(80)
    #expect(news("log", "--failed").output.contains("fetch --due  failed"))
    #expect(news("log", "--failed", "--since", "2026-11-03").errors == "no such run\n")
  }

  @Test("the progress is one line that fits, and says how far and whom")
  func progress() {
    let progress = RefreshProgress(
      done: 12,
      total: 500,
      stories: 1,
      hosts: ["a.example", "b.example"],
      seconds: 1,
    )
    #expect(
      ProgressLine.text(progress, seconds: 1) == "12 of 500 feeds, 1 story  a.example, b.example"
    )
    let sink = Collector(failure: 0)
    let line = ProgressLine(output: TextOutput(capacity: 0) { sink.take($0) }, columns: 20)
    line.show(progress)
    line.show(progress)
    line.clear()
    line.clear()
    #expect(sink.text == "\r12 of 500 feeds, 1…\u{1b}[K\r\u{1b}[K")
  }
}

extension String {
  fileprivate func replacing(number key: String, with text: String) -> String {
    let marker = "\"\(key)\":"
    let parts = split(separator: marker, omittingEmptySubsequences: false)
    guard let first = parts.first else { return self }
    return parts.dropFirst().reduce(String(first)) {
      $0 + marker + text + $1.drop { $0.isNumber }
    }
  }
}
