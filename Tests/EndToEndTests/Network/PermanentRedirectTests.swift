import Synchronization
import TestSupport
import Testing

@Suite("A permanent redirect, with the built program and real servers")
struct PermanentRedirectTests {
  private let news: News
  private let own: FaultyServer
  private let other: FaultyServer
  private let stories = Feeds()

  private final class Feeds: Sendable {
    /// The URL that the feed's own server redirects to; nil without a redirect.
    let target = Mutex<String?>(nil)
    let elsewhere = Mutex<[String]>([])
  }

  init() throws {
    news = try News()
    let stories = stories
    own = try FaultyServer { request in
      if let target = stories.target.withLock({ $0 }) { return .redirect(301, to: target) }
      return Self.feed(["one", "two"], for: request)
    }
    other = try FaultyServer { request in
      Self.feed(stories.elsewhere.withLock { $0 }, for: request)
    }
    #expect(try news.run("subscribe", "--no-check", own.url("/feed")).status == 0)
    #expect(outcome(try news.run("fetch")) == "newData: 2 new in 1 of 1 feeds")
    stories.target.withLock { $0 = other.url("/new") }
  }

  private static func feed(_ titles: [String], for request: FaultyRequest) -> FaultyAnswer {
    let etag = "\"\(titles.joined(separator: "-"))\""
    if request.header("If-None-Match") == etag {
      return .response(status: "304 Not Modified", headers: ["ETag: \(etag)"], body: "")
    }
    let items = titles.map { "<item><title>\($0)</title><guid>\($0)</guid></item>" }.joined()
    let text = "<rss version=\"2.0\"><channel><title>F</title>\(items)</channel></rss>"
    return .response(headers: ["ETag: \(etag)"], body: text)
  }

  private func subscribed() throws -> String? {
    let fields = try news.run("feeds").text.split(separator: "\t")
    return fields.first.map(String.init)
  }

  @Test("a stranger's stories do not prove the move at the next visits, nor does his 304")
  func takeOver() throws {
    stories.elsewhere.withLock { $0 = ["buy", "this"] }
    for _ in 0..<4 {
      #expect(try news.run("fetch").status == 0)
      #expect(try subscribed() == own.url("/feed"))
    }
    #expect(other.requests.contains { $0.header("If-None-Match") != nil })
    #expect(own.requests(for: "/feed").count == 5)
  }

  @Test("a story that was stored before proves it at once")
  func move() throws {
    stories.elsewhere.withLock { $0 = ["three", "two"] }
    #expect(try news.run("fetch").errorText.contains("moved for good to \(other.url("/new"))"))
    #expect(try subscribed() == other.url("/new"))
  }
}
