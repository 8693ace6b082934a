import FeedModel
import FeedStorage
import PropertyLists
import TestSupport
import Testing

@testable import NewsCommands

@Suite("One truth in all homes: undo, copies, and removals from elsewhere")
struct LogTests {
  private static let url = "https://example.com/feed0"

  private static func homes(_ count: Int = 2) throws -> SyncedHomes {
    let homes = try SyncedHomes.following(url, stories: 6, homes: count)
    homes.settle()
    return homes
  }

  private func titles(_ homes: SyncedHomes, _ number: Int) throws -> [String] {
    try homes.homes[number].stories().map(\.item.title).sorted()
  }

  private static let all = (0..<6).map { "s\($0)" }

  @Test(
    "a removal elsewhere is said, and comes back with it, when no feed has the stories any more",
    arguments: [["delete", "1", "2"], ["unsubscribe", url, "--yes"]],
  )
  func returns(words: [String]) throws {
    let homes = try Self.homes()
    homes.run(1, "note", "1", "mine")
    homes.settle()
    homes.homes[0].run(words)
    homes.sync(0)
    for home in homes.homes {
      home.fetcher.serve(Self.url, .init(body: Sample.rss("Feed", ["new"])))
    }
    let heard = homes.homes[1].run(["sync", homes.path]).errors
    #expect(heard.contains(" on machine 0; news undo --list has its number"), "\(heard)")
    #expect(try titles(homes, 1).count < 6)
    homes.run(0, "undo")
    homes.settle()
    for number in 0..<2 {
      homes.run(number, "refresh", "--force")
      #expect(try titles(homes, number).filter { $0 != "new" } == Self.all)
    }
    let story = try #require(homes.homes[1].stories().first { $0.item.title == "s0" })
    #expect(story.note == "mine")
  }

  @Test("what others have removed is undone here by its number alone, and told")
  func byNumber() throws {
    let homes = try Self.homes()
    homes.run(0, "delete", "1")
    homes.settle()
    let change = try #require(try homes.homes[1].store.history().changes.last)
    #expect(change.origin.author.name == "remote machine 0")
    #expect(homes.run(1, "undo", "\(change.change)").status == 0)
    homes.settle()
    homes.run(0, "refresh", "--force")
    #expect(try titles(homes, 0) == Self.all && titles(homes, 1) == Self.all)
  }

  @Test(
    "a change and its undo that nobody has heard of destroy nothing elsewhere",
    arguments: [["note", "1", "oops"], ["star", "1"], ["tag", "x", "1"], ["read", "1"]],
  )
  func unheard(words: [String]) throws {
    let homes = try Self.homes()
    for mark in [["note", "1", "a thought"], ["star", "1"], ["tag", "x", "1"], ["read", "1"]] {
      homes.homes[0].run(mark)
    }
    homes.homes[1].run(words)
    homes.homes[1].run(["undo"])
    homes.homes[1].run(["redo"])
    homes.homes[1].run(["undo"])
    homes.settle()
    for home in homes.homes {
      let story = try #require(home.stories().first { $0.item.title == "s0" })
      #expect(story.note == "a thought" && story.tags == ["x"] && story.isStarred && story.isRead)
    }
  }

  @Test("an undo of what was heard is told")
  func heard() throws {
    let homes = try Self.homes()
    homes.run(0, "star", "1")
    homes.settle()
    homes.run(0, "undo")
    homes.settle()
    #expect(try homes.marks(1)["s0"]?[.starred] == false)
  }

  @Test("a rule that is applied and drops is told as a deletion, and its undo brings all back")
  func rule() throws {
    let homes = try Self.homes()
    homes.run(0, "rules", "add", "d", "--grep", "title:s1", "--then", "drop")
    homes.run(0, "rules", "apply", "--yes", "d")
    homes.settle()
    #expect(try titles(homes, 1) == Self.all.filter { $0 != "s1" })
    homes.run(0, "undo")
    homes.settle()
    #expect(try titles(homes, 0) == Self.all && titles(homes, 1) == Self.all)
  }

