import FeedFetching
import FeedModel
import FeedStorage
import TestSupport

@testable import CommandLine

/// A command in a fixed home, and the device it prints to: one file of `Fixtures/output`.
struct OutputScene: Sendable, CustomStringConvertible {
  /// The file's name without `.txt`.
  let name: String
  let words: [String]
  /// The columns of the terminal; nil for a pipe.
  var columns: Int?
  var variables: [String: String] = [:]

  var description: String { name }

  init(_ name: String, _ words: [String], columns: Int? = nil, _ variables: [String: String] = [:])
  {
    self.name = name
    self.words = words
    self.columns = columns
    self.variables = variables
  }

  private static let colored = ["TERM": "xterm-256color"]
  private static let dumb = ["TERM": "dumb"]
  private static let linked = ["TERM": "xterm-kitty"]

  static let all = lists + stories + feeds + runs + statistics

  private static let lists = [
    OutputScene("list-20", ["list"], columns: 20, dumb),
    OutputScene("list-40", ["list"], columns: 40, dumb),
    OutputScene("list-80", ["list"], columns: 80, colored),
    OutputScene("list-200", ["list"], columns: 200, colored),
    OutputScene("list-dumb", ["list"], columns: 80, dumb),
    OutputScene("list-links", ["list", "-n2"], columns: 80, linked),
    OutputScene("list-piped", ["list"]),
    OutputScene("list-json", ["list", "--json"]),
    OutputScene("list-iso-80", ["list", "--dates", "iso"], columns: 80, dumb),
    OutputScene("list-iso-piped", ["list", "--dates", "iso"]),
    OutputScene("list-published-80", ["list", "--dates", "published"], columns: 80, dumb),
    OutputScene("list-relative-piped", ["list", "--dates", "relative"]),
    OutputScene(
      "list-format",
      ["list", "--format", "{n:3} {title:24}|{date:%a %e %b %H:%M} {link:q}"],
    ),
    OutputScene(
      "list-nothing",
      ["list", "--feed", "harbour", "--grep", "xyz"],
      columns: 80,
      dumb,
    ),
  ]

  private static let stories = [
    OutputScene("show-80", ["show", "1"], columns: 80, colored),
    OutputScene("show-30", ["show", "1"], columns: 30, dumb),
    OutputScene("show-piped", ["show", "1-3"]),
    OutputScene("show-json", ["show", "1", "--json"]),
    OutputScene("show-link", ["show", "1", "--link", "2"]),
    OutputScene("show-format", ["show", "1", "5", "--format", "{title:q} {enclosure:q}"]),
    OutputScene("open-piped", ["open", "1", "3"]),
    OutputScene("open-json", ["open", "3", "--json"]),
  ]

  private static let feeds = [
    OutputScene("feeds-30", ["feeds"], columns: 30, dumb),
    OutputScene("feeds-80", ["feeds"], columns: 80, colored),
    OutputScene("feeds-200", ["feeds"], columns: 200, dumb),
    OutputScene("feeds-piped", ["feeds"]),
    OutputScene("feeds-json", ["feeds", "--json"]),
  ]

  private static let runs = [
    OutputScene("welcome-json", ["--json"]),
    OutputScene("refresh-80", ["refresh"], columns: 80, dumb),
    OutputScene("refresh-200", ["refresh", "--color", "always"], columns: 200, dumb),
    OutputScene("refresh-piped", ["refresh"]),
    OutputScene("refresh-json", ["refresh", "--json"]),
    OutputScene("refresh-format", ["refresh", "--format", "{feed}: {title}"]),
    OutputScene("fetch", ["fetch"]),
    OutputScene("fetch-json", ["fetch", "--json"]),
    OutputScene("log-80", ["log"], columns: 80, dumb),
    OutputScene("log-30", ["log"], columns: 30, dumb),
    OutputScene("log-piped", ["log"]),
    OutputScene("log-json", ["log", "--json"]),
  ]

  private static let unicode = ["LC_ALL": "C.UTF-8"]

  private static let statistics = [
    OutputScene("stats-80", ["stats"], columns: 80, colored.merging(unicode) { $1 }),
    OutputScene("stats-40", ["stats"], columns: 40, dumb.merging(unicode) { $1 }),
    OutputScene("stats-20", ["stats"], columns: 20, dumb.merging(unicode) { $1 }),
    OutputScene("stats-ascii", ["stats"], columns: 60, dumb),
    OutputScene(
      "stats-piped",
      ["stats", "--since", "5y", "--feed", "gone", "--feed", "harbour"],
      unicode,
    ),
    OutputScene("stats-json", ["stats", "--json"]),
  ]

  /// Returns the output: streams apart, escapes made readable, durations made equal.
  func text() throws -> String {
    let news = try CommandRun()
    try news.storeScene()
    if words[0] == "log" { news("fetch") }
    if words[0] == "stats" { try news.storeRecords() }
    news.variables.merge(variables) { $1 }
    if let columns { news.useTerminal(columns) }
    let result = news.run(words)
    var text = "$ news " + words.map(ShellWord.asNeeded).joined(separator: " ") + "\n"
    text += result.output
    if !result.errors.isEmpty { text += "[standard error]\n" + result.errors }
    if result.status != 0 { text += "[status \(result.status)]\n" }
    text = text.replacing("\u{1b}", with: "␛")
    // The durations of a stored record are always the same.
    return words[0] == "stats" ? text : Self.withoutDurations(text)
  }

