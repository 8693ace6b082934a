import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("What was added is synchronized with, by name, together and by fetch")
struct SyncRemotesTests {
  private let homes: SyncedHomes

  init() throws {
    homes = try SyncedHomes(2)
    homes.connect()
    try homes.storeSample()
  }

  @Test("add synchronizes at once, and sync goes through all")
  func adding() throws {
    _ = homes.run(1, "read", "1")
    homes.sync(1)
    #expect(
      homes.run(0, "sync", "add", "stick", homes.path).errors
        == "stick: 1 mark\n"
    )
    #expect(homes.run(0, "sync", "add", "desk", "ssh:1").status == 0)
    _ = homes.run(0, "star", "2")
    #expect(
      homes.run(0, "sync").errors == """
        stick: 1 change sent, none received
        desk: nothing new

        """
    )
    #expect(try homes.state(0) == homes.state(1))
    #expect(homes.run(0, "sync", "desk").errors.hasPrefix("desk: "))
    let json = homes.run(0, "sync", "--json")
    #expect(json.errors.isEmpty)
    #expect(
      json.output.contains(
        "{\"name\":\"stick\",\"remote\":\"\(homes.path)\",\"error\":null,"
      )
    )
    #expect(
      json.output.contains(
        "{\"name\":\"desk\",\"remote\":\"ssh:1\",\"error\":null,"
      )
    )
  }

  @Test("status says when it worked, what waits, and why it failed")
  func status() throws {
    _ = homes.run(0, "sync", "add", "stick", homes.path)
    _ = homes.run(0, "sync", "add", "desk", "ssh:1")
    homes.homes[0].now += 3_600
    _ = homes.run(0, "star", "2")
    homes.homes[0].startProgram = { _ in nil }
    #expect(homes.run(0, "sync", "desk").status == 1)
    _ = homes.run(0, "read", "1")
    #expect(
      homes.run(0, "sync", "status").output == """
        stick\t\(homes.path)\t2026-11-01T12:00:00Z\t2026-11-01T12:00:00Z\t2\t\t
        desk\tssh:1\t2026-11-01T13:00:00Z\t2026-11-01T12:00:00Z\t2\tssh cannot be started: is it installed?\t

        """
    )
    let home = homes.homes[0]
    home.useTerminal(100)
    let table = homes.run(0, "sync", "status").output
    #expect(table.contains("WORKED LAST") && table.contains("1 h ago"))
    #expect(homes.run(0, "sync", "status", "--json").output.contains("\"waiting\":2"))
  }

  @Test("fetch synchronizes at its end, and a place that is away fails nothing else")
  func fetching() throws {
    homes.homes[0].fetcher.serve(Sample.feed, .init(body: Sample.rss("One", ["new"])))
    _ = homes.run(0, "sync", "add", "stick", homes.path)
    _ = homes.run(0, "sync", "add", "desk", "ssh:1")
    homes.homes[0].startProgram = { _ in nil }
    _ = homes.run(1, "star", "1")
    homes.sync(1)
    let fetch = homes.run(0, "fetch")
    #expect(fetch.status == 0 && fetch.output.hasPrefix("newData: "), "\(fetch)")
    #expect(fetch.errors.hasSuffix("news: desk: ssh cannot be started: is it installed?\n"))
    #expect(try homes.marks(0)["Newest of all"]?[.starred] == true)
    #expect(homes.run(0, "sync", "status").output.contains("is it installed?"))
  }

  @Test("a feed that comes by a remote may be in a private network where that was allowed")
  func privateNetworks() throws {
    #expect(homes.run(0, "subscribe", "--no-check", "http://192.168.1.2/feed").status == 0)
    _ = homes.run(0, "sync", homes.path)
    #expect(homes.run(1, "sync", "add", "stick", homes.path, "--allow-private").status == 0)
    let came = { try homes.homes[1].store.read().subscriptions.last }
    #expect(try came()?.url == "http://192.168.1.2/feed")
    #expect(try came()?.state.isOnInternet == false)
    _ = homes.run(0, "subscribe", "--no-check", "http://192.168.1.3/feed")
    _ = homes.run(0, "sync", homes.path)
    _ = homes.run(1, "sync")
    #expect(try came()?.url == "http://192.168.1.3/feed")
    #expect(try came()?.state.isOnInternet == false)
  }

  @Test("remove forgets it, and says what stays")
  func removing() throws {
    _ = homes.run(0, "sync", "add", "stick", homes.path)
    let wrong = homes.run(0, "sync", "remove", "stik")
    #expect(wrong.status == 1 && wrong.errors.contains("did you mean stick?"))
    let file = try #require(try homes.files().first)
    #expect(
      homes.run(0, "sync", "remove", "stick").errors
        == "stick: no more\nits file stays: \(homes.path)/\(file)\n"
    )
    #expect(homes.run(0, "sync").status == 0)
    #expect(homes.run(0, "sync", "status").output.isEmpty)
  }

  @Test(
    "what cannot be meant is refused, and nothing is added",
    arguments: [
      (["add", "a"], 64, "say what to call it"),
      (["add", "status", "/x"], 64, "a name is of"),
      (["add", "a/b", "/x"], 64, "a name is of"),
      (["add", "a", "/nowhere/at/all"], 1, "it was not added"),
      (["add", "a", "https://me:secret@example.com"], 64, "--password-command"),
      (["add", "a", "https://example.com"], 64, "--user USER"),
      (["https://example.com"], 64, "is to be added first"),
      (["--user", "x", "/tmp"], 64, "can only be used with add"),
      (["remove"], 64, "no remote given"),
      (["--serve", "x"], 64, "takes no names"),
    ],
  )
  func refusing(_ words: [String], _ status: Int32, _ message: String) throws {
    let result = homes.homes[0].run(["sync"] + words)
    #expect(result.status == status && result.errors.contains(message), "\(result)")
    #expect(!result.errors.contains("secret"))
    #expect(try homes.homes[0].store.syncRemotes().isEmpty)
  }

  @Test("a damaged list of places is told of, and stays")
  func damaged() throws {
    let path = homes.homes[0].folder.path("home/places.plist")
    try homes.homes[0].folder.write("bplist00 nonsense", to: "home/places.plist")
    for words in [["sync"], ["sync", "status"], ["sync", "add", "a", homes.path]] {
      let result = homes.homes[0].run(words)
      #expect(result.status == 1 && result.errors.contains(path), "\(result)")
    }
    let fetch = homes.run(0, "fetch")
    #expect(fetch.errors.contains(path))
    #expect(try readText(path) == "bplist00 nonsense")
  }
}
