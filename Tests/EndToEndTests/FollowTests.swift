import TestSupport
import Testing

@Suite("news list --follow")
struct FollowTests {
  private let news: News

  init() throws {
    news = try News()
    try publish(["one", "two"])
    _ = try news.run("subscribe", news.folder.path("feed.xml"))
  }

  /// Publishes stories a minute apart, or with a title and a minute of their own: `two/Two/30`.
  private func publish(_ stories: [String], in name: String = "feed.xml") throws {
    let all = ["one", "two", "three", "four", "eight"]
    let items = stories.map { story in
      let parts = story.split(separator: "/")
      let minute = parts.count > 2 ? Int(parts[2]) : all.firstIndex(of: String(parts[0]))
      return "<item><guid>\(parts[0])</guid><title>\(parts.count > 1 ? parts[1] : parts[0])</title>"
        + "<pubDate>Sun, 01 Nov 2026 10:\(10 + (minute ?? 0)):00 GMT</pubDate></item>"
    }
    let text =
      "<rss version=\"2.0\"><channel><title>\(name)</title>\(items.joined())</channel></rss>"
    try news.folder.write(text, to: name)
  }

  /// Fetches without giving numbers, which `refresh` would do.
  private func fetch(_ stories: String...) throws {
    try publish(stories)
    #expect(try news.run("fetch").status == 0)
  }

  private func lines(_ follower: Subprocess, until text: String) throws -> [String] {
    var lines: [String] = []
    while lines.last?.contains(text) != true {
      let line = try follower.readLine()
      try #require(!line.isEmpty, "\(lines)")
      lines.append(line)
    }
    return lines
  }

