import CommandLine
import FeedModel
import FeedStorage
import Synchronization
import Testing

@testable import FeedSync

@Suite("What a server refuses holds up nothing else, and is never forgotten in silence")
struct ServerRefusalTests {
  private static let feeds = (1...3).map { "https://example.com/feed\($0)" }
  private static let day = 86_400.0

  private func refuse(_ title: String, _ status: Int, in all: ServedHomes) throws {
    let id = try #require(all.server.story(title)?.id)
    all.server.fail { request in
      request.isOfMarks && request.ids.contains(id)
        ? .page(status, "Error: item not found\nat line 7") : nil
    }
  }

  @Test(
    "a batch is halved until the story is found",
    arguments: ServerAPI.allCases,
    [400, 404, 410, 413, 500],
  )
  func halves(_ api: ServerAPI, status: Int) throws {
    let all = try ServedHomes.sample(300, api: api)
    _ = try all.sync()
    try refuse("s7", status, in: all)
    all.home("read", "--all")
    all.server.forget()
    let (result, said) = try all.home.sync(with: all.remote)
    #expect(try result.get().sent == 299)
    #expect(
      said == "news: rss: it refuses to mark 1 story read: server answered \(status): "
        + "Error: item not found; it is asked again in 1 day\n"
    )
    #expect(all.server.account.withLock { $0.stories.filter { !$0.isRead }.map(\.title) } == ["s7"])
    #expect(all.count(\.isOfMarks) <= 20)
    #expect(try all.marks()["s7"] == "read")
    #expect(try all.home.waiting() == 0)
    // The mark waits by a back-off, and is reported again when it is sent again.
    all.server.forget()
    #expect(try all.home.sync(with: all.remote).errors == "" && all.count(\.isOfMarks) == 0)
    all.home.now += Self.day
    #expect(try all.home.waiting() == 1)
    #expect(try all.home.sync(with: all.remote).errors.hasSuffix("it is asked again in 2 days\n"))
    all.home.now += Self.day
    #expect(try all.sync() == SyncResult() && all.count(\.isOfMarks) == 1)
    all.server.fail(nil)
    all.home.now += Self.day
    #expect(try all.sync().sent == 1 && all.server.story("s7")?.isRead == true)
    #expect(try all.home.store.serverState("rss")?.refusals == [:])
  }

  @Test("stars, labels and what is taken back are found alike, each by itself")
  func kinds() throws {
    let all = try ServedHomes.sample(20)
    for number in 1...20 { all.server.change("s\(number)") { $0.labels = ["old"] } }
    _ = try all.sync()
    try refuse("s3", 404, in: all)
    all.home("star", "1-20")
    all.home("tag", "new", "1-20")
    all.home("untag", "old", "1-20")
    let (result, said) = try all.home.sync()
    #expect(try result.get().sent == 57)
    for words in [
      "star 1 story", "give 1 story the label new", "take the label old from 1 story",
    ] {
      #expect(said.contains("rss: it refuses to \(words): server answered 404"), "\(said)")
    }
    let there = all.server.account.withLock { $0.stories.filter { $0.title != "s3" } }
    #expect(there.allSatisfy { $0.isStarred && $0.labels == ["new"] })
    all.home("unstar", "3")
    _ = try all.sync()
    #expect(try all.home.store.serverState("rss")?.refusals.count == 2)
  }

  @Test(
    "a server that is in trouble is no server that refuses: all waits, after few requests",
    arguments: ServerAPI.allCases,
  )
  func trouble(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(200, api: api)
    _ = try all.sync()
    all.home("read", "--all")
    all.server.fail { $0.isOfMarks ? .page(500, "<html>down</html>") : nil }
    all.server.forget()
    #expect(try all.failure() == "server answered 500")
    #expect(all.count(\.isOfMarks) < 20)
    #expect(try all.home.waiting() == 200)
    for status in [429, 503] {
      all.server.forget()
      all.server.fail { $0.isOfMarks ? .page(status, "") : nil }
      #expect(try all.failure() == "server answered \(status)")
      #expect(all.count(\.isOfMarks) == 1)
    }
    all.server.fail(nil)
    #expect(try all.sync().sent == 200)
  }

  @Test(
    "of many stories that are refused a part is found with each sync",
    arguments: ServerAPI.allCases,
  )
  func many(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(240, api: api)
    _ = try all.sync()
    let bad = Set(
      all.server.account.withLock { account in
        account.stories.enumerated().filter { $0.offset % 10 == 3 }.map(\.element.id)
      }
    )
    all.server.fail { request in
      request.isOfMarks && !bad.isDisjoint(with: request.ids) ? .page(400, "") : nil
    }
    all.home("read", "--all")
    let first = try all.home.sync(with: all.remote)
    #expect(try first.result.get().sent > 0)
    #expect(first.errors.contains("; the rest follows with the next sync\n"))
    for _ in 0..<4 { _ = try all.sync() }
    #expect(all.server.account.withLock { $0.stories.count { !$0.isRead } } == bad.count)
    #expect(try all.home.waiting() == 0)
    #expect(try all.home.store.serverState("rss")?.refusals.count == bad.count)
  }

  @Test(
    "sync status and why tell of it, for people and for programs",
    arguments: ServerAPI.allCases,
  )
  func told(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(api: api)
    #expect(
      all.home.run(
        ["sync", "add", "rss", ReaderServer.url, "--user", ReaderServer.user]
          + ["--password-command", "echo \(ReaderServer.password)"]
      ).status == 0
    )
    try refuse("s2", 404, in: all)
    all.home("read", "1-3")
    #expect(all.home("sync").status == 0)
    #expect(all.home("sync", "status").output.hasSuffix("\t0\t\t1\n"))
    let json = all.home("sync", "status", "--json").output
    #expect(json.contains("\"waiting\":0"), "\(json)")
    #expect(json.contains("\"change\":\"mark 1 story read\""), "\(json)")
    #expect(json.contains("\"reason\":\"server answered 404: Error: item not found\""), "\(json)")
    #expect(
      all.home("why", "2").output.contains("rss: mark 1 story read: refused (server answered")
    )
    #expect(all.home("why", "2", "--json").output.contains("\"refused\":[{\"name\":\"rss\""))
    all.home.useTerminal(120)
    let table = all.home("sync", "status").output
    #expect(table.contains("ok, but 1 refused"), "\(table)")
    #expect(
      table.contains(
        "  “s2”: mark 1 story read: refused (server answered 404: Error: item not found)"
      ),
      "\(table)",
    )
  }

  @Test(
    "a feed that is refused is tried again ever more seldom, as feeds and sync status show",
    arguments: ServerAPI.allCases,
  )
  func feed(_ api: ServerAPI) throws {
    let all = try ServedHomes(api: api)
    let status = api == .nextcloud ? 422 : 400
    all.server.account.withLock { $0.refusedFeeds = [Self.feeds[1]] }
    all.server.follow(Self.feeds[0])
    try all.home.store([], subscriptions: [(Self.feeds[1], "Two"), (Self.feeds[2], "Three")])
    all.home.run(
      ["sync", "add", "rss", ReaderServer.url, "--user", ReaderServer.user]
        + ["--password-command", "echo \(ReaderServer.password)"]
    )
    #expect(all.server.labels(Self.feeds[2]) == [])
    #expect(all.home("sync", "status").output.hasSuffix("\t0\t\t1\n"))
    let json = all.home("feeds", "--json").output
    #expect(json.contains("\"refused\":[{\"name\":\"rss\",\"change\":\"follow it\""), "\(json)")
    #expect(
      all.home("why", Self.feeds[1]).output.contains(
        "rss: follow it: refused (server answered \(status)"
      )
    )
    all.home.useTerminal(120)
    #expect(
      all.home("feeds").output.contains(
        "rss: follow it: refused (server answered \(status): Bad Request!)"
      )
    )
    all.home.terminal = TerminalFacts()
    all.server.forget()
    // A feed is sent alone, as its title may be the reason of the refusal.
    for (days, asked) in [(1.0, 2), (1, 2), (1, 4), (3, 4), (1, 6)] {
      all.home.now += days * Self.day
      all.home("sync")
      #expect(all.count(\.isOfFeeds) == asked)
    }
  }

  @Test(
    "a title that is refused holds up no folder, and stays wanted; so does a feed that is to go"
  )
  func parts() throws {
    let all = try ServedHomes()
    for url in Self.feeds { all.server.follow(url, title: "There", labels: ["old"]) }
    _ = try all.sync()
    all.server.fail { request in
      guard request.name == "subscription/edit" else { return nil }
      return request.form["t"] != nil || request.form["ac"] == ["unsubscribe"]
        ? .page(403, "{\"error_message\":\"not yours\"}") : nil
    }
    all.home("feeds", "set", Self.feeds[0], "--title", "Mine", "--tag", "new", "--untag", "old")
    all.home("unsubscribe", Self.feeds[1])
    let said = try all.home.sync().errors
    #expect(
      said.contains(
        "it refuses to call \(Self.feeds[0]) “Mine”: the server refuses to answer (403): not yours"
      ),
      "\(said)",
    )
    #expect(said.contains("it refuses to stop following \(Self.feeds[1])"), "\(said)")
    #expect(all.server.labels(Self.feeds[0]) == ["new"])
    all.server.forget()
    #expect(try all.sync() == SyncResult() && all.server.count("subscription/edit") == 0)
    #expect(try Set(all.feeds()) == [Self.feeds[0], Self.feeds[2]])
    all.home("feeds", "set", Self.feeds[0], "--title", "Other")
    _ = try all.home.sync()
    #expect(all.server.count("subscription/edit") > 0)
    all.server.fail(nil)
    all.home.now += 2 * Self.day
    #expect(try all.sync().sent == 2)
    #expect(all.server.labels(Self.feeds[1]) == nil)
    #expect(
      all.server.account.withLock { $0.feeds.first { $0.url == Self.feeds[0] }?.title } == "Other"
    )
    #expect(try all.sync() == SyncResult())
    #expect(try all.home.store.serverState("rss")?.refusals == [:])
  }

  @Test("one story that a server cannot give holds up none behind it")
  func reading() throws {
    let all = try ServedHomes()
    var server = CommandRun.readerServer
    server.fetchesStories = true
    all.server.follow(Self.feeds[0])
    for number in 1...600 {
      let date = ServedHomes.date(number % 24)
      all.server.add("https://example.com/\(number)", "s\(number)", of: Self.feeds[0], date: date)
    }
    let bad = try #require(all.server.story("s300")?.id)
    all.server.fail { request in
      let ids = (request.form["i"] ?? []).compactMap { ServerItemID($0) }
      return request.name == "items/contents" && ids.contains(bad) ? .page(500, "oops") : nil
    }
    let (result, said) = try all.home.sync(with: server)
    #expect(try result.get().stories == 599)
    #expect(said == "news: rss: a story is left out: server answered 500: oops\n")
    #expect(all.server.count("items/contents") <= 20)
    all.server.fail { $0.name == "items/contents" ? .page(500, "") : nil }
    let other = try ServedHomes()
    all.server.forget()
    other.home.realFetcher = ReaderFetcher(server: all.server)
    #expect(
      try other.home.sync(with: server).result == .failure(Failure("server answered 500"))
    )
    #expect(all.server.count("items/contents") <= 13)
  }

  @Test(
    "the server's own words are told, in one line",
    arguments: [
      (
        403, "AppId required! Contact app developer.\nx",
        "the server refuses the log-in (403): AppId required! Contact app developer.",
      ),
      (
        403, "{\"error_message\":\"API is \\u001b[31moff\"}",
        "the server refuses the log-in (403): API is [31moff",
      ),
      (401, "Error=BadAuthentication\n", "the server refuses the user or the password"),
      (401, "Unauthorized!", "the server refuses the user or the password"),
      (403, "<html><title>No</title></html>", "the server refuses the user or the password"),
      (400, "{\"errors\":[\"no such call\"]}", "server answered 400: no such call"),
      (500, "{\"x\":", "server answered 500"),
    ],
  )
  func words(status: Int, body: String, words: String) throws {
    let all = try ServedHomes()
    all.server.fail { $0.path.hasSuffix("ClientLogin") ? .page(status, body) : nil }
    #expect(try all.failure() == words)
  }
}
