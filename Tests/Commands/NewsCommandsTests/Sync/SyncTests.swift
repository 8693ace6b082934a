import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import NewsCommands
@testable import System

struct SyncedHomes {
  let folder: TemporaryFolder
  let homes: [CommandRun]

  init(_ count: Int) throws {
    folder = try TemporaryFolder()
    homes = try (0..<count).map { _ in try CommandRun() }
    for (number, home) in homes.enumerated() {
      home.machine = ("machine \(number)", "\(number)")
      try home.store.prepareHome()
    }
  }

  static func following(
    _ url: String,
    stories: Int,
    homes count: Int = 2,
  ) throws -> SyncedHomes {
    let homes = try SyncedHomes(count)
    for home in homes.homes {
      home.fetcher.serve(url, .init(body: Sample.rss("Feed", (0..<stories).map { "s\($0)" })))
      home.run(["subscribe", url])
      home.run(["refresh", "--force"])
      home.run(["list"])
    }
    return homes
  }

  var path: String { folder.path }

  @discardableResult
  func sync(_ number: Int, _ words: String...) -> CommandResult {
    homes[number].run(["sync", path] + words)
  }

  func settle(_ words: String...) {
    for _ in 0..<3 { for home in homes { home.run(["sync", path] + words) } }
  }

  /// Lets each home reach the others as ssh would: `ssh:0`, `ssh:1` and so on.
  func connect() {
    for home in homes {
      home.startProgram = { words in
        guard let end = words.firstIndex(of: "--"), let number = Int(words[end + 1]) else {
          return nil
        }
        let options = ["--accept"].filter { words[end + 2].contains(" " + $0) }
        return serve(homes[number], options)
      }
    }
  }

  private func serve(_ home: CommandRun, _ words: [String]) -> ProgramPipe? {
    guard let (input, output) = pipes() else { return nil }
    home.caller = ProgramPipe(readingFrom: input.readEnd, writingTo: output.writeEnd)
    let thread = try? TestThread {
      home.served = home.run(["sync", "--serve"] + words)
      for end in [input.readEnd, output.writeEnd] { close(end) }
    }
    return thread.map { _ in
      ProgramPipe(readingFrom: output.readEnd, writingTo: input.writeEnd)
    }
  }

  private func pipes() -> (SystemPipe, SystemPipe)? {
    guard let input = SystemPipe(), let output = SystemPipe() else { return nil }
    return (input, output)
  }

  func storeSample() throws {
    for home in homes { try home.storeSample() }
  }

  @discardableResult
  func run(_ number: Int, _ words: String...) -> CommandResult { homes[number].run(words) }

  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  func state(_ number: Int) throws -> [String] {
    let library = try homes[number].store.read()
    let feeds = library.subscriptions.map {
      "\(WebURL.withoutAccount($0.url)) \($0.title ?? "-") \($0.tags) \($0.settings)"
    }
    return try feeds.sorted() + homes[number].store.rules().map { "\($0)" }
      + marks(number).map { "\($0.key) \($0.value)" }.sorted()
      + tags(number).map { "\($0.key) \($0.value.sorted())" }.sorted()
  }

  func tags(_ number: Int) throws -> [String: [String]] {
    try homes[number].storyTags()
  }

  func marks(_ number: Int) throws -> [String: ItemMarks] {
    let items = try homes[number].store.read().items
    var marks: [String: ItemMarks] = [:]
    for place in 0..<items.count {
      let story = try items.item(at: place)
      marks[story.item.title] = [.read: story.isRead, .starred: story.isStarred]
    }
    return marks
  }

  func isRead(_ number: Int, _ title: String) throws -> Bool? { try marks(number)[title]?[.read] }
}

