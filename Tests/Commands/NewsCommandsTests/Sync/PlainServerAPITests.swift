import CommandLine
import FeedFetching
import FeedModel
import FeedStorage
import Synchronization
import TestSupport
import Testing

@testable import FeedSync

@Suite("Miniflux's own API and that of Nextcloud News are found, and asked in pages")
struct PlainServerAPITests {
  private func add(
    _ home: CommandRun,
    _ words: String...,
    url: String = ReaderServer.url,
  )
    -> CommandResult
  {
    home.run(
      ["sync", "add", "rss", url, "--user", ReaderServer.user]
        + ["--password-command", "echo \(ReaderServer.password)"] + words
    )
  }

  @Test("each is found by the URL that people know, and remembered", arguments: ServerAPI.allCases)
  func found(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(api: api)
    all.server.change("s1") { $0.isRead = true }
    let result = add(all.home)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try all.marks()["s1"] == "read")
    #expect(try all.home.store.syncRemotes().map(\.server?.interface) == [api.rawValue])
    all.server.forget()
    #expect(all.home("sync").status == 0)
    #expect(all.count { $0.name == "accounts/ClientLogin" } == (api == .greader ? 1 : 0))
    let title = ServerInterface.all.first { $0.name == api.rawValue }?.title ?? ""
    #expect(all.home("doctor").output.contains("has the \(title); me follows 1 feed"))
  }

  @Test("--api tries one alone; without the right one, what was tried is said")
  func chosen() throws {
    let all = try ServedHomes.sample(api: .nextcloud)
    let wrong = add(all.home, "--api", "miniflux")
    #expect(wrong.errors.contains("there is no Miniflux API at https://reader.example: give"))
    #expect(all.server.requests.map(\.path) == ["v1/me", "v1/me"])
    #expect(add(all.home, "--api", "feedbin").status == 64)
    #expect(add(all.home, "--api", "nextcloud").status == 0)
    let none = try ServedHomes.sample()
    none.server.fail { _ in .page(404, "") }
    let titles = "Google Reader API, Miniflux API, Nextcloud News API"
    #expect(add(none.home).errors.contains("there is no \(titles) at https://reader.example: give"))
  }

  @Test("a wrong password adds nothing; a key of the API is as good as one")
  func passwords() throws {
    for api in ServerAPI.allCases {
      let all = try ServedHomes.sample(api: api)
      let wrong = all.home.run(
        ["sync", "add", "rss", ReaderServer.url, "--user", ReaderServer.user]
          + ["--password-command", "echo wrong-pass"]
      )
      #expect(wrong.errors.contains("the server refuses the user or the password"), "\(api)")
      #expect(wrong.errors.hasSuffix("it was not added\n"))
    }
    let all = try ServedHomes.sample(api: .miniflux)
    all.server.fail { request in
      request.authorization?.hasPrefix("Basic") == true ? .page(401, "") : nil
    }
    #expect(add(all.home).status == 0)
    #expect(all.server.requests.last?.authorization == "Token \(ReaderServer.password)")
  }

  @Test("the interface is found below the URL that people know")
  func roots() {
    let host = "https://rss.example"
    for place in ["", "/", "/v1", "/v1/", "/v1/me?x=1"] {
      #expect(Miniflux.root(of: host + place) == host + "/v1", "\(place)")
    }
    #expect(Miniflux.root(of: "https://v1/") == "https://v1/v1")
    #expect(Miniflux.root(of: host + "/rss/") == host + "/rss/v1")
    let news = "/index.php/apps/news/api/v1-3"
    for place in ["", "/", "/index.php/apps/news/", "/apps/news#/items", news + "/feeds"] {
      #expect(NextcloudNews.root(of: host + place) == host + news, "\(place)")
    }
    #expect(NextcloudNews.root(of: host + "/cloud/apps/news") == host + "/cloud" + news)
    #expect(NextcloudNews.root(of: "https://apps/") == "https://apps" + news)
  }

  @Test("a star whose answer was lost is not taken back", arguments: ServerAPI.plain)
  func lostStar(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(api: api)
    _ = try all.sync()
    all.home("star", "1")
    all.server.fail { $0.isOfMarks ? .lost : nil }
    #expect(try all.failure() != nil)
    #expect(all.server.story("s1")?.isStarred == true)
    all.server.fail(nil)
    all.server.forget()
    #expect(try all.sync() == SyncResult())
    #expect(all.count(\.isOfMarks) == 0 && all.server.story("s1")?.isStarred == true)
    #expect(try all.marks()["s1"] == "- starred")
  }

  @Test("a star that the user sets there during the sync is not taken back")
  func starredMeanwhile() throws {
    let all = try ServedHomes.sample(api: .miniflux)
    _ = try all.sync()
    all.home("star", "1")
    let server = all.server
    server.forget()
    server.fail { request in
      // The fourth page is the story itself, before it would be starred.
      if server.requests.count(where: \.isOfStories) == 4 {
        server.change("s1") { $0.isStarred = true }
      }
      return nil
    }
    #expect(try all.sync().sent == 1)
    #expect(all.server.story("s1")?.isStarred == true && all.count(\.isOfMarks) == 0)
  }

  @Test("stars that are refused are found each by itself", arguments: ServerAPI.plain)
  func refusedStars(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(20, api: api)
    _ = try all.sync()
    let id = try #require(all.server.story("s3")?.id)
    all.server.fail { $0.isOfMarks && $0.ids.contains(id) ? .page(404, "") : nil }
    all.home("star", "1-20")
    let (result, said) = try all.home.sync(with: all.remote)
    #expect(try result.get().sent == 19)
    #expect(said.contains("rss: it refuses to star 1 story: server answered 404"), "\(said)")
    #expect(all.server.account.withLock { $0.stories.count(where: \.isStarred) } == 19)
  }

  @Test(
    "lists come in pages, marks go in batches; what came is not asked for",
    arguments: ServerAPI.plain,
  )
  func pages(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(1_050, api: api)
    #expect(try all.sync() == SyncResult())
    // Eleven pages of what is unread, an empty one of stars; Nextcloud lists what is new again.
    #expect(all.count(\.isOfStories) == (api == .miniflux ? 13 : 23))
    all.home("read", "--all")
    all.server.forget()
    #expect(try all.sync().sent == 1_050)
    #expect(all.server.requests.filter(\.isOfMarks).map(\.ids.count) == [250, 250, 250, 250, 50])
    #expect(all.server.account.withLock { $0.stories.allSatisfy(\.isRead) })
  }

  @Test(
    "what has left the lists is asked for from its id on, a page for many",
    arguments: ServerAPI.plain,
  )
  func leftLists(_ api: ServerAPI) throws {
    let all = try ServedHomes(api: api)
    all.server.follow(Sample.feed, title: "Example")
    let days = (1...300).map { 40 * 24 + $0 }
    for (number, hours) in days.enumerated().reversed() {
      let link = "https://example.com/\(number + 1)"
      all.server.add(link, "s\(number + 1)", date: ServedHomes.date(hours))
    }
    try all.home.store(
      days.enumerated().map { Sample.story($0 + 1, "s\($0 + 1)", hours: $1) },
      subscriptions: [(Sample.feed, "Example")],
    )
    _ = try all.sync()
    for number in 1...300 { all.server.change("s\(number)") { $0.isRead = true } }
    all.server.account.withLock { account in account.stories.removeAll { $0.title == "s150" } }
    all.server.forget()
    #expect(try all.sync().marked == 299)
    #expect(try all.marks()["s150"] == "-")
    #expect(all.count(\.isOfStories) <= 8)
  }

  @Test("a page that is too large is halved", arguments: ServerAPI.plain)
  func large(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(200, api: api)
    all.server.fail { request in
      let size = (request.query["limit"] ?? request.query["batchSize"] ?? []).first
      return request.isOfStories && size.flatMap { Int($0) } ?? 0 > 30
        ? .error(.bodyTooLarge(maximumBytes: 1)) : nil
    }
    for number in 1...200 { all.server.change("s\(number)") { $0.isStarred = true } }
    #expect(try all.sync().marked == 200)
  }

  @Test("one story that a server cannot give holds up none behind it", arguments: ServerAPI.plain)
  func badStory(_ api: ServerAPI) throws {
    let all = try ServedHomes(api: api)
    var remote = all.remote
    remote.fetchesStories = true
    all.server.follow(Sample.feed)
    for number in 1...250 {
      let date = ServedHomes.date(number % 24)
      all.server.add("https://example.com/\(number)", "s\(number)", date: date)
    }
    let bad = try #require(all.server.story("s77")?.id)
    all.server.account.withLock { $0.bad = [bad] }
    let (result, said) = try all.home.sync(with: remote)
    #expect(try result.get().stories == 249)
    #expect(said.contains("rss: a story is left out: server answered 500: oops\n"), "\(said)")
    #expect(all.count(\.isOfStories) < 120)
    all.server.forget()
    all.server.fail { $0.isOfStories ? .page(500, "") : nil }
    let failed = try all.home.sync(with: remote).result
    #expect(throws: Failure("server answered 500")) { try failed.get() }
    #expect(all.count(\.isOfStories) < 10)
  }

  @Test("what is no answer changes nothing, and is said in a line", arguments: ServerAPI.plain)
  func answers(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(api: api)
    _ = try all.sync()
    let before = try all.home.store.serverState("rss")
    let (stories, list) = api == .miniflux ? ("entries", "entries") : ("items", "items")
    let story = "{\"id\":7,\"status\":\"read\",\"unread\":false}"
    let many = (0...100).map { "{\"id\":\($0)}" }.joined(separator: ",")
    let cases: [(String, String, String)] = [
      ("feeds", "<html></html>", "the answer to feeds is no JSON, or breaks off"),
      (
        "feeds", "{\"feeds\":[{\"id\":\"x\"}]}",
        "the answer to feeds has ids that are not understood",
      ),
      (stories, "{\"\(list)\":[", "the answer to \(stories) is no JSON, or breaks off"),
      (stories, "{\"\(list)\":7}", "the answer to \(stories) is no list"),
      (stories, "{}", "the answer to \(stories) is no list"),
      (
        stories, "{\"\(list)\":[{\"id\":-1}]}",
        "the answer to \(stories) has ids that are not understood",
      ),
      (
        stories, "{\"\(list)\":[\(many)]}",
        "refused: the answer to \(stories) has over 100 elements",
      ),
      (
        stories, "{\"\(list)\":[\(Array(repeating: story, count: 100).joined(separator: ","))]}",
        "a list of stories goes on without end",
      ),
    ]
    for (name, body, words) in cases {
      all.server.fail {
        $0.method == "GET" && $0.path.hasSuffix("/" + name) ? .page(200, body) : nil
      }
      #expect(try all.failure() == words)
      #expect(try all.home.store.serverState("rss") == before)
    }
    all.server.fail(nil)
    #expect(try all.sync() == SyncResult())
  }

  @Test(
    "a new feed is put into its folder, which is made where there is none",
    arguments: ServerAPI.plain,
  )
  func folders(_ api: ServerAPI) throws {
    let all = try ServedHomes(api: api)
    all.server.follow(Sample.feed, labels: ["News"])
    _ = try all.sync()
    for (number, tag) in ["News", "Mine"].enumerated() {
      let url = "https://example.net/\(number)"
      all.home("subscribe", url, "--no-check", "--title", "T\(number)", "--tag", tag)
    }
    #expect(try all.sync().sent == 2)
    #expect(
      all.server.account.withLock { $0.feeds.map(\.labels) } == [["News"], ["News"], ["Mine"]]
    )
    #expect(all.server.account.withLock { $0.feeds.map(\.title) } == ["Feed", "T0", "T1"])
    #expect(all.server.account.withLock { $0.folders } == ["News", "Mine"])
    all.home("feeds", "set", Sample.feed, "--untag", "News")
    #expect(try all.sync().sent == 1)
    #expect(all.server.labels(Sample.feed) == [])
    #expect(try all.sync() == SyncResult())
  }
}
