import TestSupport
import Testing

@Suite("A fetch that finds another run at work")
struct SeveralRunsTests {
  private let news: News
  private let server: FaultyServer
  private let isAsked = Monitor(false)

  init() throws {
    news = try News()
    let rss = "<rss version=\"2.0\"><channel><item><title>a</title></item></channel></rss>"
    let (answer, isAsked) = (FaultyAnswer.response(body: rss), isAsked)
    server = try FaultyServer([
      "/a": FaultyAnswer([.run { isAsked.wait { $0 } }] + answer.steps), "/b": answer,
    ])
    for path in ["/a", "/b"] { _ = try news.run("subscribe", "--no-check", server.url(path)) }
  }

  private func files() throws -> [[UInt8]] {
    try ["feeds.plist", "history.plist"].map { try readFile("\(news.home)/\($0)") }
  }

  private func fetch(_ words: String...) throws -> (line: String, status: Int32) {
    let result = try news.run(["fetch"] + words)
    #expect(result.errorText.isEmpty)
    return (result.text.split(separator: ", ").dropLast().joined(separator: ", "), result.status)
  }

  @Test("ends at once, says so, and changes nothing", arguments: ["fetch", "refresh"])
  func givesWay(_ command: String) throws {
    defer { isAsked.change { $0 = true } }
    let before = try files()
    let first = try news.start(command)
    server.waitForRequests(1)
    let line = "noData: 0 new in 0 of 0 feeds, another run is at work (process \(first.pid))"
    #expect(try fetch() == (line, 0))
    #expect(try fetch("--due", "--exit-status") == (line, 3))
    let json = try news.run("fetch", "--json").text
    #expect(json.contains("\"outcome\":\"noData\"") && json.contains("\"gaveWay\":true"))
    #expect(try files() == before)
    #expect(try news.run("log").text.isEmpty)
    isAsked.change { $0 = true }
    #expect(try first.wait().status == 0)
    #expect(try fetch().line == "noData: 0 new in 0 of 2 feeds")
  }

  @Test("is not held up by one that was killed, and holds up nobody who asks for a feed")
  func others() throws {
    defer { isAsked.change { $0 = true } }
    let first = try news.start("fetch")
    server.waitForRequests(1)
    #expect(try news.run("refresh", server.url("/b")).text.contains("a"))
    first.send(SIGKILL)
    _ = try first.wait()
    isAsked.change { $0 = true }
    let result = try news.run("fetch")
    #expect(result.text.contains("of 2 feeds"))
  }
}
