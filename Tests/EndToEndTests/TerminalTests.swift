import TestSupport
import Testing

@Suite("on a real terminal")
struct TerminalTests {
  private func stocked(_ titles: [String]) throws -> News {
    let news = try News()
    let items = titles.map { "<item><title>\($0)</title><link>https://a.example/x</link></item>" }
    try news.folder.write(
      "<rss version=\"2.0\"><channel><title>Daily</title>\(items.joined())</channel></rss>",
      to: "feed.xml",
    )
    _ = try news.run("subscribe", news.folder.path("feed.xml"))
    _ = try news.run("fetch")
    return news
  }

  private var forty: [String] { (1...40).map { "Story \($0)" } }

  @Test("a list that fits is printed, in bold, and no pager is started")
  func fits() throws {
    let news = try stocked(["One", "Two"])
    let terminal = try news.terminal(["list"], environment: ["NEWS_PAGER": "echo PAGER"])
    #expect(terminal.end() == 0)
    #expect(terminal.screen.contains("\u{1b}[1mOne\u{1b}[0m"))
    #expect(!terminal.screen.contains("PAGER"))
  }

  @Test("a longer list goes to the pager, whose line the shell reads, and which gets all of it")
  func pager() throws {
    let news = try stocked(forty)
    let terminal = try news.terminal(
      ["list", "-n", "40"],
      environment: ["PAGER": "echo LESS=$LESS; wc -l", "LESS": nil],
    )
    #expect(terminal.end() == 0)
    #expect(terminal.screen == "LESS=FRX\r\n40\r\n")
  }

  @Test(
    "whatever else is longer than the screen goes to the pager as well, as it would be printed",
    arguments: [
      ["feeds"], ["help"], ["help", "list"], ["why", "1-9"], ["list", "--help"], ["log"],
      ["stats"],
    ],
  )
  func otherPagers(_ words: [String]) throws {
    let news = try stocked(forty)
    for number in 1...9 {
      try news.folder.write("<rss version=\"2.0\"><channel/></rss>", to: "\(number).xml")
      _ = try news.run("subscribe", "--no-check", "\(number).xml")
      _ = try news.run("fetch", "--due")
    }
    let environment = ["NEWS_PAGER": "sed s/^/P:/", "TZ": "UTC"]
    let paged = try news.terminal(words, rows: 8, environment: environment)
    #expect(paged.end() == 0)
    let tall = try news.terminal(words, rows: 200, environment: environment)
    #expect(tall.end() == 0)
    let pages = paged.screen.lines.filter { $0.hasPrefix("P:") }.map { $0.dropFirst(2) }.filter {
      !$0.isEmpty
    }
    #expect(pages.count > 8 && !tall.screen.contains("P:"))
    #expect(pages == Array(tall.screen.lines.prefix(pages.count)))
    let none = try news.terminal(words, rows: 8, environment: ["NEWS_PAGER": "", "TZ": "UTC"])
    #expect(none.end() == 0)
    #expect(none.screen == tall.screen)
  }

  @Test(
    "no pager is started where none is wanted, or where it could not work",
    arguments: [
      (["--no-pager"], [:]), ([], ["NEWS_PAGER": ""]), ([], ["NEWS_PAGER": "cat"]),
      ([], ["TERM": "dumb"]), ([], ["TERM": nil]),
    ] as [([String], [String: String?])],
  )
  func noPager(_ words: [String], _ variables: [String: String?]) throws {
    let news = try stocked(forty)
    let environment = ["PAGER": "echo PAGER", "NO_COLOR": "1"].merging(variables) { $1 }
    let terminal = try news.terminal(["list", "-n40"] + words, environment: environment)
    #expect(terminal.end() == 0)
    #expect(terminal.screen.lines.count == 40)
    #expect(!terminal.screen.contains("PAGER"))
  }

  @Test("what a script lists in a session of its own changes no number of this one")
  func otherSession() throws {
    let news = try stocked(["One", "Two"])
    _ = try news.run("list", "--reverse")
    let script = ["setsid", "--wait", news.program, "--home", news.home]
    #expect(try Subprocess.run(script + ["list", "--json", "-n", "1"]).text.contains("One"))
    #expect(try news.run("show", "1").text.hasPrefix("Two\n"))
    #expect(try news.run("show", "2").text.hasPrefix("One\n"))
    #expect(try news.run("show", "3").errorText.contains("the last list showed 2 stories"))
  }

  @Test("what a list has shown is new no more, however short ago it came")
  func seenAtOnce() throws {
    let news = try News()
    for number in 1...8 {
      let rss =
        "<rss version=\"2.0\"><channel><item><title>\(number)</title></item></channel></rss>"
      try news.folder.write(rss, to: "\(number).xml")
      _ = try news.run("subscribe", "\(number).xml")
      #expect(try news.run("list", "--grep", "is:new").text.hasPrefix("1\t\(number)\t"))
      #expect(try news.run("list", "--grep", "is:new").text.isEmpty)
    }
  }

