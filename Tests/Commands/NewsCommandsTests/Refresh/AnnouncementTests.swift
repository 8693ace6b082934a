import FeedFetching
import FeedStorage
import TestSupport
import Testing

@testable import NewsCommands
@testable import System

@Suite("A fetch that tells of new stories")
struct AnnouncementTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try publish(["one"])
    news("subscribe", Sample.feed)
  }

  private func publish(_ titles: [String], at url: String = Sample.feed) throws {
    news.fetcher.serve(url, .init(body: Sample.rss("Feed \(url.suffix(3))", titles)))
  }

  /// Fetches after so many minutes, and returns the words that programs of the system were given.
  private func fetch(_ words: String..., minutes: Int = 5, status: Int32 = 0) -> [[String]] {
    news.now += Double(minutes * 60)
    var told: [[String]] = []
    news.programs = { words, _ in
      told.append(words)
      return POSIX.ProgramAnswer("no bus", status: status)
    }
    let result = news.run(["fetch"] + words)
    #expect(result.status == 0)
    return told
  }

  @Test("shows one notice in an hour, which has all that is new since the last")
  func anHour() throws {
    #expect(fetch("--notify").isEmpty)
    try publish(["two", "one"])
    let notice = ["notify-send", "--app-name=news", "--"]
    #expect(fetch("--notify") == [notice + ["1 new story", "two"]])
    for title in ["three", "four"] {
      try publish([title, "two"])
      #expect(fetch("--notify", minutes: 20).isEmpty)
    }
    #expect(fetch("--notify") == [])
    #expect(fetch("--notify", minutes: 20) == [notice + ["2 new stories", "four\nthree"]])
    #expect(fetch("--notify", minutes: 61).isEmpty)
    try publish(["five", "four"])
    #expect(fetch("--notify").first?.suffix(2) == ["1 new story", "five"])
    try publish(["six", "five"])
    #expect(fetch("--notify").isEmpty)
    try publish(["6b", "six"])
    #expect(fetch("--notify=each") == [notice + ["2 new stories", "6b\nsix"]])
    let future = Date(timeIntervalSince1970: news.now + 86_400)
    var record = NoticeRecord(date: future)
    try record.add(news.store.read().items.item(at: 0))
    try news.store.save(record)
    try publish(["seven", "six"])
    #expect(fetch("--notify").first?.suffix(2) == ["2 new stories", "seven\n6b"])
  }

  @Test("shows the newest title of each feed before the second of any, as text")
  func titles() throws {
    try publish(["A", "B"], at: Sample.other)
    news("subscribe", Sample.other)
    try publish(["5", "4", "3", "<b>2 & 1</b>", "one"])
    try publish(["C &lt;i&gt;", "A"], at: Sample.other)
    let lines = [
      "Feed xml: 5", "Feed tom: C &lt;i&gt;", "Feed xml: 4", "Feed xml: 3", "and 1 more",
    ]
    #expect(fetch("--notify").first?.suffix(2) == ["5 new stories", lines.joined(separator: "\n")])
  }

  @Test("shows a backslash as such, not as the beginning of a markup's octal code")
  func backslash() throws {
    try publish([#"\074a href="http://e.example/"\076 C:\new"#, "one"])
    let line = #"\\074a href="http://e.example/"\\076 C:\\new"#
    #expect(fetch("--notify").first?.suffix(2) == ["1 new story", line])
    try publish([#"D:\new"#, "one"])
    let told = fetch("--notify=each", status: 127)
    #expect(told.last?.contains(#"D:\new"#) == true)
  }

  @Test("goes by the bus itself where nobody can do it, and says what fails")
  func failures() throws {
    try publish(["two", "one"])
    var told = fetch("--notify=each", status: 127)
    #expect(told.map { $0[0] } == ["notify-send", "busctl"])
    #expect(
      told.last?.suffix(8)
        == ["susssasa{sv}i", "news", "0", "", "1 new story", "two", "0", "0", "-1"].suffix(8)
    )
    try publish(["three", "two"])
    news.now += 7_200
    news.programs = { _, _ in POSIX.ProgramAnswer("no bus", status: 1) }
    let result = news("fetch", "--notify")
    #expect(result.output.hasPrefix("newData: 1 new") && result.status == 0)
    #expect(result.errors == "news: --notify: notify-send failed: no bus\n")
    // What is not new is tried again at once, and then once an hour.
    #expect(news("fetch", "--notify").errors.contains("no bus"))
    #expect(news("fetch", "--notify=each").errors.isEmpty)
    news.now += 3_600
    #expect(news("fetch", "--notify=each").errors.contains("no bus"))
    news.now += 3_600
    news.isMacOS = true
    try publish(["four & five", "three"])
    told = fetch("--notify")
    #expect(told.first?.first == "osascript")
    #expect(told.first?.suffix(2) == ["3 new stories", "four & five\nthree\ntwo"])
    #expect(news("fetch", "--notify=all").status == 64)
  }

  @Test("is about what rules match that notify, as soon as there is one, and whatever else they do")
  func rules() throws {
    let rule = ["rules", "add", "storm", "--grep", "storm", "--then", "notify", "--then", "read"]
    #expect(news.run(rule).status == 0)
    try publish(["storm a", "calm a"])
    #expect(fetch().first?.suffix(2) == ["1 new story", "storm a"])
    #expect(news("list", "--unread", "--format", "{title}").output == "calm a\none\n")
    try publish(["storm b", "calm b"])
    #expect(fetch("--notify", minutes: 61).first?.suffix(2) == ["1 new story", "storm b"])
    let file = news.folder.path("new")
    try publish(["storm c", "calm c"])
    #expect(fetch("--on-new", "cat >'\(file)'", minutes: 61).isEmpty)
    let text = try readText(file)
    #expect(text.contains("\"title\":\"storm c\"") && !text.contains("calm"))
    try publish(["calm d"])
    #expect(fetch("--notify", minutes: 61).isEmpty)
    news("feeds", "set", Sample.feed, "--hide")
    try publish(["storm e", "calm e"])
    #expect(fetch(minutes: 61).first?.suffix(2) == ["1 new story", "storm e"])
    news("feeds", "set", Sample.feed, "--no-hide")
    news("rules", "remove", "storm")
    try publish(["storm f", "calm f"])
    #expect(fetch(minutes: 61).isEmpty)
    try publish(["storm g", "calm g"])
    #expect(fetch("--notify", minutes: 61).first?.suffix(2).first == "2 new stories")
  }

  @Test("by a rule shows what came within an hour of the last notice when that hour is over")
  func pending() throws {
    news("rules", "add", "storm", "--grep", "storm", "--then", "notify")
    try publish(["storm a"])
    #expect(fetch().first?.suffix(2) == ["1 new story", "storm a"])
    try publish(["storm b", "calm"])
    #expect(fetch().isEmpty && fetch("--on-new", "true", minutes: 61).isEmpty)
    #expect(fetch().first?.suffix(2) == ["1 new story", "storm b"])
    #expect(fetch(minutes: 61).isEmpty)
  }

  @Test("leaves out what was read or deleted before it is shown, but not what came read")
  func met() throws {
    let rule = ["rules", "add", "storm", "--grep", "storm", "--then", "notify", "--then", "tag:x"]
    news.run(rule)
    news("rules", "add", "quiet", "--grep", "quiet", "--then", "read")
    try publish(["storm a"])
    #expect(fetch().first?.suffix(2) == ["1 new story", "storm a"])
    let titles = ["storm b", "storm c", "storm quiet", "storm d"]
    try publish(titles)
    #expect(fetch().isEmpty)
    for title in titles.prefix(2) {
      news("list", "--grep", "\"\(title)\"")
      news.run(title == titles[0] ? ["read", "1"] : ["delete", "1", "--yes"])
    }
    #expect(fetch(minutes: 61).first?.suffix(2) == ["2 new stories", "storm quiet\nstorm d"])
    try publish(["storm e"])
    #expect(fetch().isEmpty)
    news("list", "--grep", "storm", "-n", "1")
    news("read", "1")
    #expect(fetch(minutes: 61).isEmpty)
    try publish(["storm at https://e.com/?utm_id=1"])
    #expect(fetch().first?.suffix(2) == ["1 new story", "storm at https://e.com/"])
  }

  @Test("by a rule is a finding of doctor where no program can show it")
  func obstacle() throws {
    news("rules", "add", "storm", "--grep", "storm", "--then", "notify")
    news.variables["PATH"] = news.folder.path
    let finding = "note\tnotices\twhat rules tell you of is not shown: notify-send is not installed"
    #expect(news("doctor", "--offline").output.contains(finding))
    try news.folder.write("", to: "notify-send")
    #expect(chmod(news.folder.path("notify-send"), 0o755) == 0)
    #expect(!news("doctor", "--offline").output.contains("note\tnotices"))
  }

  @Test("by a rule has feeds asked in hours in which the reader hardly ever looks, too")
  func quietHours() throws {
    news.useTerminal(80)
    for _ in 0..<56 {
      news("list")
      news.now += 86_400
    }
    let evening = news.now + 3 * 3_600
    let wait = { (day: Int) in
      news.now = evening + Double(day * 86_400)
      let items = (1...20).map { hour in
        let date = RFC3339.string(Date(timeIntervalSince1970: news.now - Double(hour * 3_600)))
        return "<item><title>\(date)</title><pubDate>\(date)</pubDate></item>"
      }
      let feed = "<rss version=\"2.0\"><channel>\(items.joined())</channel></rss>"
      news.fetcher.serve(Sample.feed, .init(body: feed))
      news("fetch")
      return (1...24).first { _ in
        news.now += 3_600
        return news("fetch", "--due").output.contains("of 1 feeds")
      }
    }
    let withoutRule = try #require(wait(0))
    news("rules", "add", "storm", "--grep", "storm", "--then", "notify")
    #expect(try #require(wait(2)) < withoutRule)
  }

  @Test("has a command take them once, and lets nothing depend on it")
  func command() throws {
    let file = news.folder.path("new")
    let line = ["fetch", "--on-new", "cat >> '\(file)'"]
    #expect(news.run(line).status == 0)
    #expect(throws: POSIXFailure.self) { try readText(file) }
    try publish(["three", "two", "one"])
    #expect(news.run(line).output.hasPrefix("newData: 2 new in 1 of 1 feeds, "))
    #expect(news.run(line).output.hasPrefix("noData"))
    let text = try readText(file)
    #expect(text.hasPrefix("[{\"n\":null,\"id\":\"") && text.hasSuffix("}]\n"))
    #expect(text.contains("\"title\":\"three\"") && text.contains("\"title\":\"two\""))
    for (command, words) in [
      ("exit 3", "exited with status 3"), ("kill -9 $$", "exited with status 137"),
      ("true", ""),
    ] {
      try publish([command, "one"])
      let result = news("fetch", "--on-new", command)
      #expect(result.output.hasPrefix("newData: 1 new") && result.status == 0)
      #expect(result.errors == (words.isEmpty ? "" : "news: --on-new: the command \(words)\n"))
    }
  }
}
