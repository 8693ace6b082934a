import FeedModel
import FeedStorage
import PropertyLists
import TestSupport
import Testing

@testable import System

@Suite("What lies in the folder of synced homes harms none of them")
struct SyncDefenceTests {
  private static let other = "00000000000000ff"

  private func write(
    _ value: PropertyListValue,
    to homes: SyncedHomes,
    as name: String = "news-\(other).plist",
  ) throws {
    try Data(PropertyList.encode(value)).write(to: URL(filePath: homes.folder.path(name)))
  }

  private func file(
    _ settings: [PropertyListDictionary],
    time: Int64 = 1_793_534_400_000 << 16,
    marks: [UInt8] = [],
  ) -> PropertyListDictionary {
    let all = settings.map { setting in
      var setting = setting
      if setting["time"] == nil { setting["time"] = .integer(time) }
      setting["machine"] = .integer(0)
      setting["serial"] = .integer(1)
      return PropertyListValue.dictionary(setting)
    }
    return [
      "version": .integer(1), "machine": .string(Self.other), "name": .string("a\u{1b}[2J"),
      "machines": .array([.string(Self.other)]), "seen": .array([.integer(1)]),
      "settings": .array(all), "marks": .data(marks),
    ]
  }

  private func feed(
    _ url: String,
    _ what: String,
    _ value: PropertyListValue?,
  )
    -> PropertyListDictionary
  {
    var setting: PropertyListDictionary = ["feed": .string(url), "what": .string(what)]
    setting["value"] = value
    return setting
  }

  @Test("what a home alone may know, others do not take from a file")
  func poison() throws {
    let homes = try SyncedHomes(2)
    try homes.storeSample()
    var value = file([])
    value["place"] = .string("x")
    value["dropped"] = .integer(.max)
    try write(.dictionary(value), to: homes)
    homes.settle()
    _ = homes.run(0, "read", "1")
    homes.settle()
    #expect(try homes.isRead(1, "Newest of all") == true)
  }