  @Test("a pager that is missing leaves a printed list; one that ends early ends it quietly")
  func brokenPagers() throws {
    let news = try stocked(forty)
    let missing = try news.terminal(["list", "-n40"], environment: ["PAGER": "no-such-pager"])
    #expect(missing.end() == 0)
    #expect(missing.screen.contains("Story 40"))
    let early = try news.terminal(["list", "-n40"], environment: ["PAGER": "head -n 1"])
    #expect(early.end() == 0)
    #expect(early.screen.contains("Story 1\u{1b}"))
    #expect(early.screen.lines.count == 1)
  }

  @Test("without PAGER, and without less, a long list is printed")
  func noLess() throws {
    let news = try stocked(forty)
    let terminal = try news.terminal(["list", "-n40"], environment: ["PATH": news.folder.path])
    #expect(terminal.end() == 0)
    #expect(terminal.screen.contains("Story 40") && !terminal.screen.contains("not found"))
  }

  @Test("less shows a page at a time, and Ctrl-C in it stops neither it nor the list")
  func less() throws {
    let news = try stocked(forty)
    let terminal = try news.terminal(["list", "-n40"], environment: ["LESS": nil])
    try terminal.wait(for: "Story 23")
    try terminal.wait(for: "\r\n:")
    #expect(!terminal.screen.contains("Story 40"))
    terminal.type("\u{3}")
    try terminal.wait(for: "Story 40", retyping: "G")
    terminal.type("q")
    #expect(terminal.end() == 0)
  }

  @Test("the numbers are known while the pager still shows them")
  func numbersInPager() throws {
    let news = try stocked(forty)
    let terminal = try news.terminal(
      ["list", "--reverse", "-n40"],
      environment: [
        "PAGER":
          "\(news.program) show 1 --format '<{title}>' --no-pager; cat > /dev/null"
      ],
    )
    #expect(terminal.end() == 0)
    #expect(terminal.screen == "<Story 40>\r\n")
  }

  @Test(
    "the list is fitted to the window, else to COLUMNS, else to 80 columns",
    arguments: [(20, nil, 20), (50, nil, 50), (0, nil, 80), (50, "30", 30), (50, "x", 50)]
      as [(Int, String?, Int)],
  )
  func width(_ columns: Int, _ variable: String?, _ expected: Int) throws {
    let news = try stocked([String(repeating: "long ", count: 60)])
    let terminal = try news.terminal(
      ["list"],
      columns: columns,
      environment: ["COLUMNS": variable, "TERM": "dumb"],
    )
    #expect(terminal.end() == 0)
    #expect(terminal.screen.lines.map(\.count) == [expected])
  }

  @Test("a reader that goes away ends a long list quietly, with 0")
  func closedPipe() throws {
    let news = try stocked((1...4000).map { "Story \($0) \(String(repeating: "x", count: 50))" })
    let result = try Subprocess.run(
      ["/bin/bash", "-c", "\"$0\" list | head -n 1; echo ${PIPESTATUS[0]}", news.program],
      environment: ["NEWS_HOME": news.home, "TZ": "UTC"],
    )
    #expect(result.text.hasPrefix("1\tStory 1 ") && result.text.hasSuffix("\n0\n"))
    #expect(result.errorText.isEmpty)
  }

  @Test("data for a closed standard output is an error, not lost; a closed standard error is none")
  func closedStreams() throws {
    let news = try stocked(["One"])
    func status(_ line: String) throws -> Subprocess.Result {
      try Subprocess.run(
        ["/bin/bash", "-c", line + "; echo $? >&3", news.program],
        environment: ["NEWS_HOME": news.home, "TZ": "UTC"],
      )
    }
    let list = try status("exec 3>&1; \"$0\" list >&-")
    #expect(list.text == "1\n")
    #expect(list.errorText == "news: standard output: bad file descriptor\n")
    #expect(try status("exec 3>&1; \"$0\" star 1 >&- 2>&-").text == "0\n")
    #expect(try status("exec 3>&1; \"$0\" list 2>&- <&- | wc -l").text == "1\n0\n")
  }

