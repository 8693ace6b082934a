import CommandLine
import FeedFetching
import FeedModel
import FeedStorage
import Synchronization
import TestSupport
import Testing

@testable import FeedSync
@testable import System

struct ServedHomes {
  let server: ReaderServer
  let homes: [CommandRun]
  /// The server as the homes have it among their remotes.
  let remote: SyncServer

  init(_ count: Int = 1, api: ServerAPI = .greader) throws {
    server = ReaderServer(api)
    var remote = CommandRun.readerServer
    remote.interface = api == .greader ? nil : api.rawValue
    self.remote = remote
    homes = try (0..<count).map { _ in try CommandRun() }
    for home in homes { home.realFetcher = ReaderFetcher(server: server) }
  }

  var home: CommandRun { homes[0] }

  static func sample(
    _ count: Int = 4,
    homes: Int = 1,
    api: ServerAPI = .greader,
  ) throws -> ServedHomes {
    let all = try ServedHomes(homes, api: api)
    all.server.follow(Sample.feed, title: "Example")
    for number in (1...count).reversed() {
      all.server.add("https://example.com/\(number)", "s\(number)", date: date(number))
    }
    for home in all.homes {
      try home.store(
        (1...count).map { Sample.story($0, "s\($0)", hours: $0) },
        subscriptions: [(Sample.feed, "Example")],
      )
    }
    return all
  }

  static func date(_ hours: Int) -> Int { 1_793_534_400 - 3600 * hours }

  func sync(_ number: Int = 0) throws -> SyncResult {
    try homes[number].sync(with: remote).result.get()
  }

  func failure(_ number: Int = 0) throws -> String? {
    guard case .failure(let error) = try homes[number].sync(with: remote).result else { return nil }
    return error.line
  }

  func count(_ isCounted: (ReaderServer.Request) -> Bool) -> Int {
    server.requests.count(where: isCounted)
  }

  func marks(_ number: Int = 0) throws -> [String: String] {
    let items = try homes[number].store.read().items
    var marks: [String: String] = [:]
    for place in 0..<items.count {
      let story = try items.item(at: place)
      marks[story.item.title] = (story.isRead ? "read" : "-") + (story.isStarred ? " starred" : "")
    }
    return marks
  }

  func tags(_ number: Int = 0) throws -> [String: [String]] {
    try homes[number].storyTags()
  }

  func feeds(_ number: Int = 0) throws -> [String] {
    try homes[number].store.read().subscriptions.map(\.url)
  }
}

@Suite("A home and a server are kept alike, by whichever API it has")
struct ServerSyncTests {
  @Test("marks go both ways, each once", arguments: ServerAPI.allCases)
  func marks(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(api: api)
    #expect(try all.sync() == SyncResult())
    all.home("read", "1")
    all.home("star", "2")
    all.server.change("s3") { $0.isRead = true }
    all.server.change("s4") { $0.isStarred = true }
    let result = try all.sync()
    #expect(result.sent == 2 && result.marked == 2)
    #expect(try all.marks() == ["s1": "read", "s2": "- starred", "s3": "read", "s4": "- starred"])
    #expect(all.server.story("s1")?.isRead == true && all.server.story("s2")?.isStarred == true)
    all.home("unread", "1")
    all.server.change("s3") { $0.isRead = false }
    all.server.change("s4") { $0.isStarred = false }
    let next = try all.sync()
    #expect(next.sent == 1 && next.marked == 2)
    #expect(try all.marks() == ["s1": "-", "s2": "- starred", "s3": "-", "s4": "-"])
    #expect(all.server.story("s1")?.isRead == false)
    all.server.forget()
    #expect(try all.sync() == SyncResult())
    #expect(all.server.requests.count == [.greader: 7, .miniflux: 6, .nextcloud: 5][api])
    #expect(all.count(\.isOfMarks) == 0)
  }

