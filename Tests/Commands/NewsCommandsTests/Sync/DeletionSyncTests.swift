import FeedModel
import FeedStorage
import PropertyLists
import TestSupport
import Testing

@testable import NewsCommands
@testable import System

@Suite("Deletions are told, and a star anywhere wins")
struct DeletionSyncTests {
  private static let url = "https://example.com/feed0"

  private static func homes(_ count: Int = 2, stories: Int = 6) throws -> SyncedHomes {
    let homes = try SyncedHomes(count)
    for home in homes.homes {
      let titles = (0..<stories).map { "s\($0)" }
      home.fetcher.serve(url, .init(body: Sample.rss("Feed", titles)))
      home.run(["subscribe", url])
      home.run(["refresh", "--force"])
      home.run(["list"])
    }
    homes.settle()
    return homes
  }

  private func titles(_ homes: SyncedHomes, _ number: Int) throws -> [String] {
    try homes.homes[number].stories().map(\.item.title).sorted()
  }

  private func all(_ homes: SyncedHomes, _ number: Int, but gone: [String] = []) throws -> Bool {
    let all = (0..<6).map { "s\($0)" }.filter { !gone.contains($0) }
    return try titles(homes, number) == all
  }

  @Test("a deletion is told by a folder, and no fetch brings the story back")
  func told() throws {
    let homes = try Self.homes()
    homes.run(0, "delete", "1")
    #expect(
      homes.sync(0).errors
        == "1 change sent, none received\n"
    )
    #expect(
      homes.sync(1).errors == "1 story deleted\n"
        + "news: 1 story deleted on machine 0; news undo --list has its number\n"
    )
    for number in 0..<2 {
      homes.run(number, "refresh", "--force")
      homes.sync(number)
      #expect(try all(homes, number, but: ["s0"]))
    }
    #expect(try homes.homes[1].undoLatest().status == 0)
    #expect(try all(homes, 1))
  }

  @Test("a deletion that is taken back is told: the story comes back with its marks")
  func undone() throws {
    let homes = try Self.homes()
    homes.run(0, "tag", "later", "1")
    homes.run(0, "note", "1", "mine")
    homes.settle()
    homes.run(0, "delete", "1")
    homes.settle()
    #expect(try all(homes, 1, but: ["s0"]))
    homes.run(0, "undo")
    homes.settle()
    #expect(try all(homes, 0) && all(homes, 1))
    homes.run(1, "refresh")
    homes.settle()
    for number in 0..<2 {
      let story = try #require(homes.homes[number].stories().first { $0.item.title == "s0" })
      #expect(story.tags == ["later"] && story.note == "mine")
    }
    homes.run(1, "list", "--grep", "s0")
    homes.run(1, "delete", "1")
    homes.settle()
    #expect(try all(homes, 0, but: ["s0"]) && all(homes, 1, but: ["s0"]))
  }

  @Test("a rule that drops does not keep away what another machine has starred")
  func dropped() throws {
    let homes = try Self.homes()
    homes.run(1, "star", "3")
    homes.run(0, "rules", "add", "dull", "--grep", "title:s2 or title:s4", "--then", "drop")
    #expect(homes.run(0, "rules", "apply", "--yes", "dull").errors == "2 stories deleted\n")
    for _ in 0..<2 {
      homes.settle()
      for number in 0..<2 { homes.run(number, "refresh", "--force") }
    }
    homes.settle()
    for number in 0..<2 {
      #expect(try all(homes, number, but: ["s4"]))
      #expect(
        try homes.homes[number].stories().filter(\.isStarred).map(\.item.title) == ["s2"]
      )
    }
  }

  @Test("what was deleted and undone before any sync is nobody's business")
  func unsaid() throws {
    let homes = try Self.homes()
    homes.run(0, "delete", "1")
    homes.run(0, "undo")
    #expect(!homes.sync(0).errors.contains("sent"))
    homes.run(0, "clear", "--feed", Self.url, "--yes")
    homes.run(0, "undo")
    #expect(!homes.sync(0).errors.contains("sent"))
  }

  @Test(
    "a star wins, before the deletion and behind it, and the story comes back where it was deleted"
  )
  func star() throws {
    for isFirst in [true, false] {
      let homes = try Self.homes()
      if isFirst { homes.run(1, "star", "1") }
      homes.run(0, "delete", "1")
      if !isFirst { homes.run(1, "star", "1") }
      homes.settle()
      #expect(try all(homes, 1) && all(homes, 0, but: ["s0"]))
      homes.run(0, "refresh")
      homes.settle()
      #expect(try homes.marks(0)["s0"]?[.starred] == true)
      homes.run(1, "unstar", "1")
      homes.settle()
      #expect(try all(homes, 0) && all(homes, 1))
    }
  }

  @Test("a deletion of what was read takes no page saved elsewhere; deleting that page does")
  func saved() throws {
    let homes = try Self.homes()
    let page = "https://example.com/s9"
    let text = String(
      repeating: "<p>It was a long day, and nobody knew how it would end.</p>",
      count: 20,
    )
    let body = "<html><head><title>s9</title></head><body><article>\(text)</article></body></html>"
    for home in homes.homes { home.fetcher.serve(page, .init(body: body)) }
    #expect(homes.run(1, "save", page).status == 0)
    for (number, home) in homes.homes.enumerated() {
      home.fetcher.serve(Self.url, .init(body: Sample.rss("Feed", ["s9", "s0"])))
      homes.run(number, "refresh", "--force")
    }
    homes.run(0, "read", "--all")
    homes.run(0, "delete", "--all", "--grep", "is:read", "--yes")
    homes.settle("--accept")
    #expect(try titles(homes, 0) == [])
    let kept = try homes.homes[1].stories()
    #expect(kept.map(\.item.title) == ["s9"] && kept[0].feeds.contains("saved:"))
    #expect(homes.run(0, "save", page).status == 0)
    homes.settle()
    homes.run(0, "list")
    homes.run(0, "delete", "1")
    homes.settle("--accept")
    #expect(try titles(homes, 0) == [] && titles(homes, 1) == [])
    homes.homes[1].now += 60
    homes.run(1, "save", page)
    homes.settle()
    #expect(try titles(homes, 1) == ["s9"])
  }

  @Test("a clear of everything or of a feed is of one machine, and says so")
  func local() throws {
    let homes = try Self.homes()
    let said = homes.run(0, "clear", "--feed", Self.url, "--yes").errors
    #expect(said.hasPrefix("6 stories cleared on this machine alone; "), "\(said)")
    homes.settle()
    #expect(try all(homes, 1))
    homes.run(0, "refresh", "--force")
    #expect(try all(homes, 0))
    let whole = homes.run(0, "clear", "--yes").errors
    #expect(whole.hasPrefix("all stories cleared on this machine alone; "), "\(whole)")
    homes.settle()
    #expect(try all(homes, 1))
    let alone = try CommandRun()
    try alone.storeSample()
    #expect(alone("clear", "--yes").errors.hasPrefix("all stories cleared; "))
  }

  @Test("very many deletions wait for a word, or for an undo where they were made")
  func consent() throws {
    for isAccepted in [true, false] {
      let homes = try Self.homes(stories: 40)
      homes.run(1, "star", "1")
      homes.sync(1)
      homes.run(0, "delete", "1-30")
      homes.sync(0)
      for _ in 0..<2 {
        let said = homes.sync(1).errors
        #expect(said.contains("it would delete 29 stories here"), "\(said)")
        #expect(try titles(homes, 1).count == 40)
      }
      if isAccepted { homes.sync(1, "--accept") } else { homes.run(0, "undo") }
      homes.settle()
      homes.run(0, "refresh")
      homes.settle()
      let left = isAccepted ? 11 : 40
      #expect(try titles(homes, 0).count == left && titles(homes, 1).count == left)
    }
  }

  @Test("a few of many stories, and half of those that are read, go without a word")
  func fewEnough() throws {
    let homes = try Self.homes(stories: 80)
    homes.run(0, "read", "1-39")
    homes.run(0, "delete", "--all", "--grep", "is:read", "--yes")
    homes.settle()
    #expect(try titles(homes, 1).count == 41)
  }

  @Test("a deletion waits for the story, and goes by ssh")
  func waiting() throws {
    let homes = try Self.homes()
    homes.homes[0].fetcher.serve(Self.url, .init(body: Sample.rss("Feed", ["s9", "s0"])))
    homes.run(0, "refresh", "--force")
    homes.run(0, "list", "--grep", "s9")
    homes.run(0, "delete", "1")
    homes.connect()
    homes.run(0, "sync", "ssh:1")
    homes.homes[1].fetcher.serve(Self.url, .init(body: Sample.rss("Feed", ["s9", "s0"])))
    homes.run(1, "refresh", "--force")
    #expect(try titles(homes, 1).contains("s9"))
    homes.run(1, "sync", "ssh:0")
    #expect(try !titles(homes, 1).contains("s9"))
    homes.run(1, "refresh", "--force")
    #expect(try !titles(homes, 1).contains("s9"))
  }

  @Test("of more tags than a story may have all machines keep the same, which is said")
  func tags() throws {
    let homes = try Self.homes()
    let names = { (sign: String) in (0..<60).map { "\(sign)\($0)" }.joined(separator: ",") }
    homes.run(0, "tag", names("a"), "1")
    homes.run(1, "tag", names("b"), "1")
    homes.sync(0)
    let said = homes.sync(1).errors
    let words = "tags of others left out: 20, a feed or a story has at most 100 tags"
    #expect(said.contains(words), "\(said)")
    homes.settle()
    let tags = try (0...1).map { try homes.tags($0)["s0"].map(Set.init) }
    #expect(tags[0]?.count == 100 && tags[0] == tags[1])
  }

  @Test("what a machine alone knows of a feed comes back with the feed, where others had ended it")
  func formerFeed() throws {
    for isOwn in [false, true] {
      let homes = try Self.homes()
      homes.run(
        0,
        "feeds",
        "set",
        Self.url,
        "--filter",
        "cat",
        "--header",
        "X-A: b",
        "--keep",
        "7",
      )
      homes.settle()
      let before = try homes.homes[0].store.read().subscriptions
      homes.run(1, "unsubscribe", Self.url)
      if isOwn { homes.run(0, "unsubscribe", Self.url) }
      homes.settle()
      #expect(try homes.homes[0].store.read().subscriptions.isEmpty)
      homes.run(1, "undo")
      homes.settle()
      let after = try homes.homes[0].store.read().subscriptions
      #expect(after.map(\.url) == [Self.url] && after[0].settings == before[0].settings)
      #expect((after[0].filter == "cat" && after[0].headers == before[0].headers) == !isOwn)
      #expect(try homes.homes[0].store.read().feeds.formerFeeds.isEmpty)
    }
  }

  @Test("what was deleted stays deleted through an export and an import")
  func exported() throws {
    let homes = try Self.homes()
    homes.run(0, "delete", "1-2")
    let other = try CommandRun()
    other.fetcher.serve(Self.url, .init(body: Sample.rss("Feed", (0..<6).map { "s\($0)" })))
    let file = try other.folder.write(homes.run(0, "export", "--json").output, to: "all.json")
    #expect(other("import", file).status == 0)
    other("refresh", "--force")
    #expect(try other.stories().map(\.item.title).sorted() == ["s2", "s3", "s4", "s5"])
    let known = try CommandRun()
    known.fetcher.serve(Self.url, .init(body: Sample.rss("Feed", ["s5"])))
    known("subscribe", Self.url)
    known("refresh", "--force")
    #expect(known("import", file).status == 0)
    known.fetcher.serve(Self.url, .init(body: Sample.rss("Feed", (0..<6).map { "s\($0)" })))
    known("refresh", "--force")
    #expect(try known.stories().map(\.item.title).sorted() == ["s2", "s3", "s4", "s5"])
  }
}