  @Test("a home that was cloned becomes a machine of its own, and says so once")
  func clone() throws {
    let homes = try Self.homes()
    let home = homes.homes[0].folder.path("home")
    let copy = homes.folder.path("copy")
    try FileManager.default.copyItem(atPath: home, toPath: copy)
    homes.run(0, "star", "1")
    homes.sync(0)
    try FileManager.default.removeItem(atPath: home)
    try FileManager.default.copyItem(atPath: copy, toPath: home)
    homes.run(0, "star", "2")
    #expect(homes.sync(0).errors.contains("a copy of another one"))
    #expect(!homes.sync(0).errors.contains("a copy of another one"))
    homes.settle()
    for number in 0..<2 {
      #expect(
        try homes.marks(number).filter { $0.value[.starred] == true }.keys.sorted() == ["s0", "s1"]
      )
    }
  }

  @Test("files with other times are the same files: what was done can be undone")
  func copied() throws {
    let homes = try Self.homes()
    homes.run(0, "star", "1")
    homes.run(0, "delete", "2")
    let home = homes.homes[0].folder.path("home")
    let touched = try Subprocess.run(["sh", "-c", "touch -d 2030-01-01 \"$1\"/*", "sh", home])
    #expect(touched.status == 0)
    #expect(homes.run(0, "undo").errors == "1 story is back\n")
    #expect(homes.run(0, "undo").errors == "1 story is no longer starred\n")
  }

  @Test(
    "a log that cannot be read, or is gone, is set aside and said, and its stories with it",
    arguments: [true, false],
  )
  func unreadable(isThere: Bool) throws {
    let homes = try Self.homes()
    let home = homes.homes[0]
    home.run(["delete", "1"])
    let path = home.folder.path("home/history.plist")
    try FileManager.default.removeItem(atPath: path)
    if isThere { try home.folder.write("rubbish", to: "home/history.plist") }
    let said = home.run(["star", "2"]).errors
    #expect(said.contains(isThere ? "cannot be read" : "is gone"), "\(said)")
    let names = try namesInFolder(home.folder.path("home"))
    #expect(names.contains("history.plist.unreadable-1") == isThere)
    #expect(
      names.contains { $0.hasPrefix("newsdata.plist.cleared-") && $0.hasSuffix(".unreadable-1") }
    )
    home.run(["unstar", "2"])
    #expect(
      try namesInFolder(home.folder.path("home")).filter { $0.contains("unreadable") }.count
        == (isThere ? 2 : 1)
    )
    #expect(home.run(["undo"]).status == 0)
  }

  @Test("a hundred changes can be undone one after another, done again, and undone")
  func hundred() throws {
    let homes = try SyncedHomes.following(Self.url, stories: 110, homes: 1)
    for number in 1...100 { homes.run(0, "star", "\(number)") }
    for _ in 0..<2 {
      for _ in 0..<100 { #expect(homes.run(0, "undo").status == 0) }
      #expect(try homes.marks(0).allSatisfy { $0.value[.starred] == false })
      for _ in 0..<100 { #expect(homes.run(0, "redo").status == 0) }
      #expect(try homes.marks(0).count { $0.value[.starred] == true } == 100)
    }
  }

  @Test("a new change ends redo, and a phone's does not")
  func newChange() throws {
    let homes = try Self.homes()
    homes.run(0, "star", "1")
    homes.run(0, "undo")
    homes.run(0, "read", "2")
    #expect(homes.run(0, "redo").errors == "news: nothing to redo\n")
  }

  @Test("an unsubscription after another machine's move of the feed is the last word")
  func moved() throws {
    let homes = try Self.homes()
    let new = "https://example.com/moved"
    for home in homes.homes { home.fetcher.serve(new, .init(body: Sample.rss("Feed", Self.all))) }
    homes.run(0, "move", Self.url, new)
    homes.homes[1].now += 60
    homes.run(1, "unsubscribe", Self.url, "--yes")
    homes.settle()
    for home in homes.homes { #expect(try home.store.read().subscriptions.isEmpty) }
  }

  @Test(
    "what a sync that was killed has taken is told of, and so is its undo",
    arguments: 0..<6,
    [[], ["unread", "read"]],
  )
  func killed(point: Int, others: [String]) throws {
    let homes = try Self.homes()
    homes.run(0, "read", "1")
    let folders = [homes.path, homes.homes[0].folder.path("home")]
    var files: ModelFiles?
    ModelKill.before(point) {
      files = ModelFiles(folders)
    } in: {
      homes.sync(0)
    }
    files?.putBack()
    for word in others { homes.run(0, word, "1") }
    homes.run(0, "undo")
    homes.settle()
    for number in 0..<2 { #expect(try homes.marks(number).allSatisfy { $0.value[.read] == false }) }
  }

  @Test("a story that comes back has the marks that it was given while it was away")
  func marked() throws {
    let homes = try Self.homes()
    homes.run(0, "read", "1")
    homes.run(0, "delete", "1")
    homes.sync(0)
    homes.run(0, "undo")
    homes.sync(1)
    homes.sync(0)
    #expect(try titles(homes, 1).count == 5)
    #expect(homes.sync(1).errors == "1 story\n")
    #expect(homes.sync(1).errors == "1 mark\n")
    #expect(try homes.marks(1) == homes.marks(0))
  }

  @Test("a story that went twice, as its feed had moved meanwhile, comes back once")
  func wentTwice() throws {
    let homes = try Self.homes()
    let new = "https://example.com/moved"
    for home in homes.homes { home.fetcher.serve(new, .init(body: Sample.rss("Feed", Self.all))) }
    homes.run(0, "delete", "1")
    for number in 0..<2 { homes.sync(number) }
    homes.run(1, "clear", "--yes")
    homes.run(0, "undo")
    homes.run(1, "move", Self.url, new)
    homes.sync(1)
    #expect(try titles(homes, 1).count == 5)
    homes.settle()
    for number in 0..<2 { #expect(try titles(homes, number) == Self.all) }
  }
}
