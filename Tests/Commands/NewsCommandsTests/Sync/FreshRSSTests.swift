import FeedFetching
import FeedModel
import FeedParsing
import FeedReading
import FeedStorage
import TestSupport
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import FeedSync
@testable import FollowingCommands

@Suite(
  "A real FreshRSS",
  .enabled(
    if: BuiltProduct.servers() != nil,
    "there is no ../shared/servers, nor NEWS_TEST_SERVERS",
  ),
)
struct FreshRSSTests {
  private final class Site {
    let folder: TemporaryFolder
    let web: FaultyServer
    private let process: Subprocess
    let server: SyncServer

    init() throws {
      let folder = try TemporaryFolder()
      let web = try FaultyServer(["/feed.xml": .response(body: FreshRSSTests.feed)])
      let port = try freePort()
      let program = (BuiltProduct.servers() ?? "") + "/freshrss"
      // PHP's workers would outlive their parent.
      let wrapper = "#!/bin/sh\nPATH=${PATH#*:}\nunset PHP_CLI_SERVER_WORKERS\nexec php \"$@\"\n"
      mkdir(folder.path("bin"), 0o755)
      let php = try folder.write(wrapper, to: "bin/php")
      chmod(php, 0o755)
      let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
      let process = try Subprocess(
        [program, folder.path, "\(port)"],
        environment: ["PATH": folder.path("bin") + ":" + path],
      )
      while !(try process.readErrorLine().contains("started")) {
        guard !process.hasEnded else { throw WhyNot() }
      }
      (self.folder, self.web, self.process) = (folder, web, process)
      server = SyncServer(
        name: "fresh",
        url: "http://127.0.0.1:\(port)/",
        user: "reader",
        passwordCommand: "echo apisecret12",
      )
    }

    struct WhyNot: Error {}

    func home() throws -> CommandRun {
      let home = try CommandRun()
      home.realFetcher = SourceFetcher()
      return home
    }

    func stories() throws -> (
      ReaderClient, [String: ServerStory]
    ) {
      var client = try FreshRSSTests.client(server)
      try client.logIn(known: nil)
      let reading = try client.lists(since: Date(timeIntervalSince1970: 0))
      var named: [String: ServerStory] = [:]
      try client.stories(reading.recent.listed[...]) { _, stories in
        for story in stories { named[story.content.title ?? ""] = story }
      }
      return (client, named)
    }

    func edit(_ title: String, _ field: String, _ state: String) throws {
      try edit(title, field, stream: "state/com.google/\(state)")
    }

    func edit(_ title: String, _ field: String, label: String) throws {
      try edit(title, field, stream: "label/\(label)")
    }

    private func edit(_ title: String, _ field: String, stream: String) throws {
      var (client, stories) = try stories()
      let id = try #require(stories[title]).id
      let edit = ServiceCall.form([("i", id.text), (field, "user/-/\(stream)")])
      #expect(try client.post([edit], to: "edit-tag").map { try $0.get() } == [Array("OK".utf8)])
    }

    func labels() throws -> [String: [String]] {
      let (client, stories) = try stories()
      let labels = try client.lists(since: Date(timeIntervalSince1970: 0)).labels
      let titles = Dictionary(uniqueKeysWithValues: stories.map { ($0.value.id, $0.key) })
      return (labels?.stories ?? [:]).mapValues { $0.compactMap { titles[$0] }.sorted() }
    }
  }

  private static func client(_ server: SyncServer) throws -> ReaderClient {
    let context = try CommandContext(
      command: "sync",
      arguments: server.typed,
      environment: try CommandRun.reader.testEnvironment,
    )
    let connection = ServerConnection(context.sync, FetchOptions(), FetchCancellation())
    return ReaderClient(connection, server)
  }

  private static let feed = """
    <rss version="2.0"><channel><title>Tom's &amp; Feed?</title><link>http://127.0.0.1/</link>
    <item><title>One &amp; only</title><link>http://example.com/1?utm_source=x&amp;a=1</link>
    <guid isPermaLink="false">g1</guid><pubDate>Sat, 31 Oct 2026 10:00:00 GMT</pubDate>
    <description>&lt;p&gt;Whole text of one.&lt;/p&gt;</description></item>
    <item><title>Two</title><link>http://example.com/2</link><guid isPermaLink="false">g2</guid>
    <pubDate>Sat, 31 Oct 2026 09:00:00 GMT</pubDate></item>
    <item><title>No link</title><guid isPermaLink="false">g3</guid>
    <pubDate>Sat, 31 Oct 2026 08:00:00 GMT</pubDate></item>
    <item><title>Four</title><link>http://example.com/4</link><guid isPermaLink="false">g4</guid>
    <pubDate>Sat, 31 Oct 2026 07:00:00 GMT</pubDate></item>
    </channel></rss>
    """

  private func marks(_ home: CommandRun) throws -> [String: String] {
    let items = try home.store.read().items
    var marks: [String: String] = [:]
    for place in 0..<items.count {
      let story = try items.item(at: place)
      marks[story.item.title] = (story.isRead ? "read" : "-") + (story.isStarred ? " starred" : "")
    }
    return marks
  }