  @Test("refresh shows how far it is, in place, and leaves nothing but the headlines")
  func progress() throws {
    let news = try News()
    let isSeen = Monitor(false)
    defer { isSeen.change { $0 = true } }
    let rss = "<rss version=\"2.0\"><channel><item><title>a</title></item></channel></rss>"
    let answer = FaultyAnswer.response(body: rss)
    let server = try FaultyServer([
      "/a": answer,
      "/b": FaultyAnswer([.run { isSeen.wait { $0 } }] + answer.steps),
    ])
    _ = try news.run("subscribe", "--no-check", server.url("/a"), "--title", "First")
    _ = try news.run("subscribe", "--no-check", server.url("/b"), "--title", "Second")
    let terminal = try news.terminal(["refresh"], environment: ["NO_COLOR": "1"])
    try terminal.wait(for: "\r1 of 2 feeds, 1 story  127.0.0.1\u{1b}[K")
    isSeen.change { $0 = true }
    #expect(terminal.end() == 0)
    let parts = terminal.screen.components(of: "\r\u{1b}[K")
    #expect(parts.last == "First (1)\r\n1  a\r\nSecond (1)\r\n2  a\r\n")
    #expect(!parts.dropLast().joined().contains("\n"))
  }

  @Test("Ctrl-C in a refresh stores what has arrived and says so, and is no failure of the rest")
  func interrupted() throws {
    let news = try News()
    let rss = "<rss version=\"2.0\"><channel><item><title>a</title></item></channel></rss>"
    let server = try FaultyServer([
      "/a": .response(body: rss), "/b": .head(then: [.send(Array("<rss>".utf8)), .hang]),
    ])
    _ = try news.run("subscribe", "--no-check", server.url("/a"), server.url("/b"))
    let terminal = try news.terminal(["refresh"], environment: ["NO_COLOR": "1"])
    try terminal.wait(for: "\r1 of 2 feeds, 1 story  127.0.0.1\u{1b}[K")
    terminal.type("\u{3}")
    #expect(terminal.end() == 130)
    #expect(terminal.screen.hasSuffix("news: interrupted; what arrived so far is saved\r\n"))
    #expect(try news.titles() == ["a"])
    let feeds = try news.run("feeds", "--json").text
    #expect(!feeds.contains("failed"), "\(feeds)")
  }

  @Test(
    "a refresh that nobody watches ends as by Ctrl-C when it is asked to",
    arguments: [SIGTERM, SIGHUP, SIGQUIT],
  )
  func terminated(_ signal: Int32) throws {
    let news = try News()
    let rss = "<rss version=\"2.0\"><channel><item><title>a</title></item></channel></rss>"
    let server = try FaultyServer(["/a": .response(body: rss), "/b": FaultyAnswer([.hang])])
    _ = try news.run("subscribe", "--no-check", server.url("/a"), server.url("/b"))
    let process = try news.start("refresh", "-v")
    server.waitForRequests(2)
    // Outcomes are told in the order in which they end: the first feed has ended.
    #expect(try process.readErrorLine().hasPrefix("\(server.url("/a")): 200, "))
    process.send(signal)
    let result = try process.wait()
    #expect(result.status == 128 + signal)
    #expect(result.errorText.hasSuffix("news: interrupted; what arrived so far is saved\n"))
    #expect(try news.titles() == ["a"])
  }

  @Test(
    "three terminals closed at a slow feed leave it to be asked, however often they say so",
    arguments: [SIGHUP, SIGQUIT],
  )
  func closedTerminals(_ signal: Int32) throws {
    let news = try News()
    let server = try FaultyServer(["/a": .head(then: [.send(Array("<rss>".utf8)), .hang])])
    _ = try news.run("subscribe", "--no-check", server.url("/a"))
    for run in 1...3 {
      let process = try news.start("refresh")
      server.waitForRequests(run)
      // Once the terminal is gone, the shell sends SIGHUP, and the system sends it again.
      for _ in 0..<(signal == SIGHUP ? 3 : 1) { process.send(signal) }
      #expect(try process.wait().status == 128 + signal)
    }
    #expect(try news.run("feeds", "--json").text.contains("\"failures\":0"))
    let last = try news.start("fetch")
    server.waitForRequests(4)
    last.send(SIGTERM)
    #expect(try last.wait().status == 143)
  }

  @Test("what is to outlive its terminal (nohup) does")
  func outliving() throws {
    let news = try News()
    let isSent = Monitor(false)
    let rss = "<rss version=\"2.0\"><channel><item><title>a</title></item></channel></rss>"
    let server = try FaultyServer([
      "/a": .head(then: [.run { isSent.wait { $0 } }, .send(Array(rss.utf8))])
    ])
    _ = try news.run("subscribe", "--no-check", server.url("/a"))
    let words = ["/bin/sh", "-c", "trap '' HUP; exec \"$0\" fetch", news.program]
    let process = try Subprocess(words, environment: news.settings)
    server.waitForRequests(1)
    process.send(SIGHUP)
    isSent.change { $0 = true }
    #expect(try process.wait().status == 0)
    #expect(try news.titles() == ["a"])
  }

