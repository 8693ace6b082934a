import TestSupport
import Testing

@Suite("A published site and what goes wrong")
struct PublishProofTests {
  private let folder: TemporaryFolder
  private var home: String { folder.path("home") }
  private var site: String { folder.path("site") }

  init() throws {
    folder = try TemporaryFolder()
    try store("one", "two")
    #expect(try run(["subscribe", folder.path("feed.xml")]).status == 0)
  }

  private func store(_ titles: String...) throws {
    let items = titles.map { title in
      "<item><title>\(title)</title><guid>\(title)</guid><pubDate>1 Oct 2026 10:00:00 GMT</pubDate>"
        + "<description>\(String(repeating: "Words of \(title). ", count: 200))</description></item>"
    }
    let feed = "<rss version=\"2.0\"><channel><title>T</title>\(items.joined())</channel></rss>"
    try folder.write(feed, to: "feed.xml")
  }

  private func run(
    _ words: [String],
    _ environment: [String: String?] = [:],
  ) throws -> Subprocess.Result {
    let environment = ["NEWS_HOME": home].merging(environment) { $1 }
    return try Subprocess.run([BuiltProduct.path("news")] + words, environment: environment)
  }

  private func keep() throws {
    try Shell.run("cp -a \"$0\" \"$1\"", [site, folder.path("before")])
  }

  private func expectKept() throws {
    let result = try Subprocess.run(["diff", "-r", folder.path("before"), site])
    #expect(result.status == 0, "\(result.text)")
  }

  private func operations() throws -> [FaultShim.Operation] {
    let log = folder.path("log")
    removeTree(log)
    let shim = try FaultShim.environment(of: site, log: log)
    #expect(try run(["publish", site], shim).status == 0)
    return try FaultShim.operations(inLog: log)
  }

  @Test("is on the disk when it is acknowledged: files before they have their names, then folders")
  func synchronized() throws {
    _ = try operations()
    try store("one", "two", "three")
    #expect(try run(["refresh", "-q"]).status == 0)
    let all = try operations()
    let renames = all.indices.filter { all[$0].name == "renameat" }
    #expect(renames.count > 4)
    for rename in renames {
      let writing = all[..<rename].last {
        $0.path.hasSuffix("/.news-publish.new") && $0.name != "close"
      }
      #expect(writing?.name == "fsync", "\(all[rename])")
    }
    let page = try #require(renames.last { all[$0].path != ".news-publish" })
    for (name, last) in [("", renames.last), ("/day", page), ("/feed", page)] {
      let end = all.lastIndex { $0.name == "fsync" && $0.path == site + name }
      #expect(try #require(end, "\(name)") > last ?? 0)
    }
  }

  @Test(
    "stays as it is when a file of texts cannot be read, for whatever reason",
    arguments: ["5", "24", "13"],
  )
  func unreadable(_ reason: String) throws {
    #expect(try run(["publish", site]).status == 0)
    try keep()
    let texts = home + "/texts"
    let log = folder.path("log")
    let logged = try FaultShim.environment(of: texts, log: log)
    #expect(try run(["publish", site], logged).status == 0)
    let count = try FaultShim.operations(inLog: log).count
    #expect(count > 0)
    for number in 1...max(count, 1) {
      let fault = FaultShim.Fault(operation: number, kind: reason)
      let shim = try FaultShim.environment(of: texts, fault: fault)
      let result = try run(["publish", site], shim)
      #expect([0, 1].contains(result.status), "\(fault): \(result.errorText)")
      try expectKept()
    }
  }

  @Test("stays as it is when too few files may be open")
  func tooManyFiles() throws {
    #expect(try run(["publish", site]).status == 0)
    try keep()
    var refused = 0
    for limit in 4...16 {
      let words = ["/bin/sh", "-c", "ulimit -n \(limit); exec \"$0\" publish \"$1\""]
      let result = try Subprocess.run(
        words + [BuiltProduct.path("news"), site],
        environment: ["NEWS_HOME": home],
      )
      refused += result.status == 1 ? 1 : 0
      #expect(result.status != 0 || result.errorText.contains("0 files written"), "\(limit)")
      try expectKept()
    }
    #expect(refused > 0)
  }
}