@Suite("Homes are kept alike by way of a folder")
struct SyncTests {
  @Test("a mark goes to the other home, and so does its end")
  func marks() throws {
    let homes = try SyncedHomes(2)
    try homes.storeSample()
    #expect(
      homes.sync(0).errors
        == "6 changes sent, none received\n"
    )
    homes.sync(1)
    #expect(homes.run(0, "read", "1").status == 0)
    #expect(homes.run(0, "star", "2").status == 0)
    homes.sync(0)
    #expect(homes.sync(1).errors == "2 marks\n")
    #expect(try homes.state(0) == homes.state(1))
    #expect(try homes.isRead(1, "Newest of all") == true)
    _ = homes.run(1, "unread", "1")
    _ = homes.run(1, "unstar", "2")
    homes.sync(1)
    #expect(homes.sync(0).errors == "2 marks\n")
    #expect(try homes.isRead(0, "Newest of all") == false)
    #expect(homes.sync(0).errors == "nothing new\n")
    homes.settle()
    #expect(try homes.isRead(0, "Newest of all") == false)
    #expect(try homes.state(0) == homes.state(1))
  }

  @Test("what is unchanged is not written again")
  func unchanged() throws {
    let homes = try SyncedHomes(2)
    try homes.storeSample()
    homes.settle()
    let files = try homes.files().map { homes.folder.path($0) }
    let before = try files.map { try inode($0) }
    homes.settle()
    #expect(try files.map { try inode($0) } == before)
    #expect(files.count == 2)
  }

  @Test("a star replaces the log and the data file, and no other")
  func star() throws {
    let homes = try SyncedHomes(2)
    try homes.storeSample()
    homes.run(0, "list")
    homes.settle()
    let home = homes.homes[0].store.home
    func saves() throws -> [String: Int] {
      let names = try namesInFolder(home).filter { $0.hasSuffix(".plist") }
      return try Dictionary(uniqueKeysWithValues: names.map { ($0, try inode("\(home)/\($0)")) })
    }
    let before = try saves()
    homes.run(0, "star", "2")
    let after = try saves()
    #expect(
      after.filter { before[$0.key] != $0.value }.keys.sorted()
        == ["history.plist", "newsdata.plist"]
    )
    #expect(homes.sync(0).errors == "1 change sent, none received\n")
  }

  private func inode(_ path: String) throws -> Int {
    try #require(FileStatus(at: path)).modified
  }

  @Test("feeds come and go, with titles, tags and settings")
  func feeds() throws {
    let homes = try SyncedHomes(2)
    _ = homes.run(0, "subscribe", Sample.feed, "--no-check", "--title", "Mine", "--tag", "work")
    _ = homes.run(0, "feeds", "set", "Mine", "--interval", "6h", "--keep", "5", "--full")
    _ = homes.run(1, "subscribe", Sample.other, "--no-check")
    homes.sync(0)
    #expect(
      homes.sync(1).errors
        == "1 feed added; 1 change sent\n"
    )
    homes.sync(0)
    #expect(try homes.state(0) == homes.state(1))
    let added = try #require(
      try homes.homes[1].store.read().subscriptions.first { $0.url == Sample.feed }
    )
    #expect(added.title == "Mine" && added.tags == ["work"] && added.settings.keep == 5)
    #expect(added.settings.interval == .seconds(6 * 3600) && added.settings.fetchesPages)
    #expect(added.state.isOnInternet == true)

    _ = homes.run(1, "feeds", "set", "Mine", "--title", "Yours", "--keep", "", "--untag", "work")
    _ = homes.run(0, "feeds", "set", "Mine", "--user-agent", "me", "--download", "3")
    homes.settle()
    #expect(try homes.state(0) == homes.state(1))
    let both = try #require(try homes.homes[0].store.read().subscriptions.first)
    #expect(both.title == "Yours" && both.tags.isEmpty && both.settings.keep == nil)
    #expect(both.settings.userAgent == "me" && both.settings.downloads == 3)

    _ = homes.run(1, "unsubscribe", "Yours")
    homes.sync(1)
    #expect(
      homes.sync(0).errors == "1 feed removed\n"
        + "news: unsubscribed from Yours on machine 1; news undo --list has its number\n"
    )
    homes.settle()
    #expect(
      try homes.homes.map { try $0.store.read().subscriptions.map(\.url) } == [
        [Sample.other], [Sample.other],
      ]
    )
    _ = homes.run(1, "subscribe", Sample.feed, "--no-check")
    homes.settle()
    #expect(try homes.state(0) == homes.state(1))
    #expect(try homes.homes[0].store.read().subscriptions.count == 2)
  }

  @Test("a feed that moves takes its stories along everywhere")
  func moves() throws {
    let homes = try SyncedHomes(2)
    try homes.storeSample()
    homes.settle()
    let place = "https://example.net/new"
    _ = homes.run(0, "move", "Example", "https://example.net/between", "--no-check")
    _ = homes.run(0, "move", "Example", place, "--no-check")
    _ = homes.run(1, "feeds", "set", "Example", "--tag", "own")
    homes.sync(0)
    #expect(
      homes.sync(1).errors.hasPrefix("1 changed")
    )
    homes.settle()
    #expect(try homes.state(0) == homes.state(1))
    let library = try homes.homes[1].store.read()
    #expect(library.subscriptions.map(\.url) == [place, Sample.other])
    #expect(library.subscriptions[0].tags == ["own"] && library.items.count == 5)
    #expect(try library.items.item(at: 0).feeds == [place])
  }

  @Test(
    "the last word about a story counts, though another home has moved its feed",
    arguments: [0, 1],
    [false, true],
  )
  func marksOfMoved(first: Int, isToldBetween: Bool) throws {
    let homes = try SyncedHomes(2)
    let second = 1 - first
    try homes.storeSample()
    homes.settle()
    _ = homes.run(first, "star", "1")
    _ = homes.run(first, "tag", "later", "1")
    for home in [first, second] { homes.sync(home) }
    _ = homes.run(second, "move", "Example", "https://example.net/new", "--no-check")
    if isToldBetween { homes.sync(second) }
    _ = homes.run(first, "unstar", "1")
    _ = homes.run(first, "untag", "later", "1")
    homes.settle()
    for home in homes.homes {
      let story = try home.store.read().items.item(at: 0)
      #expect(!story.isStarred && story.tags.isEmpty)
    }
  }

  @Test("rules come and go, in their order")
  func rules() throws {
    let homes = try SyncedHomes(2)
    try homes.storeSample()
    _ = homes.run(0, "rules", "add", "ads", "--grep", "sponsored", "--then", "drop")
    _ = homes.run(0, "rules", "add", "Quiet", "--feed", "Example", "--then", "read")
    _ = homes.run(1, "rules", "add", "today", "--unread", "--grep", "berlin")
    homes.settle()
    #expect(try homes.state(0) == homes.state(1))
    #expect(try homes.homes[1].store.rules().count == 3)
    _ = homes.run(1, "rules", "remove", "ads")
    homes.sync(1)
    #expect(homes.sync(0).errors.contains("1 rule"))
    homes.settle()
    #expect(try homes.state(0) == homes.state(1))
    #expect(try Set(homes.homes[0].store.rules().map(\.name)) == ["Quiet", "today"])
  }

  @Test("a story is the same whichever feed brought it first, and whatever its id")
  func identities() throws {
    let homes = try SyncedHomes(2)
    let feeds = [(Sample.feed, "Example"), (Sample.other, "Other")]
    var story = Sample.story(1, "Shared", hours: 1, feeds: [Sample.feed, Sample.other])
    story.id = Sample.id(77)
    try homes.homes[0].store([story], subscriptions: feeds)
    story.id = Sample.id(78)
    story.feeds.reverse()
    try homes.homes[1].store([story], subscriptions: feeds)
    homes.settle()
    _ = homes.run(1, "read", "1")
    homes.settle()
    #expect(try homes.isRead(0, "Shared") == true)
    _ = homes.run(0, "unread", "1")
    homes.settle()
    #expect(try homes.isRead(1, "Shared") == false)
  }

  @Test("stories that a feed gives one guid are not taken for each other")
  func reusedGUIDs() throws {
    let homes = try SyncedHomes(2)
    var stories = [Sample.story(1, "One", hours: 1), Sample.story(2, "Two", hours: 2)]
    for index in stories.indices { stories[index].item.guid = "same" }
    for home in homes.homes { try home.store(stories, subscriptions: [(Sample.feed, "Example")]) }
    _ = homes.run(0, "read", "1")
    homes.settle()
    #expect(try homes.isRead(1, "One") == true)
    #expect(try homes.isRead(1, "Two") == false)
  }

  @Test("what is gone is remembered for machines that come by another folder")
  func twoFolders() throws {
    let homes = try SyncedHomes(3)
    let other = try TemporaryFolder()
    try homes.storeSample()
    homes.sync(0)
    homes.sync(1)
    for number in [0, 2, 0] { homes.homes[number].run(["sync", other.path]) }
    _ = homes.run(0, "unsubscribe", "Other Feed")
    for _ in 0..<3 {
      homes.sync(0)
      homes.sync(1)
    }
    for number in [2, 0, 2] { homes.homes[number].run(["sync", other.path]) }
    #expect(try homes.homes[2].store.read().subscriptions.map(\.url) == [Sample.feed])
    #expect(try homes.homes[0].store.read().subscriptions.map(\.url) == [Sample.feed])
  }

  // MARK: Copies

  @Test("what a home has told in another folder before does not come back to it from there")
  func ownFolder() throws {
    let homes = try SyncedHomes(2)
    try homes.storeSample()
    let other = try TemporaryFolder()
    homes.settle()
    homes.run(1, "list")
    homes.run(1, "star", "1")
    homes.settle()
    homes.run(0, "sync", other.path)
    homes.run(1, "unstar", "1")
    homes.settle()
    let before = try homes.state(0)
    #expect(homes.run(0, "sync", other.path).errors == "nothing new\n")
    homes.settle()
    #expect(try homes.state(0) == before && homes.state(1) == before)
  }

  @Test("a copied home is a machine of its own, and says so")
  func copies() throws {
    let homes = try SyncedHomes(2)
    try homes.homes[0].storeSample()
    homes.sync(0)
    let old = homes.homes[0].folder.path("home")
    let new = homes.homes[1].folder.path("home")
    try FileManager.default.removeItem(atPath: new)
    try FileManager.default.copyItem(atPath: old, toPath: new)
    let result = homes.sync(1)
    #expect(
      result.errors == """
        news: this home was on another machine or in another folder before: it is a machine of its own now
        nothing new

        """
    )
    #expect(try homes.files().count == 2)
    _ = homes.run(1, "read", "1")
    homes.settle()
    #expect(try homes.isRead(0, "Newest of all") == true)
    #expect(!homes.sync(1).errors.contains("machine of its own"))
  }

  @Test("a home that was brought back from a backup takes what it had told itself")
  func backups() throws {
    let homes = try SyncedHomes(1)
    try homes.storeSample()
    homes.sync(0)
    let home = homes.homes[0].folder.path("home")
    try FileManager.default.copyItem(atPath: home, toPath: home + ".backup")
    _ = homes.run(0, "read", "1")
    _ = homes.run(0, "subscribe", "https://example.net/third", "--no-check")
    homes.homes[0].now += 60
    homes.sync(0)
    try FileManager.default.removeItem(atPath: home)
    try FileManager.default.moveItem(atPath: home + ".backup", toPath: home)
    _ = homes.run(0, "star", "2")
    #expect(
      homes.sync(0).errors
        == "news: this home is a copy of another one: it is a machine of its own now\n"
        + "1 mark, 1 feed added; 1 change sent\n"
    )
    #expect(try homes.isRead(0, "Newest of all") == true)
    #expect(try homes.homes[0].store.read().subscriptions.count == 3)
  }

  // MARK: Undo

  @Test("undo takes back what a sync did to feeds and marks")
  func undo() throws {
    let homes = try SyncedHomes(2)
    try homes.storeSample()
    homes.settle()
    _ = homes.run(1, "read", "1")
    homes.sync(1)
    _ = homes.run(0, "star", "2")
    homes.sync(0)
    #expect(try homes.homes[0].undoLatest().errors == "1 story is unread again\n")
    _ = homes.run(0, "unstar", "2")
    _ = homes.run(1, "unsubscribe", "Other Feed")
    homes.settle()
    #expect(try homes.marks(0).count == 4)
    #expect(
      try homes.homes[0].undoLatest().errors
        == "following Other Feed again, 1 story is back, 1 story is of the feed again\n"
    )
    #expect(try homes.marks(0).count == 5)
    homes.settle()
    #expect(try homes.homes[1].store.read().subscriptions.count == 2)
  }
  @Test("undo takes back a sync that brought one feed and took another, with the stories of that")
  func exchangedFeeds() throws {
    let homes = try SyncedHomes(2)
    try homes.storeSample()
    homes.settle()
    _ = homes.run(1, "unsubscribe", "Other Feed")
    _ = homes.run(1, "subscribe", "https://new.example/feed", "--no-check")
    homes.sync(1)
    homes.sync(0)
    #expect(try homes.marks(0).count == 4)
    #expect(
      try homes.homes[0].undoLatest().errors
        == "following Other Feed again, no longer following https://new.example/feed, 1 story is back, "
        + "1 story is of the feed again\n"
    )
    #expect(try homes.marks(0).count == 5)
    #expect(
      try homes.homes[0].store.read().subscriptions.map(\.displayTitle).contains("Other Feed")
    )
  }
}