  @Test("tags of stories are its labels, both ways, but for what folders are called")
  func labels() throws {
    let all = try ServedHomes.sample()
    all.home("feeds", "set", Sample.feed, "--tag", "News")
    _ = try all.sync()
    all.home("tag", "Later", "1")
    all.home("tag", "news", "2")
    all.server.change("s3") { $0.labels = ["weekend"] }
    #expect(try all.sync().marked == 1)
    #expect(all.server.story("s1")?.labels == ["Later"])
    #expect(try all.tags() == ["s1": ["Later"], "s2": ["news"], "s3": ["weekend"]])
    all.home("untag", "later", "1")
    all.server.change("s3") { $0.labels = [] }
    all.server.change("s4") { $0.labels = ["Later"] }
    #expect(try all.sync().marked == 2)
    #expect(all.server.story("s1")?.labels == [] && all.server.story("s4")?.labels == ["Later"])
    #expect(try all.tags() == ["s2": ["news"], "s4": ["Later"]])
    #expect(try all.sync() == SyncResult())
    all.server.change("s3") { $0.labels = ["later"] }
    #expect(try all.sync() == SyncResult())
  }

  @Test(
    "a story that is neither unread nor starred nor new gets its label, and one that went keeps it"
  )
  func oldLabels() throws {
    let all = try ServedHomes.sample()
    all.home("read", "1-4")
    for title in ["s1", "s2"] { all.server.change(title) { $0.date = 0 } }
    _ = try all.sync()
    all.server.change("s1") { $0.labels = ["later"] }
    all.server.change("s2") { $0.labels = ["later"] }
    #expect(try all.sync().marked == 2)
    all.server.account.withLock { $0.stories.removeAll { $0.title == "s1" } }
    _ = try all.sync()
    #expect(try all.tags() == ["s1": ["later"], "s2": ["later"]])
  }

  @Test("a server that labels feeds alone is sent no tag")
  func noLabels() throws {
    let all = try ServedHomes.sample()
    all.home.realFetcher = ReaderFetcher(server: all.server, root: ReaderServer.url)
    all.server.account.withLock { $0.labelsStories = false }
    _ = try all.sync()
    all.home("tag", "later", "1")
    #expect(try all.sync() == SyncResult())
    #expect(all.server.count("edit-tag") == 0)
    #expect(try all.tags() == ["s1": ["later"]])
  }

  @Test(
    "what was marked before the first sync is marked on both sides",
    arguments: ServerAPI.allCases,
  )
  func union(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(api: api)
    all.home("read", "1")
    all.home("star", "1")
    all.server.change("s2") { ($0.isRead, $0.isStarred) = (true, true) }
    let result = try all.sync()
    #expect(result.sent == 2 && result.marked == 1)
    #expect(try all.marks()["s2"] == "read starred")
    #expect(all.server.story("s1").map { $0.isRead && $0.isStarred } == true)
  }

  @Test(
    "a story that went from the server and came again takes no mark from a home, others do",
    arguments: [ServerAPI.greader, .miniflux],
    [-86_400, -30, 0, 30, 86_400],
  )
  func returned(_ api: ServerAPI, ahead: Int) throws {
    let all = try ServedHomes.sample(api: api)
    for number in 1...3 { all.home("read", "\(number)") }
    all.home("star", "2")
    let former = Int(all.home.now) + ahead
    for title in ["s1", "s2", "s3"] { all.server.change(title) { $0.came = former - 10 } }
    _ = try all.sync()
    all.home.now += 3_600
    for (title, came) in [("s1", former + 60), ("s2", former + 60), ("s3", former - 10)] {
      all.server.change(title) { ($0.isRead, $0.isStarred, $0.came) = (false, false, came) }
    }
    let result = try all.sync()
    #expect(result.sent == 3 && result.marked == 1)
    #expect(try all.marks() == ["s1": "read", "s2": "read starred", "s3": "-", "s4": "-"])
    #expect(all.server.story("s2").map { $0.isRead && $0.isStarred } == true)
  }

