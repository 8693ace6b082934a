import FeedModel
import FeedStorage
import System
import TestSupport
import Testing

@testable import NewsCommands

@Suite("What nobody did is told to nobody")
struct SyncPairTests {
  private static let url = "https://example.com/feed0"

  /// Returns two homes that have the same thirty stories, the newest ten read and five starred, and
  /// know that of each other.
  private static func homes() throws -> SyncedHomes {
    let homes = try SyncedHomes.following(url, stories: 30)
    homes.run(0, "read", "1-10")
    homes.run(0, "star", "1-5")
    homes.settle()
    return homes
  }

  private static func counts(_ homes: SyncedHomes, _ number: Int) throws -> String {
    let marks = try homes.marks(number).values
    let (read, starred) = (marks.count { $0[.read] == true }, marks.count { $0[.starred] == true })
    return "\(marks.count) stories, \(read) read, \(starred) starred"
  }

  private static let all = "30 stories, 10 read, 5 starred"

  private func file(_ name: String, of home: CommandRun) -> String {
    home.folder.path("home/" + name)
  }

  @Test("a data file from a backup takes no mark back")
  func backup() throws {
    let homes = try Self.homes()
    let path = file("newsdata.plist", of: homes.homes[1])
    try FileManager.default.copyItem(atPath: path, toPath: path + ".backup")
    homes.run(1, "list")
    homes.run(1, "read", "11-20")
    homes.run(1, "star", "11-12")
    homes.settle()
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: path + ".backup", toPath: path)
    homes.settle()
    for number in 0..<2 {
      #expect(try Self.counts(homes, number) == "30 stories, 20 read, 7 starred")
    }
  }

  @Test("stories that retention dropped and that come back as read were read by nobody")
  func evicted() throws {
    let homes = try Self.homes()
    let home = homes.homes[1]
    home.fetcher.serve(Self.url, .init(body: Sample.rss("Feed", ["new"])))
    home.run(["refresh", "--force", "--keep", "12"])
    home.fetcher.serve(Self.url, .init(body: Sample.rss("Feed", (0..<30).map { "s\($0)" })))
    home.run(["refresh", "--force"])
    homes.settle()
    #expect(try Self.counts(homes, 0) == Self.all)
  }

  @Test(
    "what is remembered can be lost or damaged: nothing is taken back, and it is said",
    arguments: ["sync.plist", "history.plist"],
    [nil, "no property list"],
  )
  func lostMemory(name: String, contents: String?) throws {
    let homes = try Self.homes()
    homes.run(1, "list")
    homes.run(1, "star", "6")
    let path = file(name, of: homes.homes[1])
    try FileManager.default.removeItem(atPath: path)
    if let contents { try contents.write(toFile: path, atomically: true, encoding: .utf8) }
    let result = homes.sync(1)
    #expect(result.status == 0)
    if contents != nil || name == "sync.plist" {
      #expect(result.errors.contains(name))
      #expect(result.errors.contains("the home is merged as one that is new"))
    }
    homes.settle()
    for number in 0..<2 {
      #expect(try Self.counts(homes, number) == "30 stories, 10 read, 6 starred")
    }
    homes.run(1, "unstar", "6")
    homes.settle()
    #expect(try Self.counts(homes, 0) == Self.all)
  }

  @Test("a home that is new to the others keeps its marks, and they keep theirs")
  func newHome() throws {
    let homes = try SyncedHomes(2)
    try homes.storeSample()
    homes.run(0, "list")
    homes.run(0, "star", "1")
    homes.sync(0)
    homes.run(0, "unstar", "5")
    homes.run(0, "unread", "3")
    homes.sync(0)
    homes.homes[1].now += 100
    homes.run(1, "list")
    homes.run(1, "read", "2")
    homes.settle()
    for number in 0..<2 {
      #expect(try Self.counts(homes, number) == "5 stories, 2 read, 2 starred")
    }
  }

  @Test("an import that is taken back is taken back everywhere")
  func undoneImport() throws {
    let homes = try Self.homes()
    homes.run(0, "list")
    homes.run(0, "star", "6-9")
    let path = homes.homes[0].folder.path("export.json")
    try homes.run(0, "export", "--json").output.write(
      toFile: path,
      atomically: true,
      encoding: .utf8,
    )
    homes.run(0, "unstar", "6-9")
    homes.settle()
    homes.homes[1].now += 60
    #expect(homes.run(1, "import", path).status == 0)
    homes.settle()
    #expect(try Self.counts(homes, 0) == "30 stories, 10 read, 9 starred")
    #expect(homes.run(1, "undo").status == 0)
    homes.settle()
    for number in 0..<2 { #expect(try Self.counts(homes, number) == Self.all) }
  }

  @Test("status counts what waits for each place")
  func waiting() throws {
    let homes = try Self.homes()
    let other = try TemporaryFolder()
    homes.run(0, "sync", "add", "one", homes.path)
    homes.run(0, "sync", "add", "two", other.path)
    homes.run(0, "list")
    homes.run(0, "star", "6-9")
    homes.run(0, "feeds", "set", Self.url, "--title", "New")
    let waiting = {
      homes.run(0, "sync", "status").output.split(separator: "\n").map {
        String($0.split(separator: "\t", omittingEmptySubsequences: false)[4])
      }
    }
    #expect(waiting() == ["5", "5"])
    homes.run(0, "sync", "one")
    #expect(waiting() == ["0", "5"])
    homes.run(0, "sync")
    #expect(waiting() == ["0", "0"])
  }

  @Test("undo takes back the marks that a sync by hand has brought, and says before what it would")
  func undo() throws {
    let homes = try Self.homes()
    homes.run(0, "list")
    homes.run(0, "star", "6-9")
    homes.run(0, "read", "11-12")
    homes.sync(0)
    homes.homes[1].now += 60
    homes.sync(1)
    #expect(
      try homes.homes[1].undoLatest("--show").errors
        == "would undo `news sync`: 2 stories are unread again, 4 stories are no longer starred\n"
    )
    #expect(try Self.counts(homes, 1) == "30 stories, 12 read, 9 starred")
    #expect(
      try homes.homes[1].undoLatest().errors
        == "2 stories are unread again, 4 stories are no longer starred\n"
    )
    homes.settle()
    for number in 0..<2 { #expect(try Self.counts(homes, number) == Self.all) }
  }

  @Test("what would take much away at once is asked about, and everything else is done")
  func bounded() throws {
    let homes = try Self.homes()
    homes.run(0, "unread", "--all")
    homes.run(0, "read", "--all")
    homes.run(0, "star", "--all")
    homes.settle()
    homes.homes[0].now += 60
    homes.run(0, "unread", "--all")
    homes.run(0, "unstar", "--all")
    homes.run(0, "feeds", "set", Self.url, "--title", "New")
    homes.sync(0)
    let asked = homes.sync(1).errors
    #expect(asked.contains("it would unstar 30 stories, mark 30 stories unread here"), "\(asked)")
    #expect(try Self.counts(homes, 1) == "30 stories, 30 read, 30 starred")
    #expect(try homes.homes[1].store.read().subscriptions[0].title == "New")
    homes.sync(0)
    #expect(try Self.counts(homes, 0) == "30 stories, 0 read, 0 starred")
    homes.sync(1, "--accept")
    #expect(try Self.counts(homes, 1) == "30 stories, 0 read, 0 starred")
  }

  @Test("what would take much away is taken back by an undo on the other side")
  func restored() throws {
    let homes = try Self.homes()
    homes.run(0, "star", "--all")
    homes.settle()
    homes.homes[0].now += 60
    homes.run(0, "unstar", "--all")
    homes.sync(0)
    let asked = homes.sync(1).errors
    #expect(asked.hasSuffix("--accept does it, news undo on the other side takes it back\n"))
    homes.run(0, "undo")
    homes.sync(0)
    #expect(homes.sync(1).errors.contains("before you agree") == false)
    for number in 0..<2 {
      #expect(try Self.counts(homes, number) == "30 stories, 10 read, 30 starred")
    }
  }
}
