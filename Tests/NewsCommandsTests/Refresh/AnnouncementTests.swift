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

  @Test("shows one notice in an hour, which counts all that is new since the last")
  func anHour() throws {
    #expect(fetch("--notify").isEmpty)
    try publish(["two", "one"])
    let notice = ["notify-send", "--app-name=news", "--"]
    #expect(fetch("--notify") == [notice + ["1 new story", "two"]])
    for title in ["three", "four"] {
      try publish([title, "two"])
      #expect(fetch("--notify", minutes: 20).isEmpty)
    }
    #expect(fetch("--notify", minutes: 60).isEmpty)
    try publish(["five", "four"])
    #expect(fetch("--notify") == [notice + ["3 new stories", "five\nand 2 more"]])
    try publish(["six", "five"])
    #expect(fetch("--notify=each") == [notice + ["1 new story", "six"]])
    let future = Date(timeIntervalSince1970: news.now + 86_400)
    try news.store.save(NoticeRecord(date: future, unannounced: 2))
    try publish(["seven", "six"])
    #expect(fetch("--notify").first?.suffix(2) == ["3 new stories", "seven\nand 2 more"])
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
    news.isMacOS = true
    try publish(["four & five", "three"])
    told = fetch("--notify")
    #expect(told.first?.first == "osascript")
    #expect(told.first?.suffix(2) == ["3 new stories", "four & five\nand 2 more"])
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
