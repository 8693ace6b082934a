import FeedFetching
import FeedStorage
import TestSupport
import Testing

@testable import CommandLine

@Suite("A server that was added is one of the places, and the other commands know of it")
struct ServerCommandTests {
  private let all: ServedHomes
  private var home: CommandRun { all.home }

  init() throws {
    all = try ServedHomes.sample()
  }

  @discardableResult
  private func add(_ words: String...) -> CommandResult {
    home.run(
      ["sync", "add", "rss", ReaderServer.url, "--user", ReaderServer.user]
        + ["--password-command", "echo \(ReaderServer.password)"] + words
    )
  }

  @Test("a mistyped name is not taken for a folder, unless there is one")
  func mistyped() throws {
    #expect(add().status == 0)
    let wrong = home("sync", "rsss")
    let reason = "no remote of that name, and no folder; did you mean rss?"
    #expect(wrong.errors == "news: rsss: \(reason)\n" && wrong.status == 1)
    #expect(home("sync", "./rsss").errors.contains("cannot open the folder"))
    #expect(home("sync", "statsu").errors.contains("did you mean status?"))
  }

  @Test("its marks wait while it is away, and go there with the next fetch")
  func waiting() throws {
    #expect(add().errors == "rss: nothing new\n")
    all.server.fail { _ in .error(.connectionRefused(host: "reader.example")) }
    home("star", "1")
    home("read", "2")
    let away = home("sync")
    #expect(away.status == 1 && away.errors.split(separator: "\n").count == 1, "\(away)")
    #expect(away.errors.hasPrefix("news: rss: "))
    #expect(home("sync", "status").output.contains("\t2\tconnection"))
    all.server.fail(nil)
    home.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["a"])))
    #expect(home("fetch").errors.contains("rss: ") == false)
    #expect(all.server.story("s1")?.isStarred == true && all.server.story("s2")?.isRead == true)
    #expect(home("sync", "status").output.hasSuffix("\t0\t\t\n"))
    let why = home("why", "1").output
    #expect(why.contains("rss had it unread and starred"), "\(why)")
    #expect(home("why", Sample.feed).output.contains("rss follows it as feed/"))
    let doctor = home("doctor").output
    #expect(
      doctor.contains(
        "https://reader.example/api/greader.php has the Google Reader API; me follows"
      )
    )
    #expect(home("stats", "--json").output.contains("{\"name\":\"rss\",\"times\":2,\"sent\":2,"))
  }

  @Test("what is remembered of it can be damaged: status goes on, and the next sync says so once")
  func damaged() throws {
    #expect(add().status == 0)
    home("star", "1")
    home("sync")
    for name in ["sync-rss.plist", "sync.plist"] {
      try home.folder.write("no property list", to: "home/\(name)")
      #expect(home("sync", "status").status == 0)
      let result = home("sync")
      #expect(result.status == 0)
      #expect(
        result.errors.split(separator: "\n").count { $0.hasSuffix("what either side has stays") }
          == 1
      )
      #expect(result.errors.contains("/\(name) cannot be read"))
      #expect(home("sync").errors == "rss: nothing new\n")
      #expect(all.server.story("s1")?.isStarred == true)
    }
  }

  @Test("with --server-fetches what it brings is what the run has brought, and is told of")
  func fetching() throws {
    #expect(add("--server-fetches").status == 0)
    #expect(home("feeds", "--json").output.contains("\"server\":\"rss\""))
    home.useTerminal(100)
    #expect(home("feeds").output.contains("by rss"))
    home.terminal = TerminalFacts()
    all.server.add("https://example.com/9", "nine", date: ServedHomes.date(0))
    all.server.add("https://example.com/8", "eight", date: ServedHomes.date(0), isRead: true)
    let fetch = home("fetch", "--format", "{title}")
    #expect(fetch.output == "nine\n", "\(fetch)")
    #expect(fetch.errors.hasPrefix("newData: 1 new in 1 of 1 feeds, "))
    #expect(home("fetch").output.hasPrefix("noData: 0 new in 0 of 0 feeds, "))
    all.server.add("https://example.com/7", "seven", date: ServedHomes.date(0))
    #expect(home("refresh").output.contains("1  seven"))
    all.server.fail { _ in .page(503, "") }
    let away = home("fetch")
    #expect(away.status == 1 && away.output.hasPrefix("failed: "), "\(away)")
    #expect(away.errors.hasPrefix("news: rss: server answered 503"))
    #expect(home("why", Sample.feed).output.contains("its stories come from there"))
    #expect(home("sync", "remove", "rss").status == 0)
    #expect(home("feeds", "--json").output.contains("\"server\":null"))
    #expect(try home.store.serverState("rss") == nil)
  }

  @Test("a wrong password adds nothing, and no password is printed or kept")
  func secrets() throws {
    let words = ["sync", "add", "rss", ReaderServer.url, "--user", ReaderServer.user]
    let wrong = home.run(words + ["--password-command", "echo wrong-pass"])
    #expect(wrong.status == 1 && wrong.errors.hasSuffix("it was not added\n"), "\(wrong)")
    #expect(!wrong.errors.contains("wrong-pass"))
    try home.folder.write(ReaderServer.password, to: "password")
    let command = "cat '\(home.folder.path("password"))'"
    let right = home.run(words + ["--password-command", command])
    home("read", "1")
    let verbose = home("sync", "-v")
    for text in [right.errors, verbose.errors, verbose.output] {
      #expect(!text.contains(ReaderServer.password))
    }
    for name in try namesInFolder(home.folder.path("home")) where name.hasSuffix(".plist") {
      let bytes = try readFile(home.folder.path("home/\(name)"))
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!text.contains(ReaderServer.password), "\(name)")
    }
  }
}