  @Test("no password gets into it, whatever has one in its URL")
  func passwords() throws {
    let homes = try SyncedHomes(2)
    let url = "https://reader:hunter2@example.com/feed"
    _ = homes.run(0, "subscribe", url, "--no-check", "--password-command", "echo hunter3")
    _ = homes.run(0, "subscribe", "https://to%40ken@example.org/x", "--no-check")
    _ = homes.run(0, "subscribe", "https://me:a/b@example.net/y", "--no-check")
    _ = homes.run(0, "rules", "add", "r", "--feed", "hunter2@example.com/feed", "--then", "star")
    var story = Sample.story(1, "Secret", hours: 1, feeds: [url])
    story.isRead = true
    story.id = ItemID.id(feed: url, key: .guid("guid 1"))
    try homes.homes[0].store.update { _ in
      (LibraryChange(StoryChanges(adding: [story])), ())
    }
    #expect(try homes.homes[0].store.rules().count == 1)
    homes.settle()
    for name in try homes.files() {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: homes.folder.path(name))))
      let value = try PropertyList.value(PropertyListBytes(bytes))
      let text = "\(value)"
      for secret in ["hunter", "reader", "to%40ken", "me:a", "@"] {
        #expect(!text.contains(secret), "\(secret)")
      }
      #expect(!bytes.contains(Array(story.id.utf8)))
      let id = try #require(ItemID.number(of: story.id.utf8))
      #expect(!bytes.contains(withUnsafeBytes(of: id.bigEndian) { Array($0) }))
    }
    let feeds = try homes.homes[1].store.read().subscriptions
    #expect(
      Set(feeds.map(\.url))
        == ["https://example.com/feed", "https://example.org/x", "https://example.net/y"]
    )
    #expect(feeds.allSatisfy { $0.passwordCommand == nil })
    #expect(try homes.homes[1].store.rules()[0].feeds == ["https://example.com/feed"])
    let own = try homes.homes[0].store.read().subscriptions
    #expect(own[0].url == url && own[0].passwordCommand == "echo hunter3")
    _ = homes.run(1, "feeds", "set", "https://example.com/feed", "--title", "Mine")
    homes.settle()
    #expect(try homes.homes[0].store.read().subscriptions[0].title == "Mine")
    #expect(try homes.homes[0].store.rules()[0].feeds == [url])
  }

  @Test("a move to another site takes neither password nor trust along; one within the site does")
  func movedPasswords() throws {
    let homes = try SyncedHomes(1)
    for name in ["a", "b"] {
      _ = homes.run(
        0,
        "subscribe",
        "https://me:pw@example.com/\(name)",
        "--no-check",
        "--allow-private",
        "--password-command",
        "echo pw",
      )
    }
    homes.sync(0)
    let late: Int64 = 1_893_534_400_000 << 16
    let moves = [("a", "https://evil.example/a"), ("b", "https://example.com/c")]
    let settings = moves.flatMap { name, place in
      [
        feed("https://example.com/\(name)", "followed", nil),
        feed("https://example.com/\(name)", "moved", .string(place)),
        feed(place, "followed", .boolean(true)),
      ]
    }
    try write(.dictionary(file(settings, time: late)), to: homes)
    homes.sync(0)
    let feeds = try homes.homes[0].store.read().subscriptions
    #expect(feeds.map(\.url) == ["https://evil.example/a", "https://me:pw@example.com/c"])
    #expect(feeds.map(\.passwordCommand) == [nil, "echo pw"])
    #expect(feeds[0].state.isOnInternet == true)
  }

  @Test("damaged files cost a line each, and the others are merged")
  func damaged() throws {
    let homes = try SyncedHomes(2)
    try homes.storeSample()
    homes.settle()
    _ = homes.run(1, "read", "1")
    homes.sync(1)
    let whole = PropertyList.encode(.dictionary(file([])))
    let files: [(String, [UInt8])] = [
      ("0000000000000001", []), ("0000000000000002", Array("not a list".utf8)),
      ("0000000000000003", Array(whole.dropLast(40))),
      ("0000000000000004", PropertyList.encode(.dictionary(file([])))),
      ("0000000000000005", PropertyList.encode(.string("x"))),
      ("\(Self.other)", PropertyList.encode(.dictionary(file([], marks: [1, 2, 3])))),
    ]
    for (id, bytes) in files {
      try Data(bytes).write(to: URL(filePath: homes.folder.path("news-\(id).plist")))
    }
    let result = homes.sync(0)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 7 && result.status == 1)
    #expect(lines.dropLast().allSatisfy { $0.hasPrefix("news: left out: \(homes.path)/news-0000") })
    #expect(lines.last == "1 mark")
    #expect(try homes.isRead(0, "Newest of all") == true)
  }

  @Test("a file of a newer version is left out, and left as it is")
  func newer() throws {
    let homes = try SyncedHomes(1)
    var other = file([])
    other["version"] = .integer(2)
    try write(.dictionary(other), to: homes)
    #expect(homes.sync(0).errors.contains("was written by a newer news (version 2"))
  }

  @Test("copies that engines make are not read, nor is anything else there")
  func copies() throws {
    let homes = try SyncedHomes(2)
    try homes.storeSample()
    homes.settle()
    let settings = [feed(Sample.feed, "followed", nil)]
    let late = file(settings, time: 1_893_534_400_000 << 16)
    let names = [
      "news-\(Self.other) (conflicted copy).plist", "news-\(Self.other).sync-conflict-1.plist",
      ".news-\(Self.other).plist.new", "news-\(Self.other.uppercased()).plist", "notes.txt",
    ]
    for name in names { try write(.dictionary(late), to: homes, as: name) }
    try FileManager.default.createDirectory(
      atPath: homes.folder.path("folder"),
      withIntermediateDirectories: false,
    )
    #expect(homes.sync(0).errors == "nothing new\n")
  }

  @Test("values that no reader could have typed are not taken")
  func hostileValues() throws {
    let homes = try SyncedHomes(1)
    try homes.storeSample()
    let bad = "https://example.org/\u{202e}evil"
    let rule: PropertyListDictionary = [
      "name": .string("x"), "feeds": .array([.string("/etc/passwd")]),
      "then": .array([.string("drop")]),
    ]
    let all: PropertyListDictionary = ["name": .string("all"), "then": .array([.string("drop")])]
    let long = String(repeating: "ü", count: 201)
    let tagging: PropertyListDictionary = [
      "name": .string("tagging"), "grep": .array([.string("x")]),
      "then": .array([.string("tag:\(long)")]),
    ]
    let settings = [
      feed("file:///etc/passwd", "followed", .boolean(true)),
      feed("ftp://example.org/", "followed", .boolean(true)),
      feed("https://a:b@example.org/", "followed", .boolean(true)),
      feed("https:///nobody", "followed", .boolean(true)),
      feed(bad, "followed", .boolean(true)),
      feed(
        "https://example.org/" + String(repeating: "x", count: 5000),
        "followed",
        .boolean(true),
      ),
      feed(Sample.feed, "title", .string("\u{1b}]0;owned\u{7}")),
      feed(Sample.feed, "interval", .integer(1)), feed(Sample.feed, "keep", .integer(-1)),
      feed(Sample.feed, "maxSize", .integer(.max)), feed(Sample.feed, "download", .integer(.max)),
      feed(Sample.feed, "userAgent", .string("a\r\nX-Evil: 1")),
      feed(Sample.feed, "passwordCommand", .string("rm -rf /")),
      feed(Sample.feed, "followed", .string("yes")),
      feed(Sample.feed, "tags", .array([.integer(1)])),
      feed(Sample.feed, "tags", .array([.string(long)])),
      ["rule": .string("tagging"), "value": .dictionary(tagging)],
      ["rule": .string("x"), "value": .dictionary(rule)],
      ["rule": .string("all"), "value": .dictionary(all)],
      ["rule": .string("other"), "value": .dictionary(["name": .string("another")])],
    ]
    try write(.dictionary(file(settings, time: 1_893_534_400_000 << 16)), to: homes)
    let before = try homes.state(0)
    #expect(homes.sync(0).errors.hasSuffix(" sent, none received\n"))
    #expect(try homes.state(0) == before)
    let printed = homes.homes[0].run(["sync", homes.path, "--json"]).output
    #expect(!printed.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
  }

  @Test(
    "a stamp from the far future is not taken, and one from a wrong clock does not stay for ever"
  )
  func stamps() throws {
    let homes = try SyncedHomes(2)
    try homes.storeSample()
    homes.settle()
    let title = feed(Sample.feed, "title", .string("Hostile"))
    var never = feed(Sample.other, "title", .string("Never"))
    never["time"] = .integer(.max)
    let years: Int64 = 90 * 31_557_600_000
    try write(
      .dictionary(file([title, never], time: (1_793_534_400_000 + years) << 16)),
      to: homes,
    )
    homes.settle()
    #expect(
      Set(try homes.homes[0].store.read().subscriptions.compactMap(\.title))
        == ["Hostile", "Other Feed"]
    )
    _ = homes.run(1, "feeds", "set", "Hostile", "--title", "Mine again")
    homes.settle()
    for home in homes.homes {
      #expect(try home.store.read().subscriptions[0].title == "Mine again")
    }
  }

  @Test("a file that claims to have seen everything makes nobody forget what is there")
  func lies() throws {
    let homes = try SyncedHomes(2)
    try homes.storeSample()
    homes.settle()
    let before = try homes.state(0)
    let names = try homes.files().map { String($0.dropFirst(5).dropLast(6)) }
    var liar = file([])
    liar["machines"] = .array(names.map { .string($0) })
    liar["seen"] = .array(names.map { _ in .integer(1 << 30) })
    try write(.dictionary(liar), to: homes)
    homes.settle()
    #expect(try homes.state(0) == before && homes.state(1) == before)
    _ = homes.run(0, "read", "1")
    homes.settle()
    #expect(try homes.isRead(1, "Newest of all") == true)
  }

  @Test("machines that files make up do not keep homes from each other, then and later")
  func phantoms() throws {
    let homes = try SyncedHomes(2)
    try homes.storeSample()
    homes.settle()
    for round in 0..<4 {
      var liar = file([])
      let machines = [Self.other] + (1...990).map { MachineID($0 << 8 + UInt64(round)).description }
      liar["machines"] = .array(machines.map { .string($0) })
      liar["seen"] = .array(machines.map { _ in .integer(5) })
      try write(.dictionary(liar), to: homes)
      homes.settle()
    }
    #expect(homes.sync(0).status == 0)
    #expect(try homes.homes[0].store.syncState()?.replica.seen.count == ReplicaLimits.sent.machines)
    try FileManager.default.removeItem(atPath: homes.folder.path("news-\(Self.other).plist"))
    _ = homes.run(0, "read", "1")
    homes.settle()
    #expect(try homes.isRead(1, "Newest of all") == true)
    var liar = file([])
    let machines = (1...9000).map { MachineID($0).description }
    liar["machines"] = .array(machines.map { .string($0) })
    liar["seen"] = .array(machines.map { _ in .integer(5) })
    try write(.dictionary(liar), to: homes)
    try write(.dictionary(file([])), to: homes, as: "news-00000000000000fe.plist")
    let faults = homes.sync(0).errors
    #expect(faults.contains("it is of another machine than its name says"))
    #expect(faults.contains("what it says of other machines is not understood"))
  }

  @Test("feeds that are said to have moved to nowhere, or all to one place, are asked about")
  func movedAway() throws {
    let homes = try SyncedHomes(1)
    let urls = (0..<6).map { "https://example.net/\($0)" }
    for url in urls { homes.run(0, "subscribe", url, "--no-check") }
    homes.sync(0)
    let time: Int64 = 1_893_534_400_000 << 16
    for isFollowed in [false, true] {
      let to = "https://elsewhere.example/"
      var settings = urls.flatMap { [feed($0, "followed", nil), feed($0, "moved", .string(to))] }
      if isFollowed { settings.append(feed(to, "followed", .boolean(true))) }
      try write(.dictionary(file(settings, time: time)), to: homes)
      let words = homes.sync(0).errors
      #expect(
        words.contains("it would stop following \(isFollowed ? 5 : 6) feeds here"),
        "\(words)",
      )
      let followed = try homes.homes[0].store.read().subscriptions.map(\.url)
      #expect(followed.filter(urls.contains).count == (isFollowed ? 5 : 6))
    }
  }

  @Test(
    "a link in place of the home's own files is not followed, wherever it leads",
    arguments: ["mine", "not-there", "folder"],
  )
  func links(_ target: String) throws {
    let homes = try SyncedHomes(2)
    try homes.storeSample()
    homes.settle()
    let own = try homes.files().filter { $0.hasSuffix(".plist") }
    let machine = try #require(try homes.homes[0].store.syncState()?.machine)
    let mine = try homes.homes[1].folder.write("mine", to: "mine")
    try makeFolder(homes.homes[1].folder.path("folder"))
    let path = homes.folder.path("news-\(machine).plist")
    try removeFile(path)
    #expect(symlink(homes.homes[1].folder.path(target), path) == 0)
    _ = homes.run(0, "read", "1")
    let result = homes.sync(0)
    #expect(result.status == 1)
    #expect(result.errors.contains("\(path) is a symbolic link, not a file"), "\(result.errors)")
    #expect(FileStatus(at: path, followingLinks: false)?.kind == .link)
    try removeFile(path)
    #expect(try readText(mine) == "mine")
    #expect(try namesInFolder(homes.homes[1].folder.path("folder")) == [])
    #expect(FileStatus(at: homes.homes[1].folder.path("not-there")) == nil)
    homes.settle()
    #expect(try homes.files().filter { $0.hasSuffix(".plist") } == own)
    #expect(try homes.state(0) == homes.state(1))
  }

  @Test("links and pipes in place of others' files cost a line each, and are not read")
  func foreignLinks() throws {
    let homes = try SyncedHomes(2)
    try homes.storeSample()
    homes.settle()
    let settings = [feed("https://evil.example/feed", "followed", .boolean(true))]
    let late = file(settings, time: 1_893_534_400_000 << 16)
    let secret = homes.homes[1].folder.path("secret.plist")
    try Data(PropertyList.encode(.dictionary(late))).write(to: URL(filePath: secret))
    #expect(symlink(secret, homes.folder.path("news-\(Self.other).plist")) == 0)
    try makePipe(homes.folder.path("news-00000000000000fe.plist"))
    let result = homes.sync(0)
    #expect(result.status == 1)
    let lines = result.errors.split(separator: "\n")
    let kinds = [
      "news-00000000000000fe.plist is a pipe", "news-\(Self.other).plist is a symbolic link",
    ]
    for kind in kinds {
      let line = "news: left out: \(homes.path)/\(kind), not a file"
      #expect(lines.contains { $0 == line }, "\(result.errors)")
    }
    #expect(try homes.homes[0].store.read().subscriptions.allSatisfy { !$0.url.contains("evil") })
  }

  @Test("a folder that is not there is not made")
  func missingFolder() throws {
    let homes = try SyncedHomes(1)
    let path = homes.folder.path("stick")
    let result = homes.homes[0].run(["sync", path])
    #expect(result.errors == "news: cannot open the folder \(path): no such file or directory\n")
    #expect(result.status == 1)
    #expect(homes.homes[0].run(["sync"]).status == 0)
  }

  @Test("a home whose own record is damaged says so once, and nothing is changed")
  func damagedRecord() throws {
    let homes = try SyncedHomes(1)
    try homes.storeSample()
    homes.sync(0)
    let path = homes.homes[0].folder.path("home/sync.plist")
    try Data("bplist00".utf8).write(to: URL(filePath: path))
    let result = homes.homes[0].run(["doctor", "--offline"])
    #expect(
      result.output.contains("/sync.plist cannot be read")
        && result.output.contains("\tnews sync\n")
    )
    let before = try homes.state(0)
    #expect(homes.sync(0).errors.contains("the home is merged as one that is new"))
    #expect(!homes.sync(0).errors.contains("new: what either side has stays"))
    #expect(try homes.state(0) == before)
  }
}