  private func changes(_ lines: [String]) -> [String] {
    lines.map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).prefix(3).joined(separator: " ")
    }
  }

  @Test("tells what is new, has changed, moved or gone, once, and numbers it")
  func changes() throws {
    let follower = try news.start("list", "--follow", "-n", "1")
    #expect(try changes(lines(follower, until: "two")) == ["insert 1 two"])
    try fetch("two", "one/One/12", "three/three/13")
    let new = try changes(lines(follower, until: "three"))
    #expect(new == ["move 2 One", "insert 3 three"])
    _ = try news.run("star", "3")
    #expect(try changes(lines(follower, until: "three")) == ["update 3 three"])
    _ = try news.run("clear", "--yes")
    let gone = try changes(lines(follower, until: "three"))
    #expect(gone == ["delete 1 two", "delete 2 One", "delete 3 three"])
    _ = try news.run("undo")
    let back = try changes(lines(follower, until: "three"))
    #expect(back == ["insert 1 two", "insert 2 One", "insert 3 three"])
    #expect(try news.run("show", "2").text.contains("One"))
  }

  @Test("tells by its filters what comes into the list and leaves it")
  func filters() throws {
    let follower = try news.start("list", "--follow", "--unread", "--grep", "t", "-n", "1")
    #expect(try changes(lines(follower, until: "two")) == ["insert 1 two"])
    try fetch("two", "three", "four", "eight")
    #expect(try changes(lines(follower, until: "eight")) == ["insert 2 three", "insert 3 eight"])
    _ = try news.run("read", "2")
    #expect(try changes(lines(follower, until: "three")) == ["delete 2 three"])
    _ = try news.run("unread", "2")
    #expect(try changes(lines(follower, until: "three")) == ["insert 2 three"])
  }

  @Test("tells of each file that a story carries")
  func enclosures() throws {
    func serve(_ items: String) throws {
      let text = "<rss version=\"2.0\"><channel><title>t</title>\(items)</channel></rss>"
      try news.folder.write(text, to: "feed.xml")
      #expect(try news.run("fetch").status == 0)
    }
    let follower = try news.start("list", "--follow", "--grep", "has:enclosure", "-n", "5")
    let files = (1...2).map {
      "<media:content url=\"https://a.example/\($0)\" type=\"audio/mpeg\"/>"
    }
    let item = "<guid>g</guid><title>episode</title>"
    try serve("<item>\(item)</item>")
    try serve("<item>\(item)\(files.joined())</item>")
    let lines = try lines(follower, until: "/2\t")
    #expect(lines.map { $0.split(separator: "\t").first } == ["insert", "insert"])
    #expect(lines.map { $0.hasSuffix("\taudio/mpeg\t\t") } == [true, true])
  }

  @Test("goes on when files and folders are replaced, go and come back")
  func replacement() throws {
    let follower = try news.start("list", "--follow", "--json", "-n", "2")
    var list = FollowedList()
    for line in try lines(follower, until: "\"two\"") { list.take(line) }
    let (data, moved) = (news.dataPath, news.folder.path("data"))
    #expect(mkdir(moved, 0o700) == 0)
    try moveFile(data, to: moved + "/stories")
    for _ in 0..<2 { list.take(try follower.readLine()) }
    #expect(list.order == [])
    #expect(symlink(moved + "/stories", data) == 0)
    for line in try lines(follower, until: "\"two\"") { list.take(line) }
    try fetch("two", "three")
    for line in try lines(follower, until: "\"three\"") { list.take(line) }
    #expect(list.order.count == 3)
    try moveFile(news.home, to: news.home + ".away")
    for _ in 0..<3 { list.take(try follower.readLine()) }
    #expect(list.order == [])
    try moveFile(news.home + ".away", to: news.home)
    for line in try lines(follower, until: "\"three\"") { list.take(line) }
    let now = try news.run("list", "--json").text
    let bytes = try readFile(data)
    try writeFile(data, Array("damaged".utf8))
    #expect(try follower.readErrorLine().contains("cannot be read and was left as it is"))
    try writeFile(data, bytes)
    _ = try news.run("read", "1")
    list.take(try follower.readLine())
    #expect(list.problems == [])
    #expect(list.order == FollowedList.listed(now).order)
    #expect(try list.stories == FollowedList.listed(news.run("list", "--json").text).stories)
  }

  @Test("tells what a program's writing over the file has left of it")
  func writtenOver() throws {
    let copy = try readFile(news.dataPath)
    try fetch("two", "three")
    let follower = try news.start("list", "--follow", "--json", "-n", "3")
    var list = FollowedList()
    for line in try lines(follower, until: "\"three\"") { list.take(line) }
    try writeFile(news.dataPath, copy)
    while list.order.count > 2 { list.take(try follower.readLine()) }
    #expect(try list.order == FollowedList.listed(news.run("list", "--json").text).order)
    #expect(list.problems == [])
  }

  @Test("waits for a home that is not there yet, and makes none")
  func noHome() throws {
    let home = news.folder.path("far/away")
    let follower = try news.start("list", "--follow", environment: ["NEWS_HOME": home])
    #expect(try follower.readErrorLine().contains("nothing here yet"))
    #expect(access(home, F_OK) != 0)
    let feed = news.folder.path("feed.xml")
    _ = try news.run("subscribe", feed, environment: ["NEWS_HOME": home])
    #expect(try changes(lines(follower, until: "two")) == ["insert 1 one", "insert 2 two"])
  }

  @Test("ends with its pipe, at once and without a word")
  func closedPipe() throws {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let follower = try Subprocess(
      [news.program, "list", "--follow", "-n", "1"],
      environment: news.settings,
      output: ends[1],
    )
    close(ends[1])
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 1)
    #expect(!follower.hasEnded)
    close(ends[0])
    let result = try follower.wait()
    #expect(result.status == 0 && result.errorText.isEmpty)
  }

  @Test("shows a person the newest stories and then the changes, many of a kind as their number")
  func terminal() throws {
    let titles = (1...9).map { "\($0)/story \($0)/\(20 + $0)" }
    try publish(titles)
    try publish(["a", "b", "c"], in: "other.xml")
    _ = try news.run("subscribe", news.folder.path("other.xml"))
    _ = try news.run("fetch")
    let terminal = try news.terminal(
      ["list", "--follow"],
      columns: 60,
      environment: ["NO_COLOR": "1"],
    )
    try terminal.wait(for: "story 9")
    _ = try news.run("read", "--feed", "other.xml", "--all")
    try terminal.wait(for: "~  13  a")
    _ = try news.run("star", "--all")
    try terminal.wait(for: "~ 14 stories\r\n")
    terminal.type("\u{3}")
    #expect(terminal.end() == 130)
    let first = terminal.screen.split(separator: "\r\n").first ?? ""
    #expect(first.hasPrefix("+   1") && !terminal.screen.contains("one"))
  }

  @Test("prints in the reader's own form")
  func template() throws {
    let follower = try news.start(
      "list",
      "--follow",
      "-n",
      "1",
      "--format",
      "{change} {n} {title}",
    )
    #expect(try follower.readLine() == "insert 1 two")
    _ = try news.run("read", "1")
    #expect(try follower.readLine() == "update 1 two")
  }
}
