import TestSupport
import Testing

@Suite("What ends the process that reads it, with the built program")
struct DeadlyFeedTests {
  private let news: News

  init() throws {
    news = try News()
  }

  private static func feed(_ title: String) -> String {
    "<rss version=\"2.0\"><channel><title>T</title><item><title>\(title)</title></item></channel></rss>"
  }

  private static func children(of processes: [Int32]) -> [Int32] {
    processes.flatMap { process -> [Int32] in
      let text = try? readText("/proc/\(process)/task/\(process)/children")
      return (text ?? "").split(separator: " ").compactMap { Int32($0) }
    }
  }

  /// A server with a feed whose beginning kills whoever reads it, and harmless ones beside it.
  private func server(_ run: Monitor<Int32?>) throws -> FaultyServer {
    try FaultyServer { request in
      guard request.path.hasPrefix("/deadly") else {
        return .response(body: Self.feed(request.path))
      }
      return .head(then: [
        .send(Array("<rss version=\"2.0\"><channel>".utf8)),
        .run {
          run.wait { $0 != nil }
          let runs = run.change { $0 }.map { [$0] } ?? []
          let readers = Self.children(of: Self.children(of: runs))
          // The process that reads is the run's, or the one of its own that the feed was given.
          for reader in readers { kill(reader, SIGKILL) }
        },
        .hang,
      ])
    }
  }

  private func start(_ arguments: [String], _ run: Monitor<Int32?>) throws -> Subprocess.Result {
    let process = try Subprocess(
      [news.program] + arguments,
      environment: [
        "NEWS_HOME": news.home, "HOME": news.folder.path, "no_proxy": "*", "TZ": "UTC",
      ],
    )
    run.change { $0 = process.pid }
    defer { run.change { $0 = nil } }
    return try process.wait()
  }

  @Test("an address with control characters costs itself alone, in a list and in a run")
  func controls() throws {
    let good = try news.folder.write(Self.feed("Good"), to: "good.xml")
    let urls = ["http://127.0.0.1:1/a&#x7f;b", "file://\(good)"]
    let outlines = urls.map { "<outline xmlUrl='\($0)'/>" }.joined()
    let text = "<opml version='2.0'><body>\(outlines)</body></opml>"
    let list = try news.folder.write(text, to: "list.opml")
    #expect(try news.run("import", "--files", "--allow-private", list).status == 0)
    #expect(try news.run("subscribe", "--no-check", "http://127.0.0.1:1/\u{1}").status == 0)
    let result = try news.run("refresh")
    #expect(result.text.contains("Good"))
    #expect(!result.errorText.contains("out of memory"))
    #expect(result.errorText.contains("refused"))
  }

  @Test("costs itself alone: the same run stores all others, and says what is wrong with it")
  func deadly() throws {
    let run = Monitor<Int32?>(nil)
    let server = try server(run)
    let deadly = server.url("/deadly")
    let urls =
      (0...3).map { server.url("/\($0)") } + [deadly] + (4...7).map { server.url("/\($0)") }
    for url in urls { _ = try news.run("subscribe", "--no-check", url) }
    let first = try start(["fetch"], run)
    #expect(first.status == 0)
    #expect(first.text.hasPrefix("newData: 8 new in 8 of 9 feeds, 1 failed"), "\(first.text)")
    #expect(
      first.errorText.contains("\(deadly): the process that reads documents ended at this one")
    )
    #expect(try news.titles().sorted() == (0...7).map { "/\($0)" })
    #expect(server.requests(for: "/deadly").count == 2)
    #expect(
      try news.run("doctor", "--offline").text.contains("the process that reads documents ended")
    )
    #expect(try namesInFolder(news.home).allSatisfy { !$0.hasPrefix("running") })
  }

  @Test("as the only feed it fails the run, and waits as every feed that fails")
  func alone() throws {
    let run = Monitor<Int32?>(nil)
    let server = try server(run)
    _ = try news.run("subscribe", "--no-check", server.url("/deadly"))
    let result = try start(["fetch", "--exit-status"], run)
    #expect(result.status == 1 && result.text.hasPrefix("failed: 1 of 1 feed"), "\(result.text)")
    #expect(try news.run("fetch", "--due").text.hasPrefix("noData: 0 new in 0 of 0 feeds"))
    #expect(server.requests(for: "/deadly").count == 2)
  }
}
