import TestSupport
import Testing

@Suite("A run that is killed while it fetches the pages of new stories")
struct KilledPageTests {
  private let news: News
  private let server: FaultyServer
  private let isOpen = Monitor(false)
  private let stories = Monitor(1)

  init() throws {
    news = try News()
    let (isOpen, stories) = (isOpen, stories)
    server = try FaultyServer { request in
      let host = request.header("Host") ?? ""
      if request.path == "/feed" {
        let items = (0..<stories.change { $0 }).map {
          "<item><title>story \($0)</title><link>http://\(host)/\($0)</link></item>"
        }
        return .response(
          body: "<rss version=\"2.0\"><channel><title>T</title>\(items.joined())</channel></rss>"
        )
      }
      let sentence = String(repeating: "The article, in full, has many words. ", count: 20)
      return isOpen.change { $0 }
        ? .response(body: "<article><p>\(sentence)</p></article>") : FaultyAnswer([.hang])
    }
    _ = try news.run("subscribe", "--no-check", server.url("/feed"))
    _ = try news.run("fetch")
    isOpen.change { $0 = true }
    _ = try news.run("feeds", "set", "T", "--full")
    isOpen.change { $0 = false }
    stories.change { $0 = 2 }
  }

  private func killRun() throws {
    let asked = server.requests.count
    let run = try news.start("fetch")
    server.waitForRequests(asked + 2)
    run.send(SIGKILL)
    #expect(try run.wait().status == 128 + SIGKILL)
  }

  private func hasArticle() throws -> Bool {
    try news.run("show", "--keep-unread", "1").text.contains("The article, in full")
  }

  @Test("has stored the stories, and the next run fetches the pages")
  func fetchesNext() throws {
    try killRun()
    #expect(try Set(news.titles()) == ["story 0", "story 1"])
    isOpen.change { $0 = true }
    #expect(outcome(try news.run("fetch")) == "noData: 0 new in 0 of 1 feeds")
    #expect(server.requests(for: "/1").count == 2)
    #expect(try news.run("list", "--json").text.contains("story 1"))
    _ = try news.run("list", "--grep", "story 1")
    #expect(try hasArticle())
  }

  @Test("is not followed by more than two that ask for the same page")
  func endsThere() throws {
    for _ in 0..<3 { try killRun() }
    isOpen.change { $0 = true }
    _ = try news.run("fetch")
    #expect(server.requests(for: "/1").count == 3)
    #expect(try Set(news.titles()) == ["story 0", "story 1"])
  }
}