  private static func withoutDurations(_ text: String) -> String {
    text.replacing(#/\b\d+\.\d{3}\b/#, with: "0.000")
  }
}

extension CommandRun {
  private static let technology = "https://www.example.com/technology.xml"
  private static let world = "https://www.example.com/world.xml"
  private static let harbour = "https://harbour.example/feed"
  private static let nikkei = "https://nikkei.example/rss"
  private static let untitled = "https://www.example.net/feeds/all/everything.atom"
  private static let gone = "https://gone.example/rss.xml"

  func storeScene() throws {
    let titles = [
      (Self.technology, "Reuters: Technology News"), (Self.world, "Reuters: World News"),
      (Self.harbour, "The Harbour Master's Almanac and Tide Tables - RSS Feed"),
      (Self.nikkei, "日本経済新聞"), (Self.untitled, nil), (Self.gone, "Gone"),
    ]
    try store(Self.stories, subscriptions: [])
    try store.update(waitAtMost: .seconds(5)) { _ in
      (LibraryChange(subscriptions: titles.map(Self.subscription)), ())
    }
    fetcher.serve(
      Self.technology,
      .init(body: Sample.rss("Reuters", ["A chip", "A second chip"])),
    )
    fetcher.serve(Self.nikkei, .init(body: Sample.rss("日本経済新聞", ["新しい駅"])))
    fetcher.serve(Self.untitled, .init(body: "<html><body>Moved</body></html>"))
    fetcher.serve(
      Self.world,
      .init(error: .connectTimeout(.seconds(10), host: "www.example.com")),
    )
    fetcher.serve(Self.harbour, .init(error: .bodyTooLarge(maximumBytes: 33_554_432)))
    fetcher.serve(Self.gone, .init(error: .status(410)))
  }

  /// Stores three weeks of runs, three a day, and a month of looks in the evening.
  func storeRecords() throws {
    for number in 0..<60 {
      let started = Date(timeIntervalSince1970: now - Double(59 - number) * 8 * 3600)
      let outcome: Outcome = number % 29 == 7 ? .failed : number % 3 == 0 ? .newData : .noData
      var run = RunRecord(started: started, command: "fetch", outcome: outcome)
      run.seconds = Double((number * number + 1) % 61) / 20
      (run.requests, run.unchanged) = (6, outcome == .noData ? 5 : 2)
      (run.bytes, run.savedBytes) = (20_000 * (6 - run.unchanged), 50_000 * run.unchanged)
      try store.append(run)
    }
    for day in 1...30 {
      let hour = (day * 24 + (day % 5 == 0 ? 7 : 20)) % 168
      try store.noteVisit(hour, at: Date(timeIntervalSince1970: now - Double(30 - day) * 86_400))
    }
  }

  private static func subscription(_ url: String, _ title: String?) -> Subscription {
    var subscription = Subscription(url: url, title: nil)
    subscription.state.title = title
    guard url != nikkei else { return subscription }
    let asked = Date(timeIntervalSince1970: 1_793_534_400 - 1800)
    subscription.state.lastAsked = asked
    subscription.state.nextDue = asked.addingTimeInterval(3600)
    subscription.state.lastOutcome = url == gone ? .failed : .noData
    if url == gone {
      subscription.state.lastError = "server answered 404: there is nothing at this URL"
    }
    return subscription
  }

  private static var stories: [StoredItem] {
    var first = Sample.story(
      1,
      "Chipmaker to build “second plant” as orders for sensors climb",
      hours: 1,
      feeds: [technology, world],
    )
    first.item.summary =
      "The maker of sensors for cars and telephones will build a second plant (see "
      + "https://chips.example/plant?a=1&b=2), it said on Sunday. The first opened in 2019; more at "
      + "https://example.com/1 and in the minis\u{ad}try's report: https://gov.example/r_(2)."
    first.item.author = "Anna Muster"
    first.item.categories = ["Chips", "Business & Markets"]
    first.item.enclosures = [
      Enclosure(
        url: "https://media.example/1.mp3",
        type: "audio/mpeg",
        length: 12_345_678,
        duration: 2052,
      )
    ]
    var stories = [
      first, Sample.story(2, "東京で新しい駅が開業 👩‍👩‍👧 🇯🇵", hours: 3, feeds: [nikkei]),
      Sample.story(
        3,
        "Caf\u{65}\u{301} reopens; नमस्ते, สวัสดี and שלום from the harbour",
        hours: 5,
        feeds: [harbour],
      ),
      Sample.story(
        4,
        "Court upholds ruling in patent case that has gone on for longer than most of the companies in it have existed, and then some more",
        hours: 20,
        feeds: [world],
      ),
      Sample.story(5, "", hours: 26, feeds: [untitled]),
      Sample.story(6, "It's $HOME; `rm -rf ~`", hours: 50, feeds: [technology]),
      Sample.story(7, "Half-width ｶﾞ and keycap 1️⃣ and heart ❤️", hours: 24 * 6, feeds: [harbour]),
      Sample.story(8, "Tide tables", hours: 24 * 30, feeds: [harbour]),
      Sample.story(9, "Last year's news", hours: 24 * 400, feeds: [gone]),
      Sample.story(10, "Undated", hours: 24 * 800, feeds: [gone]),
    ]
    stories[3].isRead = true
    stories[7].isRead = true
    stories[8].isStarred = true
    stories[9].item.date = nil
    stories[9].item.pubDate = ""
    return stories
  }
}
