import FeedModel
import FeedStorage
import PropertyLists
import TestSupport
import Testing

@testable import NewsCommands
@testable import System

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

  /// Writes a file again as a version without notes would leave it.
  private func forget(_ path: String) throws {
    let bytes = PropertyListBytes(try readFile(path))
    var list = try #require(try PropertyList.value(bytes).dictionary)
    (list["later"], list["laterSeen"]) = (nil, nil)
    try writeFile(path, PropertyList.encode(.dictionary(list)))
  }

  @Test("notes that are older than their sync are told, and files without any are read")
  func former() throws {
    let homes = try Self.homes()
    homes.run(0, "note", "1", "early")
    for name in ["sync.plist", "changes.plist"] {
      try forget(homes.homes[0].folder.path("home/" + name))
    }
    homes.settle()
    #expect(try notes(homes, 1) == ["s0": "early"])
    homes.run(1, "note", "1", "--remove")
    homes.settle()
    #expect(try notes(homes, 0) == [:] && notes(homes, 1) == [:])
  }

  @Test("a note that was taken away does not come back by a machine that knows of no notes")
  func besideOlder() throws {
    let homes = try Self.homes(3)
    homes.run(0, "note", "1", "gone soon")
    homes.settle()
    // From now on the third home is of an earlier version: it has seen notes that it cannot pass
    // on.
    let older = "\(homes.path)/\(try files(homes, 2).name)"
    homes.run(0, "note", "1", "--remove")
    homes.sync(0)
    let (first, second) = (try files(homes, 0), try files(homes, 1))
    try writeFile("\(homes.path)/\(second.name)", second.bytes)
    homes.sync(2)
    try forget(older)
    try removeFile("\(homes.path)/\(first.name)")
    homes.sync(1)
    try writeFile("\(homes.path)/\(first.name)", first.bytes)
    for _ in 0..<3 {
      homes.sync(0)
      homes.sync(1)
      #expect(try notes(homes, 0) == [:])
    }
    #expect(try notes(homes, 1) == [:])
  }

  private func files(
    _ homes: SyncedHomes,
    _ number: Int,
  ) throws -> (name: String, bytes: [UInt8]) {
    let state = try homes.homes[number].store.syncState()
    let name = "news-\(try #require(state).machine).plist"
    return (name, try readFile("\(homes.path)/\(name)"))
  }
}
