import FeedFetching
import FeedModel
import FeedParsing
import FeedStorage
import System
import TestSupport
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import FollowingCommands
@testable import NewsCommands

@Suite("news doctor")
struct DoctorTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    // The programs for pictures and notices are there, and others have been named.
    news.variables["PATH"] = "/usr/bin"
    for name in ["NEWS_PLAYER", "BROWSER"] { news.variables[name] = "/bin/sh" }
    try news.storeSample()
    news("list")
    try change { subscription in
      subscription.state.lastAsked = Date(timeIntervalSince1970: 1_793_530_000)
      subscription.state.lastOutcome = .noData
    }
  }

  private var home: String { news.folder.path("home") }

  private func change(_ change: (inout Subscription) -> Void) throws {
    try news.store.update { library in
      var subscriptions = library.subscriptions
      for place in subscriptions.indices { change(&subscriptions[place]) }
      return (LibraryChange(subscriptions: subscriptions), ())
    }
  }

  private func lines(_ state: String, _ words: String...) -> [String] {
    news.run(["doctor"] + words).output.split(separator: "\n")
      .filter { $0.hasPrefix(state + "\t") }.map { String($0.dropFirst(state.count + 1)) }
  }

  @Test("where nothing is wrong it says so, ends with 0 and changes nothing")
  func healthy() throws {
    let before = try namesInFolder(home).map { try readFile("\(home)/\($0)") }
    let result = news("doctor", "--offline")
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(lines("wrong", "--offline") == [])
    #expect(
      lines("ok", "--offline").contains("newsdata.plist\t5 stories in \(before[3].count) bytes\t")
    )
    #expect(try namesInFolder(home).map { try readFile("\(home)/\($0)") } == before)
    #expect(news.fetcher.requests.isEmpty)
    news.useTerminal(80)
    #expect(
      news("doctor", "--offline", "--color=never").output.hasSuffix("\n\nNothing is wrong.\n")
    )
  }

  @Test("of what imported lists had besides their feeds it says only how large it is")
  func outlines() throws {
    let list = try news.folder.write(
      "<opml version='2.0'><head><ownerName>A</ownerName></head><body>"
        + "<outline text='B' type='rss' xmlUrl='https://b.example/feed'/></body></opml>",
      to: "list.opml",
    )
    #expect(news("import", list).status == 0)
    let line = lines("ok", "--offline").first { $0.hasPrefix("outlines.plist\t") }
    let bytes = try readFile(home + "/outlines.plist").count
    #expect(line == "outlines.plist\t\(bytes) bytes\t")
  }

  @Test("a home that is not there is no fault, and is not made")
  func noHome() throws {
    news.variables["NEWS_HOME"] = news.folder.path("other")
    let result = news("doctor")
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("note\thome\t\(news.folder.path("other")) is not there yet\t"))
    #expect(result.output.contains("note\tfeeds\tno subscriptions yet\tnews subscribe URL"))
    #expect(throws: POSIXFailure.self) { try namesInFolder(news.folder.path("other")) }
  }

  @Test("a home and files that others may use are wrong, with the words that close them")
  func modes() throws {
    chmod(home, 0o755)
    chmod("\(home)/feeds.plist", 0o644)
    #expect(news("doctor", "--offline").status == 1)
    #expect(
      lines("wrong", "--offline") == [
        "home\tother users may use it (mode 0755)\tchmod 700 \(home)",
        "feeds.plist\tother users may use it (mode 0644)\tchmod 600 \(home)/feeds.plist",
      ]
    )
    for line in lines("wrong", "--offline") {
      let advice = String(line.split(separator: "\t")[2])
      #expect(try Subprocess.run(["sh", "-c", advice]).status == 0)
    }
    #expect(news("doctor", "--offline").status == 0)
  }

  @Test(
    "a file that is damaged, of a newer news or no file is wrong, and stays as it is",
    arguments: [
      ("newsdata.plist", "damaged"), ("feeds.plist", "bplist00"), ("ledger.plist", "<plist>"),
      ("runs.plist", "?"),
    ],
  )
  func damaged(_ name: String, _ content: String) throws {
    try writeFile("\(home)/\(name)", content.utf8)
    chmod("\(home)/\(name)", 0o600)
    let wrong = lines("wrong", "--offline")
    #expect(wrong.count == 1)
    #expect(wrong[0].hasPrefix("\(name)\t\(home)/\(name) cannot be read and was left as it is: "))
    #expect(wrong[0].contains("\trestore it from a backup, or begin anew: mv \(home)/\(name) "))
    #expect(news("doctor", "--offline").status == 1)
    #expect(try readText("\(home)/\(name)") == content)
  }

  @Test("garbage in any file of the home is told, and the manual has every one")
  func everyFile() throws {
    for file in StoreFile.all where file.kind == .stored {
      let name = file.isOne ? file.name : "sync-server.plist"
      let before = try? readFile("\(home)/\(name)")
      try writeFile("\(home)/\(name)", "garbage {".utf8)
      chmod("\(home)/\(name)", 0o600)
      #expect(lines("wrong", "--offline").contains { $0.hasPrefix("\(name)\t") }, "\(name)")
      unlink("\(home)/\(name)")
      if let before { try writeFile("\(home)/\(name)", before) }
    }
    let settings = ["~/.config/news/defaults", "~/.config/news/keys"]
    #expect(ManualFacts.news.files.map(\.name) == StoreFile.all.map(\.name) + settings)
  }

  @Test("each file is said to hold what it holds, and what is lost when it is damaged is named")
  func ownWords() throws {
    news("clear", "--feed", Sample.feed, "--yes")
    news("serve", "password")
    let fine = lines("ok", "--offline")
    for (name, words, advice) in [
      ("history.plist", "1 change in ", "take it away: rm "),
      ("newsdata.plist.cleared-1", "3 stories in ", "take it away: rm "),
      ("serving.plist", "", "&& news serve password"),
    ] {
      #expect(fine.contains { $0.hasPrefix("\(name)\t\(words)") }, "\(name)")
      try writeFile("\(home)/\(name)", "garbage {".utf8)
      let wrong = lines("wrong", "--offline").filter { $0.hasPrefix("\(name)\t") }
      #expect(wrong.count == 1 && wrong.allSatisfy { $0.contains(advice) }, "\(wrong)")
    }
  }

  @Test("numbers of lists that are damaged are wrong, and the next list mends them")
  func damagedListing() throws {
    news("list")
    let session = TerminalSession.current().name
    try writeFile("\(home)/listings/\(session).plist", "?".utf8)
    let wrong = lines("wrong", "--offline")
    #expect(wrong.count == 1 && wrong[0].hasPrefix("listings\t\(home)/listings/\(session).plist "))
    #expect(wrong[0].hasSuffix("\tnumber the stories again: news list"))
    news("list")
    #expect(lines("wrong", "--offline") == [])
  }

  @Test("a folder in a file's place is wrong")
  func folder() throws {
    unlink("\(home)/newsdata.plist")
    mkdir("\(home)/newsdata.plist", 0o700)
    #expect(
      lines("wrong", "--offline").first?.hasPrefix(
        "newsdata.plist\tis a folder, not a file\tmove it away: mv "
      ) == true
    )
  }

  @Test("a home that is a file is wrong")
  func fileForHome() throws {
    news.variables["NEWS_HOME"] = try news.folder.write("", to: "a file")
    let wrong = lines("wrong", "--offline")
    #expect(wrong[0].contains(" is a file, not a folder\tmove it away: mv '"))
    #expect(news("doctor", "--offline").status == 1)
  }

  @Test("what a killed writer left behind is noted")
  func leftovers() throws {
    try writeFile("\(home)/.newsdata.plist.new", [])
    #expect(news("doctor", "--offline").status == 0)
    #expect(
      lines("note", "--offline").contains(
        ".newsdata.plist.new\tleft behind by a news that was killed while it saved; nothing is lost"
          + "\trm \(home)/.newsdata.plist.new"
      )
    )
  }

  @Test("a lock that another process keeps is wrong, and its holder is named")
  func lock() throws {
    let holder = open("\(home)/lock", O_RDWR)
    #expect(flock(holder, LOCK_EX) == 0)
    _ = ftruncate(holder, 0)
    _ = Array("process \(getpid())".utf8).withUnsafeBytes {
      pwrite(holder, $0.baseAddress, $0.count, 0)
    }
    #expect(
      lines("wrong", "--offline") == [
        "lock\theld by process \(getpid()) for more than 2 s\t"
          + "wait for that process, or end it if it hangs: kill \(getpid())"
      ]
    )
    close(holder)
    #expect(lines("wrong", "--offline") == [])
  }

  @Test("a lock says if somebody holds it")
  func held() throws {
    let store = LibraryStore(home: home)
    let turn = store.takeTurn()
    let address = ServedAddress("http://127.0.0.1:1", of: store)
    let held = lines("ok", "--offline").filter { $0.contains("held by ") }
    #expect(
      held == [
        "lock\theld by nobody\t", "fetch.lock\theld by a process now\t",
        "serve.lock\theld by a process now\t",
      ]
    )
    _ = address
    turn.end()
    #expect(lines("ok", "--offline").contains("fetch.lock\theld by nobody\t"))
  }

  @Test("feeds that fail for long, never worked or are gone are wrong; one failure is a note")
  func feeds() throws {
    var place = 0
    try change { feed in
      if place == 0 {
        feed.state.lastOutcome = .failed
        feed.state.failures = 1
        feed.state.lastError = "server answered 503"
        feed.state.lastSucceeded = Date(timeIntervalSince1970: 1_793_534_400 - 7_200)
      } else {
        feed.state.isGone = true
      }
      place += 1
    }
    #expect(
      lines("wrong", "--offline") == [
        "Other Feed\tits server says that it is gone for good\tnews unsubscribe \(Sample.other)"
      ]
    )
    #expect(
      lines("note", "--offline").dropLast() == [
        "Example\tfailed the last time; it last worked 2 h ago: server answered 503"
          + "\twait, or try again: news refresh -v \(Sample.feed)"
      ]
    )
    #expect(lines("ok", "--offline").contains("feeds\t1 of 2 feeds work\t"))
    try change { feed in
      feed.state.isGone = false
      feed.state.lastOutcome = .failed
      feed.state.failures = 5
      feed.state.lastStatus = 404
      feed.state.lastError = "server answered 404"
      feed.state.lastSucceeded = nil
      feed.state.link = "https://example.com/it's"
    }
    #expect(
      lines("wrong", "--offline").first
        == "Example\tfailed 5 times in a row; it never worked: server answered 404\t"
        + #"look for its new place: news subscribe 'https://example.com/it'\''s', "#
        + "then news unsubscribe \(Sample.feed)"
    )
    #expect(news("doctor", "--offline").status == 1)
  }

  @Test("feeds that are silent are told in one line, if they are more than a few")
  func manySilent() throws {
    let stories = (1...4).map {
      Sample.story($0, "\($0)", hours: 1, feeds: ["https://\($0).example/"])
    }
    let feeds = (1...4).map { ("https://\($0).example/", "Feed \($0)") }
    try news.store(stories, subscriptions: feeds)
    try news.change { feeds in
      for place in feeds.indices {
        feeds[place].state.lastAsked = Date(timeIntervalSince1970: 1_793_534_400)
      }
    }
    news.now += 200 * 86_400
    #expect(
      lines("note", "--offline").first
        == "4 feeds\tsilent for at least 90 days: Feed 1, Feed 2, Feed 3, Feed 4\t"
        + "see each: news feeds --silent"
    )
  }

  @Test("silent feeds, feeds that say they move and a timer that is none are noted")
  func notes() throws {
    news.now += 200 * 86_400
    try change { $0.state.pendingMove = nil }
    let notes = lines("note", "--offline")
    #expect(notes[0].hasPrefix("Example\tsilent: its newest story is 200 days old\t"))
    #expect(
      notes.last == "timer\tnothing fetches in the background\tnews schedule install"
    )
    news.now -= 110 * 86_400
    #expect(lines("note", "--offline")[0].hasPrefix("Example\tsilent: "))
    #expect(news("feeds", "--silent").output != "")
    news.now -= 86_400
    #expect(lines("note", "--offline").allSatisfy { !$0.contains("silent") })
    #expect(news("feeds", "--silent").output == "")
    news.now -= 89 * 86_400
    try change {
      $0.state.pendingMove = PendingMove(
        url: "https://example.net/",
        days: 2,
        lastSeen: .distantPast,
        firstSeen: .distantPast,
      )
    }
    #expect(
      lines("note", "--offline")[0]
        == "Example\tits server has said on 2 days that it moved to https://example.net/\t"
        + "nothing: news follows when it has said so on three days"
    )
  }

  @Test("each host is asked once; one that answers anything is reached")
  func network() throws {
    news.fetcher.serve(Sample.feed, FakeFetcher.Page(body: Sample.rss("Example", ["one"])))
    let result = news("doctor")
    #expect(result.status == 0)
    #expect(news.fetcher.requests.map(\.url) == [Sample.feed, Sample.other])
    #expect(result.output.contains("ok\tnetwork\t2 hosts answered\t"))
  }

  @Test("a host that cannot be reached is wrong; when none can, the machine is offline")
  func unreachable() throws {
    var error = FetchError.nameUnknown(host: "example.org")
    news.fetcher.serve(Sample.feed, FakeFetcher.Page(body: Sample.rss("Example", ["one"])))
    news.fetcher.serve(Sample.other, FakeFetcher.Page(error: error))
    #expect(
      lines("wrong") == ["example.org\t\(error)\tsee that the feed's URL is right: news feeds"]
    )
    error = .nameNotResolved(host: "example.org")
    for feed in [Sample.feed, Sample.other] {
      news.fetcher.serve(feed, FakeFetcher.Page(error: error))
    }
    #expect(
      lines("wrong") == [
        "network\tnone of 2 hosts was reached (\(error))\t"
          + "connect this machine; behind a proxy, set http_proxy and https_proxy"
      ]
    )
    #expect(news("doctor").status == 1)
  }

  @Test("a host that wants to be left in peace is not asked")
  func peace() throws {
    try news.hold("https://example.com", "https://example.org")
    let notes = lines("note")
    #expect(news.fetcher.requests.isEmpty)
    #expect(
      notes.contains(
        "hold\thttps://example.com asked to wait until 12:10 (429): 1 feed\t"
          + "nothing: it is asked again then; to insist: news refresh --force"
      )
    )
  }

  @Test(
    "the clock is wrong when no server's agrees with it",
    arguments: [
      ([12, -7_200], nil), ([299], nil), ([-301, -9_000], "5 minutes behind the servers' clocks"),
      ([7_300], "2 hours ahead of the servers' clocks"),
      ([-86_400 * 3], "3 days behind the servers' clocks"),
    ] as [([Double], String?)],
  )
  func clock(_ differences: [Double], _ text: String?) throws {
    let finding = try #require(ServerClock.finding(differences))
    #expect(finding.state == (text == nil ? .ok : .wrong))
    if let text { #expect(finding.text == text) }
    #expect(ServerClock.finding([]) == nil)
  }

  @Test(
    "libxml2, libcurl, certificates and the year: what is missing is wrong where a feed needs it"
  )
  func machine() {
    func findings(
      _ curl: Result<String, LibraryFault>,
      xml: Result<String, LibraryFault> = .success("2.9.14"),
      names: Result<String, LibraryFault> = .success("2.3.8"),
      web: Bool,
      files: [String],
      named: String? = nil,
      year: Double = 2026.5,
    ) -> [String] {
      MachineChecks(
        xml: xml,
        curl: curl,
        names: names,
        namedCertificates: named,
        now: (year - 1970) * 31_556_952,
        needsWeb: web,
        needsCertificates: web,
        hasCertificate: files.contains,
      ).findings().map { "\($0.state.rawValue) \($0.subject): \($0.text)" }
    }
    let system = "/etc/ssl/cert.pem"
    #expect(
      findings(.success("8.5.0"), web: true, files: [system])
        == [
          "ok libxml2: 2.9.14", "ok libcurl: 8.5.0", "ok libidn2: 2.3.8",
          "ok certificates: \(system)",
          "ok clock: the year is 2026",
        ]
    )
    let unread = LibraryFault(.xml2, "no such file")
    #expect(
      findings(.success("8"), xml: .failure(unread), web: false, files: [])[0]
        == "wrong libxml2: libxml2 is not installed, and XML needs it, JSON does not: no such file"
    )
    let noNames = LibraryFault(.idn2, "no such file")
    #expect(
      findings(.success("8"), names: .failure(noNames), web: true, files: [])[2]
        == "note libidn2: libidn2 is not installed, and hosts that are not in ASCII need it, others do not: no such file"
    )
    let missing = LibraryFault(.curl, "no such file")
    #expect(findings(.failure(missing), web: true, files: [])[1].hasPrefix("wrong libcurl: "))
    #expect(findings(.failure(missing), web: false, files: [])[1].hasPrefix("note libcurl: "))
    #expect(
      findings(.success("8"), web: true, files: [])[3].hasPrefix("wrong certificates: no auth")
    )
    #expect(findings(.success("8"), web: false, files: [])[3].hasPrefix("note certificates: "))
    #expect(
      findings(.success("8"), web: true, files: [system], named: "/x")[3]
        .hasPrefix("wrong certificates: no certificate in /x")
    )
    #expect(
      findings(.success("8"), web: true, files: [], year: 1970.01)[4]
        == "wrong clock: it says that the year is 1970"
    )
  }

  @Test("on a terminal it fits, whatever a feed is called")
  func terminal() throws {
    try change { feed in
      feed.title =
        "A title \u{1b}[31mthat goes on and on until no terminal of forty columns has room"
      feed.state.isGone = true
    }
    news.useTerminal(40)
    let result = news("doctor", "--offline", "--color=never")
    for line in result.output.split(separator: "\n") where !line.contains("/") {
      #expect(TerminalText.width(String(line)) <= 40)
    }
    #expect(!result.output.contains("\u{1b}"))
    #expect(result.output.hasSuffix("2 things are wrong.\n"))
  }
}