  @Test(
    "a mark that could not be sent is sent with the next sync, and once",
    arguments: ServerAPI.allCases,
  )
  func offline(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(api: api)
    _ = try all.sync()
    all.home("read", "1")
    all.server.fail { _ in .error(.connectionRefused(host: "reader.example")) }
    #expect(try all.failure() == "connection refused by reader.example")
    all.home("read", "2")
    all.server.fail { $0.isOfMarks ? .error(.deadline) : nil }
    #expect(try all.failure() == "not finished before the deadline")
    #expect(try all.home.waiting() == 2)
    all.server.fail(nil)
    all.server.forget()
    #expect(try all.sync().sent == 2)
    #expect(
      all.server.requests.filter(\.isOfMarks).map(\.ids.count) == [2]
    )
    #expect(try all.sync().sent == 0)
    #expect(all.server.story("s1")?.isRead == true && all.server.story("s2")?.isRead == true)
  }

  @Test(
    "what the server did before its answer was lost is not sent again",
    arguments: ServerAPI.allCases,
  )
  func lostAnswer(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(api: api)
    _ = try all.sync()
    all.home("read", "1")
    all.server.fail { $0.isOfMarks ? .lost : nil }
    #expect(
      try all.failure() == "the connection ended in the middle of the body"
        || all.server.story("s1")?.isRead == true
    )
    all.server.fail(nil)
    all.server.forget()
    #expect(try all.sync() == SyncResult())
    #expect(all.count(\.isOfMarks) == 0)
    all.server.change("s1") { $0.isRead = false }
    #expect(try all.sync().marked == 1)
    #expect(try all.marks()["s1"] == "-")
  }

  @Test(
    "a server that drops old stories, or cuts its list short, marks nothing as read",
    arguments: ServerAPI.allCases,
  )
  func leftLists(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(api: api)
    _ = try all.sync()
    all.server.account.withLock { $0.stories.removeAll { $0.title == "s1" } }
    #expect(try all.sync() == SyncResult())
    #expect(try all.marks()["s1"] == "-")
    let empty = "{\"itemRefs\":[]}"
    all.server.fail { $0.query["xt"] != nil ? .page(200, empty) : nil }
    #expect(try all.sync() == SyncResult())
    #expect(Set(try all.marks().values) == ["-"])
    all.server.fail(nil)
    #expect(try all.sync() == SyncResult())
  }

  @Test(
    "what was read and unstarred there long after it came is asked for, and so is here",
    arguments: ServerAPI.allCases,
  )
  func leftUnseen(_ api: ServerAPI) throws {
    let all = try ServedHomes(api: api)
    all.server.follow(Sample.feed, title: "Example")
    // These stories are older than those that a server lists as recent.
    for (number, hours) in [(1, 1), (2, 40 * 24), (3, 41 * 24)] {
      let (link, date) = ("https://example.com/\(number)", ServedHomes.date(hours))
      all.server.add(link, "s\(number)", date: date, isRead: number == 3, isStarred: number == 3)
    }
    try all.home.store(
      [(1, 1), (2, 40 * 24), (3, 41 * 24)].map { Sample.story($0, "s\($0)", hours: $1) },
      subscriptions: [(Sample.feed, "Example")],
    )
    _ = try all.sync()
    #expect(try all.marks() == ["s1": "-", "s2": "-", "s3": "read starred"])
    all.server.change("s2") { $0.isRead = true }
    all.server.change("s3") { $0.isStarred = false }
    #expect(try all.sync().marked == 2)
    #expect(try all.marks() == ["s1": "-", "s2": "read", "s3": "read"])
    all.server.forget()
    #expect(try all.sync() == SyncResult())
    #expect(all.count(\.isOfStories) == (api == .greader ? 0 : 3))
  }

  @Test("many stories go in batches, and lists in pages")
  func batches() throws {
    let all = try ServedHomes.sample(1_100)
    all.server.account.withLock { $0.pageSize = 300 }
    #expect(try all.sync() == SyncResult())
    let contents = all.server.requests.filter { $0.name == "items/contents" }
    #expect(contents.map { $0.form["i"]?.count } == [250, 250, 250, 250, 100])
    #expect(all.server.requests.count { $0.query["xt"] != nil } == 4)
    #expect(all.server.count("/token") == 1)
    all.home("read", "--all")
    all.server.forget()
    #expect(try all.sync().sent == 1_100)
    let edits = all.server.requests.filter { $0.name == "0/edit-tag" }
    #expect(edits.map { $0.form["i"]?.count } == [250, 250, 250, 250, 100])
    #expect(all.server.count("token") == 1 && all.server.count("ClientLogin") == 1)
    #expect(all.server.account.withLock { $0.stories.allSatisfy(\.isRead) })
  }

  @Test("a token that has expired is asked for once again")
  func token() throws {
    let all = try ServedHomes.sample()
    _ = try all.sync()
    all.home("read", "1")
    let server = all.server
    server.forget()
    server.fail { request in
      if request.path.hasSuffix("/token"), server.count("/token") == 1 { return .page(200, "old") }
      return nil
    }
    #expect(try all.sync().sent == 1)
    #expect(server.count("/token") == 2 && server.count("edit-tag") == 2)
    server.forget()
    server.fail { $0.name == "0/edit-tag" ? .page(401, "") : nil }
    all.home("read", "2")
    #expect(try all.failure() == "the server refuses to answer (401)")
    #expect(server.count("edit-tag") == 2)
  }

  @Test("what is no answer changes nothing, and is said in a line")
  func answers() throws {
    let all = try ServedHomes.sample()
    all.home("read", "1")
    _ = try all.sync()
    let before = try all.home.store.serverState("rss")
    all.server.change("s2") { $0.isRead = true }
    all.home("star", "3")
    let page = "<html><title>Log in</title></html>"
    let cases: [(String, ReaderServer.Fault, String)] = [
      (
        "accounts/ClientLogin", .page(200, page),
        "there is no Google Reader API at https://reader.example: give the address that is for apps, "
          + "such as https://example.com/api/greader.php",
      ),
      ("accounts/ClientLogin", .page(401, page), "the server refuses the user or the password"),
      (
        "subscription/list", .page(200, page),
        "the answer to subscription/list is no JSON, or breaks off",
      ),
      (
        "subscription/list", .page(200, "{\"subscriptions\":[{\"id\":\"feed/1\""),
        "the answer to subscription/list is no JSON, or breaks off",
      ),
      (
        "subscription/list", .page(200, "{\"error\":1}"),
        "the answer to subscription/list is no list of feeds",
      ),
      (
        "items/ids", .page(200, "{\"itemRefs\":[{\"id\":\"1\"},"),
        "the answer to stream/items/ids is no JSON, or breaks off",
      ),
      ("items/ids", .page(200, "{}"), "the answer to stream/items/ids is no list of stories"),
      (
        "items/ids", .page(200, "{\"itemRefs\":[{\"id\":\"x y\"}]}"),
        "the answer to stream/items/ids has ids that are not understood",
      ),
      ("items/ids", .page(500, ""), "server answered 500"),
      (
        "items/ids", .page(200, "{\"itemRefs\":[{\"id\":\"7\"}],\"continuation\":\"c\"}"),
        "a list of stories goes on without end",
      ),
      (
        "items/contents", .page(200, page),
        "the answer to stream/items/contents is no JSON, or breaks off",
      ),
      (
        "items/contents", .page(200, "{}"),
        "the answer to stream/items/contents is no list of stories",
      ),
    ]
    for (name, fault, words) in cases {
      all.server.fail { $0.path.hasSuffix(name) ? fault : nil }
      #expect(try all.failure() == words, "\(name)")
      #expect(try all.home.store.serverState("rss") == before)
    }
    all.server.fail { $0.name == "0/edit-tag" ? .page(200, page) : nil }
    #expect(try all.failure() == "the answer to edit-tag is not understood")
    all.server.fail(nil)
    #expect(try all.sync().sent == 1)
    #expect(all.server.story("s3")?.isStarred == true)
  }

  @Test("answers that are too deep, too many or without end are refused")
  func hostile() throws {
    let all = try ServedHomes.sample()
    _ = try all.sync()
    let before = try all.home.store.serverState("rss")
    let deep = "{\"itemRefs\":" + String(repeating: "[", count: 100_000)
    let feeds = (0...10_000).map { "{\"id\":\"feed/\($0)\",\"url\":\"https://a.example/\($0)\"}" }
    let many = "{\"subscriptions\":[\(feeds.joined(separator: ","))]}"
    let cases: [(String, String, String)] = [
      ("items/ids", deep, "the answer to stream/items/ids: refused: nesting over 64"),
      ("subscription/list", many, "refused: number of feeds over 10000"),
    ]
    for (name, body, words) in cases {
      all.server.fail { $0.path.hasSuffix(name) ? .page(200, body) : nil }
      #expect(try all.failure() == words)
      #expect(try all.home.store.serverState("rss") == before)
    }
    // The server adds new stories for ever.
    let server = all.server
    server.forget()
    server.fail { request in
      guard request.query["xt"] != nil else { return nil }
      let page = request.query["c"].flatMap { Int($0[0]) } ?? 0
      return .page(
        200,
        "{\"itemRefs\":[{\"id\":\"\(page + 1)\"}],\"continuation\":\"\(page + 1)\"}",
      )
    }
    #expect(try all.failure() == "refused: a list of stories over 2000 pages")
    #expect(try all.home.store.serverState("rss") == before)
  }

  @Test("labels with more stories than there is room for are left out, with a line, and stay there")
  func longLabels() throws {
    let all = try ServedHomes.sample()
    all.server.change("s1") { $0.labels = ["small"] }
    all.server.change("s2") { $0.labels = ["large"] }
    _ = try all.sync()
    #expect(try all.tags() == ["s1": ["small"], "s2": ["large"]])
    all.server.fail { request in
      guard request.query["s"]?[0].hasSuffix("/label/large") == true else { return nil }
      let page = request.query["c"].flatMap { Int($0[0]) } ?? 0
      let ids = (0..<10_000).map { "{\"id\":\"\(page * 10_000 + $0 + 1)\"}" }.joined(separator: ",")
      return .page(200, "{\"itemRefs\":[\(ids)],\"continuation\":\"\(page + 1)\"}")
    }
    _ = try all.sync()
    #expect(try all.tags() == ["s1": ["small"], "s2": ["large"]])
    #expect(all.server.story("s2")?.labels == ["large"])
    all.server.fail(nil)
    #expect(try all.sync() == SyncResult())
    #expect(try all.tags() == ["s1": ["small"], "s2": ["large"]])
  }

  @Test("more stories than an answer may have come in several; one that is too large is left out")
  func largeStories() throws {
    let all = try ServedHomes.sample(7)
    for number in 1...7 { all.server.change("s\(number)") { $0.isStarred = true } }
    all.server.fail { request in
      (request.form["i"] ?? []).count > 2 ? .error(.bodyTooLarge(maximumBytes: 1)) : nil
    }
    _ = try all.sync()
    #expect(try all.marks().values.allSatisfy { $0.contains("starred") })
    all.server.add("https://example.com/8", "s8", date: ServedHomes.date(0))
    all.server.fail { request in
      request.path.hasSuffix("contents") ? .error(.bodyTooLarge(maximumBytes: 1)) : nil
    }
    #expect(
      try all.home.sync().errors
        == "news: rss: a story is left out: it is larger than 16777216 bytes\n"
    )
    #expect(try all.marks().count == 7)
  }

  @Test(
    "another account, and a server that has lost its feeds, take nothing from the home",
    arguments: ServerAPI.allCases,
  )
  func reset(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(api: api)
    _ = try all.sync()
    if api != .nextcloud {
      all.server.account.withLock { $0.user = "2" }
      let hint = "; if that is right: news sync remove rss, and add it again"
      #expect(try all.failure() == "another account answers than the one before" + hint)
    }
    all.server.account.withLock { account in
      account.user = "1001"
      (account.feeds, account.stories) = ([], [])
    }
    #expect(try all.sync().pending.removed == 1)
    #expect(try all.feeds() == [Sample.feed])
    #expect(try all.marks().count == 4)
  }

  @Test("ids in their long form, in any order, and twice")
  func ids() throws {
    let all = try ServedHomes.sample()
    _ = try all.sync()
    all.server.account.withLock { account in
      account.usesLongIDs = true
      account.stories = account.stories.reversed() + account.stories
    }
    #expect(try all.sync() == SyncResult())
    all.home("read", "1")
    #expect(try all.sync().sent == 1)
    #expect(all.server.story("s1")?.isRead == true)
  }

  @Test(
    "a story that comes here later takes the marks that it has there",
    arguments: ServerAPI.allCases,
  )
  func later(_ api: ServerAPI) throws {
    let all = try ServedHomes(api: api)
    all.server.follow(Sample.feed, title: "Example")
    all.server.add("https://example.com/1?utm_source=feed", "s1", isRead: true)
    all.server.add("https://example.com/2", "s2", isStarred: true)
    #expect(try all.sync().added == 1)
    try all.home.store(
      [Sample.story(1, "s1", hours: 1), Sample.story(2, "s2", hours: 2)],
      subscriptions: [(Sample.feed, "Example")],
    )
    #expect(try all.sync().marked == 2)
    #expect(try all.marks() == ["s1": "read", "s2": "- starred"])
  }

  @Test(
    "without a link a story is found by its title and date, however FreshRSS writes the title",
    arguments: ServerAPI.allCases,
  )
  func titles(_ api: ServerAPI) throws {
    let all = try ServedHomes(api: api)
    all.server.follow(Sample.feed)
    all.server.add("", "A ＆ B ＜1＞", date: ServedHomes.date(1), isRead: true)
    all.server.add("", "Same", date: ServedHomes.date(2), isRead: true)
    all.server.add("", "Same", date: ServedHomes.date(3))
    var stories = [(1, "A & B <1>"), (2, "Same"), (3, "Same")].map {
      Sample.story($0, $1, hours: $0)
    }
    for place in stories.indices { stories[place].item.link = "" }
    try all.home.store(stories, subscriptions: [(Sample.feed, "Feed")])
    #expect(try all.sync().marked == 2)
    let items = try all.home.store.read().items
    #expect(try (0..<3).map { try items.item(at: $0).isRead } == [true, true, false])
  }

  @Test(
    "a story of two feeds there, which is one here, has the same marks in both",
    arguments: ServerAPI.allCases,
  )
  func sharedStory(_ api: ServerAPI) throws {
    let all = try ServedHomes(api: api)
    for url in [Sample.feed, Sample.other] { all.server.follow(url) }
    all.server.add("https://example.com/1", "one")
    let other = all.server.add("https://example.com/1", "one", of: Sample.other)
    try all.home.store(
      [Sample.story(1, "one", hours: 1, feeds: [Sample.feed, Sample.other])],
      subscriptions: [(Sample.feed, "A"), (Sample.other, "B")],
    )
    _ = try all.sync()
    all.server.account.withLock { account in
      for place in account.stories.indices where account.stories[place].id == other {
        account.stories[place].isRead = true
      }
    }
    let result = try all.sync()
    #expect(result.marked == 1 && result.sent == 1)
    #expect(all.server.account.withLock { $0.stories.allSatisfy(\.isRead) })
    #expect(try all.sync() == SyncResult())
  }

  @Test(
    "the password and what stands for it are in no file and no line",
    arguments: ServerAPI.allCases,
  )
  func secrets(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(api: api)
    all.home("read", "1")
    let secret = api == .greader ? "secret-word" : ReaderServer.password
    var said = try all.home.sync(with: all.remote).errors
    all.server.fail { $0.isOfMarks ? .page(500, secret) : nil }
    all.home("read", "2")
    said += try all.failure() ?? ""
    all.server.fail(nil)
    let home = all.home.folder.path("home")
    let files = try namesInFolder(home).filter { !$0.hasPrefix("texts") }
    #expect(files.contains("sync-rss.plist"))
    for text in try files.map({ String(decoding: try readFile("\(home)/\($0)"), as: UTF8.self) })
      + [said]
    {
      for secret in [ReaderServer.password, "secret-word", "token-1"] {
        #expect(!text.contains(secret))
      }
    }
    #expect(FileStatus(at: "\(home)/sync-rss.plist")?.mode == 0o600)
  }

  @Test(
    "marks that another process makes while the server is asked are kept",
    arguments: ServerAPI.allCases,
  )
  func meanwhile(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(api: api)
    _ = try all.sync()
    let home = all.home
    all.server.change("s2") { $0.isRead = true }
    all.server.fail { request in
      if request.isOfStories { home("read", "1") }
      return nil
    }
    let result = try all.sync()
    #expect(result.marked == 1 && result.sent == 1)
    all.server.fail(nil)
    #expect(try all.marks() == ["s1": "read", "s2": "read", "s3": "-", "s4": "-"])
    #expect(all.server.story("s1")?.isRead == true)
  }

  @Test("of two syncs at one time the later one reads again", arguments: ServerAPI.allCases)
  func twoAtOnce(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(api: api)
    _ = try all.sync()
    let (home, server, remote) = (all.home, all.server, all.remote)
    all.server.change("s2") { $0.isRead = true }
    all.server.fail { request in
      guard request.isOfStories else { return nil }
      // The other home synchronizes in the middle of this one's sync.
      server.fail(nil)
      home("read", "1")
      #expect((try? home.sync(with: remote).result.get())?.sent == 1)
      return nil
    }
    #expect(try all.sync() == SyncResult())
    #expect(try all.marks()["s1"] == "read")
    #expect(all.server.story("s1")?.isRead == true)
  }
}
