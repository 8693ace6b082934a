import TestSupport
import Testing

@Suite("The libraries of the process that has all rights of its user")
struct KeeperLibraryTests {
  private static let article =
    "<title>T</title><article>\(String(repeating: "<p>Words of a story, quite a few.", count: 40))"

  private let news: News
  private let server: FaultyServer

  init() throws {
    news = try News()
    server = try FaultyServer { request in
      guard request.path == "/feed" else {
        return .response(headers: ["Content-Type: text/html"], body: Self.article)
      }
      let link = "http://127.0.0.1/page"
      let item =
        "<item><title>a</title><link>\(link)</link><description>&lt;p>b</description></item>"
      return .response(
        body: "<rss version=\"2.0\"><channel><title>T</title>\(item)</channel></rss>"
      )
    }
  }

  /// Returns the libraries that the loader has loaded for a command, without the system's numbers:
  /// those of the command's own process, and those of the processes that it has forked.
  private func libraries(_ words: [String]) throws -> (own: Set<String>, others: Set<String>) {
    let report = news.folder.path("loader")
    let process = try news.start(
      words,
      environment: ["LD_DEBUG": "libs", "LD_DEBUG_OUTPUT": report],
    )
    let result = try process.wait()
    #expect(result.status == 0, "\(words) \(result.errorText)")
    var (own, others): (Set<String>, Set<String>) = ([], [])
    for line in try readText("\(report).\(process.pid)").split(separator: "\n") {
      guard let name = line.firstMatch(of: #/calling init: .*/lib([^/]+)\.so/#)?.1 else { continue }
      let isOwn = line.drop { $0 == " " }.hasPrefix("\(process.pid):")
      if isOwn { own.insert(String(name)) } else { others.insert(String(name)) }
    }
    return (own, others)
  }

  @Test("are two that read what strangers wrote, as the page on the architecture says")
  func all() throws {
    let database = news.folder.path("cache.db")
    let table = "CREATE TABLE rss_item (feedurl, guid, title, unread)"
    #expect(try Subprocess.run(["sqlite3", database, table]).status == 0)
    let other = try News()
    let file = BuiltProduct.fixture("reuters/technology.xml")
    _ = try other.run("subscribe", file)
    let served = try ServingHome(other)
    #expect(try served.add(to: news).status == 0)
    let list = try news.folder.write(try other.run("export").text, to: "list.opml")
    let commands = [
      ["subscribe", server.url("/feed"), file], ["fetch"], ["import", list, "--files"],
      ["import", database], ["sync"], ["parse", file], ["show", "1"],
      ["publish", news.folder.path("site")],
      ["feeds", "set", "T", "--full"], ["list", "--grep", "title:/^a/"],
      ["subscribe", "--no-check", "http://bücher.example/"],
    ]
    let always = try libraries(["--version"]).own
    var (own, others): (Set<String>, Set<String>) = ([], [])
    for command in commands {
      let loaded = try libraries(command)
      own.formUnion(loaded.own)
      others.formUnion(loaded.others)
    }
    // libidn2 brings libunistring.
    #expect(own.subtracting(always) == ["pcre2-8", "idn2", "unistring"])
    #expect(others.isSuperset(of: ["xml2", "curl", "sqlite3"]) && !others.contains("seccomp"))
    let page = try readText(
      BuiltProduct.fixture("../Sources/news/Documentation.docc/Architecture.md")
    )
    #expect(
      page.contains(
        "It runs only two libraries of C on what strangers wrote: PCRE2 on texts that are searched, "
          + "libidn2 on hosts that are not in ASCII."
      )
    )
  }
}
