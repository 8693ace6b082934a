import FeedModel
import FeedStorage
import Synchronization
import TestSupport
import Testing

@testable import FeedSync

@Suite(
  "What nobody did is told to no server, and a server that lost its memory takes nobody else's"
)
struct ServerPairTests {
  /// Returns a home and a server with forty stories of ten feeds, thirty read and thirty starred on
  /// both.
  private static func served(_ api: ServerAPI) throws -> ServedHomes {
    let all = try ServedHomes(api: api)
    for feed in 0..<10 { all.server.follow("https://example.com/feed\(feed)") }
    for number in (1...40).reversed() {
      let feed = "https://example.com/feed\(number % 10)"
      all.server.add(
        "https://example.com/\(number)",
        "s\(number)",
        of: feed,
        date: ServedHomes.date(number),
      )
    }
    try all.home.store(
      (1...40).map {
        Sample.story($0, "s\($0)", hours: $0, feeds: ["https://example.com/feed\($0 % 10)"])
      },
      subscriptions: (0..<10).map { ("https://example.com/feed\($0)", "Feed \($0)") },
    )
    _ = try all.sync()
    all.home("list")
    all.home("read", "1-30")
    all.home("star", "1-30")
    _ = try all.sync()
    return all
  }

  @Test(
    "what a home has heard of its server, those know at once who share a folder with it",
    arguments: ServerAPI.allCases,
  )
  func folder(_ api: ServerAPI) throws {
    let all = try ServedHomes.sample(homes: 2, api: api)
    for number in 1...4 { all.server.follow("https://example.com/other\(number)") }
    func follow(_ number: Int) throws -> Bool { try all.feeds(number).contains(Sample.feed) }
    let folder = all.home.folder.path("shared")
    try makeFolder(folder)
    let server = [
      "rss", ReaderServer.url, "--user", ReaderServer.user, "--password-command",
      "echo \(ReaderServer.password)",
    ]
    for _ in 0..<2 {
      for home in all.homes {
        home("sync", "add", "f", folder)
        home.run(["sync", "add"] + server)
        #expect(home("sync").status == 0)
      }
    }
    // The reader ends a feed on the server, and follows it again; a home hears of both.
    all.server.account.withLock { account in account.feeds.removeAll { $0.url == Sample.feed } }
    #expect(all.home("sync").status == 0)
    #expect(try !follow(0))
    all.server.follow(Sample.feed, title: "Example")
    #expect(all.home("sync").status == 0)
    #expect(try follow(0))
    let heard = all.homes[1]("sync")
    #expect(heard.status == 0 && !heard.errors.contains("no longer following"), "\(heard.errors)")
    #expect(all.home("sync").status == 0)
    #expect(all.server.account.withLock { $0.feeds.contains { $0.url == Sample.feed } })
    #expect(try follow(0) && follow(1))
  }

  private static func server(_ all: ServedHomes) -> String {
    all.server.account.withLock { account in
      let read = account.stories.count { $0.isRead }
      let starred = account.stories.count { $0.isStarred }
      return "\(account.feeds.count) feeds, \(read) read, \(starred) starred"
    }
  }

  private static func home(_ all: ServedHomes) throws -> String {
    let marks = try all.marks().values
    return "\(try all.feeds().count) feeds, \(marks.count { $0.hasPrefix("read") }) read, "
      + "\(marks.count { $0.hasSuffix("starred") }) starred"
  }

  private static let whole = "10 feeds, 30 read, 30 starred"

  private func refill(_ all: ServedHomes) throws {
    try all.home.store.update { library in
      var known: Set<String> = []
      for place in 0..<library.items.count {
        known.insert(try library.items.item(at: place).item.title)
      }
      let stories = (1...40).filter { !known.contains("s\($0)") }.map { number in
        let feed = "https://example.com/feed\(number % 10)"
        return Sample.story(number, "s\(number)", hours: number, feeds: [feed])
      }
      return (LibraryChange(StoryChanges(adding: stories, before: library.items.count)), ())
    }
  }

  @Test(
    "what was unmarked elsewhere while a story was gone here is unmarked when it is back",
    arguments: ServerAPI.allCases,
  )
  func changedMeanwhile(_ api: ServerAPI) throws {
    let all = try Self.served(api)
    all.home("clear", "--yes")
    _ = try all.sync()
    all.server.change("s1") { $0.isStarred = false }
    _ = try all.sync()
    try refill(all)
    _ = try all.sync()
    #expect(Self.server(all) == "10 feeds, 30 read, 29 starred")
    #expect(try Self.home(all) == "10 feeds, 30 read, 29 starred")
  }

  @Test(
    "a server that lost feeds and marks is asked about; the rest is merged",
    arguments: ServerAPI.allCases,
  )
  func lostMemory(_ api: ServerAPI) throws {
    let all = try Self.served(api)
    all.server.account.withLock { account in
      account.feeds.removeLast(6)
      for place in account.stories.indices {
        (account.stories[place].isRead, account.stories[place].isStarred) = (false, false)
      }
      account.stories[0].isStarred = true
    }
    all.home("list")
    all.home("read", "40")
    for _ in 0..<2 {
      let result = try all.sync()
      #expect(result.pending.removed == 6)
      let lost = result.pending.lost
      #expect(lost[.starred, default: 0] > 20 && lost[.read, default: 0] > 20)
      #expect(try Self.home(all) == "10 feeds, 31 read, 30 starred")
    }
    #expect(all.server.story("s40")?.isRead == true)
    _ = try all.home.sync(with: all.remote, consent: .accepted).result.get()
    for _ in 0..<2 { #expect(try all.sync().pending.isEmpty) }
    #expect(try all.feeds().count == 4)
    #expect(try all.marks().values.count { $0.hasSuffix("starred") } < 12)
  }
}