  @Test("what a stopped run has stored is told to the command all the same")
  func toldWhenTerminated() throws {
    let news = try News()
    let rss = "<rss version=\"2.0\"><channel><item><title>a</title></item></channel></rss>"
    let server = try FaultyServer(["/a": .response(body: rss), "/b": FaultyAnswer([.hang])])
    _ = try news.run("subscribe", "--no-check", server.url("/a"), server.url("/b"))
    let told = news.folder.path("told.json")
    let process = try news.start("fetch", "-v", "--on-new", "cat > '\(told)'")
    #expect(try process.readErrorLine().hasPrefix("\(server.url("/a")): 200, "))
    process.send(SIGTERM)
    #expect(try process.wait().status == 143)
    #expect(try readText(told).contains("\"title\":\"a\""))
  }

  @Test("SIGTERM ends the command of --on-new, and the fetch behind it")
  func commandTerminated() throws {
    let news = try News()
    let rss = "<rss version=\"2.0\"><channel><item><title>a</title></item></channel></rss>"
    let server = try FaultyServer(["/a": .response(body: rss)])
    _ = try news.run("subscribe", "--no-check", server.url("/a"))
    let process = try news.start("fetch", "--on-new", "echo begun >&2; sleep 600")
    #expect(try process.readErrorLine() == "begun")
    process.send(SIGTERM)
    let result = try process.wait()
    #expect(result.status == 143)
    #expect(result.errorText.contains("--on-new: the command was killed"))
    #expect(try news.titles() == ["a"])
  }

  @Test(
    "whatever asks a server ends on the signals that ask for it, and its status is theirs",
    arguments: ["subscribe", "parse", "move", "doctor"],
    [SIGINT, SIGTERM, SIGHUP, SIGQUIT],
  )
  func stopped(_ command: String, _ signal: Int32) throws {
    let news = try News()
    let server = try FaultyServer(["/a": FaultyAnswer([.hang])])
    let url = server.url("/a")
    if command != "subscribe" && command != "parse" {
      _ = try news.run("subscribe", "--no-check", command == "move" ? "http://b.example/" : url)
    }
    let words = ["doctor": [], "move": ["http://b.example/", url]][command] ?? [url]
    let settings: [String: String?] = ["NEWS_HOME": news.home, "no_proxy": "*"]
    let process = try Subprocess([news.program, command] + words, environment: settings)
    server.waitForRequests(1)
    process.send(signal)
    #expect(try process.wait().status == 128 + signal)
  }

  @Test("the first Ctrl-C at a question ends the command")
  func questions() throws {
    let news = try stocked(["One"])
    let links = ["a", "b"].map { name in
      "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"/\(name)\">"
    }
    let page = "<html><head>\(links.joined())</head></html>"
    let server = try FaultyServer([
      "/": .response(headers: ["Content-Type: text/html"], body: page)
    ])
    for words in [["subscribe", server.url("/")], ["clear"]] {
      let terminal = try news.terminal(words)
      try terminal.wait(for: "] ")
      terminal.type("\u{3}")
      #expect(terminal.end() == 130, "\(terminal.screen)")
    }
  }

  @Test("a refresh that nobody watches moves nothing")
  func pipedRefresh() throws {
    let news = try stocked(["One"])
    let result = try news.run("refresh", "--force", environment: ["TERM": "xterm-256color"])
    #expect(result.text.isEmpty && result.errorText.isEmpty && result.status == 0)
  }

  @Test("dates are told in the time zone that TZ names, whatever the locale")
  func timeZone() throws {
    let news = try News()
    let item = "<item><title>é</title><pubDate>Sun, 05 Jul 2026 10:00:00 GMT</pubDate></item>"
    try news.folder.write("<rss version=\"2.0\"><channel>\(item)</channel></rss>", to: "feed.xml")
    _ = try news.run("subscribe", news.folder.path("feed.xml"))
    _ = try news.run("fetch")
    let zone = "<+0930>-9:30"
    for locale in ["C", "POSIX", "de_CH.ISO-8859-1", "tr_TR.UTF-8"] {
      let result = try news.run(
        "list",
        "--dates",
        "iso",
        "--format",
        "{title} {date} {date:%A %H:%M %Z}",
        environment: ["TZ": zone, "LANG": locale, "LC_ALL": locale],
      )
      #expect(result.text == "é 2026-07-05T19:30:00+09:30 Sunday 19:30 +0930\n")
    }
  }
}

extension String {
  fileprivate var lines: [Substring] { split(whereSeparator: \.isNewline) }

  fileprivate func components(of separator: String) -> [String] {
    var parts: [String] = [""]
    var rest = unicodeScalars[...]
    while let scalar = rest.first {
      if rest.starts(with: separator.unicodeScalars) {
        rest = rest.dropFirst(separator.unicodeScalars.count)
        parts.append("")
      } else {
        parts[parts.count - 1].unicodeScalars.append(scalar)
        rest.removeFirst()
      }
    }
    return parts
  }
}
