import FeedModel
import FeedStorage
import Testing

@Suite("Notes are kept alike by way of a folder")
struct NoteSyncTests {
  private static let url = "https://example.com/feed0"

  private static func homes(_ count: Int = 2) throws -> SyncedHomes {
    let homes = try SyncedHomes.following(url, stories: 6, homes: count)
    homes.settle()
    return homes
  }

  private func notes(_ homes: SyncedHomes, _ number: Int) throws -> [String: String] {
    let stories = try homes.homes[number].stories().filter { $0.note != nil }
    return Dictionary(uniqueKeysWithValues: stories.map { ($0.item.title, $0.note ?? "") })
  }

  @Test("of a note the last change counts, and that it is taken away is told")
  func lastChange() throws {
    let homes = try Self.homes()
    homes.run(0, "note", "1", "first")
    homes.run(0, "note", "2", "other")
    homes.settle()
    #expect(try notes(homes, 1) == ["s0": "first", "s1": "other"])
    homes.run(1, "note", "1", "second")
    homes.run(1, "note", "2", "--remove")
    homes.sync(1)
    #expect(homes.sync(0).errors == "2 marks\n")
    #expect(try notes(homes, 0) == ["s0": "second"])
    homes.settle()
    #expect(try notes(homes, 0) == ["s0": "second"] && notes(homes, 1) == ["s0": "second"])
    #expect(
      try homes.homes[0].store.syncState()?.replica.registers.others.keys.contains {
        if case .story(_, .note) = $0 { true } else { false }
      } == true
    )
    let why = homes.run(0, "why", "1").output
    #expect(why.contains("note on machine 1"), "\(why)")
  }

  @Test("a note goes by ssh, and waits for its story")
  func ssh() throws {
    let homes = try Self.homes()
    homes.connect()
    homes.run(0, "note", "1", "by ssh")
    homes.run(0, "sync", "ssh:1")
    #expect(try notes(homes, 1) == ["s0": "by ssh"])
    for home in homes.homes {
      home.fetcher.serve(Self.url, .init(body: Sample.rss("Feed", ["s9", "s0"])))
    }
    homes.run(0, "refresh", "--force")
    homes.run(0, "list", "--grep", "s9")
    homes.run(0, "note", "1", "new")
    homes.settle()
    #expect(try notes(homes, 1) == ["s0": "by ssh"])
    homes.run(1, "refresh", "--force")
    homes.settle()
    #expect(try notes(homes, 1) == ["s0": "by ssh", "s9": "new"])
    homes.run(1, "list", "--grep", "s9")
    homes.run(1, "note", "1", "--remove")
    homes.settle()
    #expect(try notes(homes, 0) == ["s0": "by ssh"] && notes(homes, 1) == ["s0": "by ssh"])
  }
}
