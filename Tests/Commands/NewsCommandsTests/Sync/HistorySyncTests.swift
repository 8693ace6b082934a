import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("What lies in the history of a home follows what others do meanwhile")
struct HistorySyncTests {
  private static let url = "https://example.com/feed0"

  private static func homes() throws -> SyncedHomes {
    try SyncedHomes.following(url, stories: 5)
  }

  private func story(_ home: CommandRun, _ title: String) throws -> StoredItem? {
    try home.stories().first { $0.item.title == title }
  }

  @Test(
    "a mark that is taken off elsewhere while its story is away stays off when that is back",
    arguments: [
      ["clear", "--yes"], ["clear", "--yes", "--feed", url], ["unsubscribe", url],
    ],
    [
      (["read", "2"], ["unread", "2"]), (["tag", "x", "2"], ["untag", "x", "2"]),
      (["note", "2", "text"], ["note", "2", "--remove"]),
    ],
  )
  func away(_ leaving: [String], _ words: (on: [String], off: [String])) throws {
    let homes = try Self.homes()
    homes.homes[0].run(words.on)
    homes.settle()
    for home in homes.homes { home.now += 60 }
    homes.homes[1].run(["list"])
    let marked = try #require(try story(homes.homes[1], "s1"))
    #expect(marked.isRead || !marked.tags.isEmpty || marked.note != nil)
    #expect(homes.homes[1].run(leaving).status == 0)
    homes.sync(1)
    homes.homes[0].run(words.off)
    homes.settle()
    #expect(homes.homes[1].run(["undo"]).status == 0)
    for _ in 0..<2 {
      let back = try #require(try story(homes.homes[1], "s1"), "\(leaving)")
      #expect(!back.isRead && back.tags.isEmpty && back.note == nil)
      homes.settle()
    }
  }

  @Test("a mark that nobody has taken off comes back with its story", arguments: [true, false])
  func kept(isTold: Bool) throws {
    let homes = try Self.homes()
    if isTold { homes.settle() }
    homes.homes[1].run(["read", "2"])
    if isTold { homes.settle() }
    for home in homes.homes { home.now += 60 }
    homes.homes[1].run(["clear", "--yes"])
    homes.settle()
    homes.homes[1].run(["undo"])
    #expect(try #require(try story(homes.homes[1], "s1")).isRead)
    homes.settle()
    for home in homes.homes { #expect(try #require(try story(home, "s1")).isRead) }
  }

  @Test("a mark that was stopped before it was made is told to nobody, and comes by no fetch")
  func unmade() throws {
    let homes = try Self.homes()
    let home = homes.homes[0]
    homes.settle()
    home.run(["star", "1"])
    try setModificationTime(of: home.store.dataPath, seconds: 1_790_000_000)
    let before = try readFile(home.store.dataPath)
    home.run(["read", "2"])
    try writeFile(home.store.dataPath, before)
    try setModificationTime(of: home.store.dataPath, seconds: 1_790_000_000)
    home.run(["refresh"])
    homes.settle()
    for home in homes.homes {
      #expect(try #require(try story(home, "s0")).isStarred)
      #expect(try !#require(try story(home, "s1")).isRead)
    }
    #expect(home.run(["undo"]).errors == "1 story is no longer starred\n")
  }
}