  private static func facts(_ text: String) -> Set<String> {
    let names = text.matches(of: #/"[A-Za-z]+":/#).map { String($0.output) }
    let dates = text.matches(of: #/"published":[0-9]+/#).map { String($0.output) }
    return Set(names + dates)
  }

  @Test("a home that is served tells all that it tells, by the same names")
  func served() throws {
    let site = try Site()
    let home = try site.home()
    home("subscribe", site.web.url("/feed.xml"), "--tag", "News")
    _ = try home.sync(with: site.server).result.get()
    #expect(try site.stories().1.count == 4)
    let app = try AppHome(serving: home)
    var client = try Self.client(site.server)
    try client.logIn(known: nil)
    let all = "user/-/state/com.google/reading-list"
    for path in [
      "user-info", "tag/list?output=json", "subscription/list?output=json",
      "unread-count?output=json", "stream/items/ids?output=json&n=2&s=\(all)",
      "stream/contents/\(all)?output=json", "stream/contents/user/-/label/News?output=json&n=3",
    ] {
      let answer = try client.connection.ask([client.request(path)])[0].get()
      let theirs = Self.facts(String(decoding: answer, as: UTF8.self))
      let ours = Self.facts(app.post(path, "", method: "GET"))
      #expect(!theirs.isEmpty && theirs.isSubset(of: ours), "\(path): \(theirs.subtracting(ours))")
    }
  }

  @Test("follows what a home follows, and has the same marks, both ways")
  func all() throws {
    let site = try Site()
    let feed = site.web.url("/feed.xml")
    let laptop = try site.home()
    laptop("subscribe", feed, "--tag", "News & more")
    laptop("refresh")
    laptop("read", "1")
    laptop("star", "3")
    #expect(try laptop.sync(with: site.server).result.get().sent == 1)
    #expect(try laptop.sync(with: site.server).result.get().sent == 2)
    let there = try site.stories().1
    #expect(there["One ＆ only"]?.content.isRead == true)
    #expect(there["Two"]?.content.isRead == false)
    #expect(there["No link"]?.content.isStarred == true)

    laptop("tag", "R&D; \"ä\" <x>", "3")
    #expect(try laptop.sync(with: site.server).result.get().sent == 1)
    #expect(try site.labels() == ["R&D; \"ä\" <x>": ["No link"]])
    laptop("untag", "r&d; \"ä\" <x>", "3")
    try site.edit("Two", "a", label: "R&D; \"ä\" <x>")
    #expect(try laptop.sync(with: site.server).result.get().marked == 1)
    #expect(try site.labels() == ["R&D; \"ä\" <x>": ["Two"]])
    #expect(try laptop.storyTags() == ["Two": ["R&D; \"ä\" <x>"]])
    try site.edit("Two", "r", label: "R&D; \"ä\" <x>")
    #expect(try laptop.sync(with: site.server).result.get().marked == 1)
    #expect(try laptop.storyTags() == [:])

    try site.edit("Two", "a", "read")
    try site.edit("Four", "a", "starred")
    try site.edit("No link", "r", "starred")
    #expect(try laptop.sync(with: site.server).result.get().marked == 3)
    let marked = ["One & only": "read", "Two": "read", "No link": "-", "Four": "- starred"]
    #expect(try marks(laptop).filter { marked[$0.key] != nil } == marked)
    #expect(try laptop.sync(with: site.server).result.get() == SyncResult())

    var server = site.server
    server.fetchesStories = true
    let phone = try site.home()
    let result = try phone.sync(with: server).result.get()
    #expect(result.stories >= 4)
    let titles = try marks(phone)
    #expect(titles["Two"] == "read" && titles["Four"] == "- starred" && titles["No link"] == "-")
    let own = try phone.store.read().subscriptions.first { $0.url == feed }
    #expect(own?.tags == ["News & more"] && own?.state.server == "fresh")
    #expect(try phone.sync(with: server).result.get() == SyncResult())
    #expect(
      phone("feeds", "set", feed, "--title", "Mine", "--untag", "News & more", "--tag", "Other")
        .status == 0
    )
    #expect(try phone.sync(with: server).result.get().sent == 1)
    #expect(try laptop.sync(with: site.server).result.get().changed == 1)
    let renamed = try laptop.store.read().subscriptions.first { $0.url == feed }
    #expect(renamed?.title == "Mine" && renamed?.tags == ["Other"])
    // FreshRSS has one folder for a feed: the first stays there, the second here.
    #expect(phone("feeds", "set", feed, "--tag", "Second").status == 0)
    #expect(try phone.sync(with: server).result.get().sent == 1)
    #expect(try laptop.sync(with: site.server).result.get() == SyncResult())
    #expect(try phone.sync(with: server).result.get() == SyncResult())
    let tags = try [laptop, phone].map { home in
      try home.store.read().subscriptions.first { $0.url == feed }?.tags
    }
    #expect(tags == [["Other"], ["Other", "Second"]])
    #expect(phone("unsubscribe", feed).status == 0)
    #expect(try phone.sync(with: server).result.get().sent == 1)
    #expect(try laptop.sync(with: site.server).result.get().removed == 1)
    #expect(try laptop.store.read().subscriptions.contains { $0.url == feed } == false)

    var stranger = site.server
    stranger.passwordCommand = "echo wrong"
    #expect(
      try phone.sync(with: stranger).result
        == .failure(Failure("the server refuses the user or the password"))
    )
  }
}

extension CommandRun {
  fileprivate static var reader: CommandRun {
    get throws {
      let home = try CommandRun()
      home.realFetcher = SourceFetcher()
      return home
    }
  }
}
