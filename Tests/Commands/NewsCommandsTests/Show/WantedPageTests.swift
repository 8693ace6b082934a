import FeedFetching
import FeedModel
import FeedStorage
import Synchronization
import TestSupport
import Testing

@testable import System

@Suite("The pages of new stories, where the reader wants them")
struct WantedPageTests {
  /// A feed and its pages; stories are numbers, the newest the greatest.
  private final class Site: Sendable {
    let stories = Mutex(0..<1)
    let answers = Mutex<[Int: FaultyAnswer]>([:])

    func answer(_ request: FaultyRequest) -> FaultyAnswer {
      if request.path == "/feed" { return .response(body: feed(request.header("Host") ?? "")) }
      guard let number = Int(request.path.dropFirst()) else { return .response(body: "") }
      return answers.withLock { $0[number] } ?? WantedPageTests.article(number)
    }

    /// Returns the feed, whose pages lie on another server.
    private func feed(_ host: String) -> String {
      let port = host.split(separator: ":").last ?? ""
      let items = stories.withLock { $0 }.reversed().map { number in
        "<item><title>\(number)</title><link>http://localhost:\(port)/\(number)</link>"
          + "<pubDate>\(httpDate(1_793_000_000 + Double(number) * 60))</pubDate>"
          + "<description>A teaser.</description></item>"
      }
      return "<rss version=\"2.0\"><channel><title>T</title>\(items.joined())</channel></rss>"
    }
  }

  private static func articleText(_ number: Int) -> String {
    let sentence = String(repeating: "Article \(number), in full, has many words. ", count: 12)
    return "<article><p>\(sentence)</p><p>\(sentence)</p></article>"
  }

  private static func article(_ number: Int) -> FaultyAnswer {
    .response(body: articleText(number)).keptAlive
  }

  private static let audio = "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n"

  private let news: CommandRun
  private let site = Site()
  private let server: FaultyServer

  init() throws {
    news = try CommandRun()
    news.realFetcher = SourceFetcher()
    server = try FaultyServer { [site] in site.answer($0) }
    #expect(news("subscribe", "--allow-private", server.url("/feed")).status == 0)
    #expect(news("refresh").status == 0)
    #expect(news("feeds", "set", "T", "--full").status == 0)
  }

  private func publish(_ stories: Range<Int>) {
    site.stories.withLock { $0 = stories }
  }

  private func answer(_ numbers: some Sequence<Int>, _ answer: FaultyAnswer?) {
    site.answers.withLock { answers in for number in numbers { answers[number] = answer } }
  }

  private func fetch(_ words: String...) -> String {
    let result = news.run(["fetch"] + words)
    #expect(result.errors == "")
    return result.output.split(separator: ",").dropLast().joined(separator: ",")
  }

  /// Returns the number of requests for each page, but for the page that `feeds set` looks at.
  private func requests() -> [Int: Int] {
    let numbers = server.requests.compactMap { Int($0.path.dropFirst()) }.filter { $0 > 0 }
    return Dictionary(numbers.map { ($0, 1) }, uniquingKeysWith: +)
  }

  private func articles() throws -> [Int] {
    let items = try news.store.read().items
    return try (0..<items.count).compactMap { place in
      let story = try items.item(at: place)
      guard story.article.isShown, let text = try news.store.text(of: story) else { return nil }
      let number = try #require(Int(story.item.title))
      #expect(String(decoding: text.bytes, as: UTF8.self).contains("Article \(number), in full"))
      return number
    }.sorted()
  }

  private func waiting() throws -> Int { try news.store.read().subscriptions[0].state.pages.count }

  @Test("a page whose root is closed is whole where the last chunk is missing; another is not")
  func lastChunk() throws {
    let article = Self.articleText(1)
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
    let chunked = { (page: String) -> FaultyAnswer in
      .raw(head + String(page.utf8.count, radix: 16) + "\r\n" + page + "\r\n")
    }
    answer([1], chunked("<html><body>" + article + "</body></html>"))
    answer([2], chunked("<html><body>" + article))
    publish(0..<3)
    #expect(fetch() == "newData: 2 new in 1 of 1 feeds")
    #expect(try articles() == [1])
  }

  @Test("a story that a rule reads as it comes wants no page")
  func readByRule() {
    #expect(news("rules", "add", "odd", "--grep", "/^1/", "--then", "read").status == 0)
    publish(0..<3)
    #expect(fetch() == "newData: 2 new in 1 of 1 feeds")
    #expect(requests() == [2: 1])
  }

  @Test("are fetched once, in silence, and are their texts from then on")
  func once() throws {
    #expect(requests() == [:])
    publish(0..<3)
    #expect(fetch() == "newData: 2 new in 1 of 1 feeds")
    #expect(requests() == [1: 1, 2: 1])
    #expect(try articles() == [1, 2])
    #expect(fetch() == "noData: 0 new in 0 of 1 feeds")
    publish(1..<5)
    answer([4], .response(status: "500 X", body: ""))
    let verbose = news("refresh", "--verbose")
    #expect(verbose.errors.hasSuffix("\n2 pages asked for, 1 article\n"))
    #expect(verbose.status == 0)
    #expect(requests() == [1: 1, 2: 1, 3: 1, 4: 1])
    #expect(server.mostConnections <= 4)
  }

  @Test("are the newest twenty of a run, and then the others")
  func bounded() throws {
    publish(0..<151)
    #expect(fetch() == "newData: 150 new in 1 of 1 feeds")
    #expect(try articles() == Array(131...150))
    #expect(try waiting() == 80)
    #expect(fetch("--due") == "noData: 0 new in 0 of 0 feeds, 1 not due")
    #expect(try articles() == Array(111...150))
    publish(0..<152)
    #expect(fetch() == "newData: 1 new in 1 of 1 feeds")
    #expect(try articles() == Array(92...151))
    for _ in 0..<4 { _ = fetch() }
    #expect(try articles() == Array(51...151))
    #expect(requests().values.allSatisfy { $0 == 1 })
    #expect(try waiting() == 0)
  }

  @Test("that the deadline leaves are fetched by the next run")
  func deadline() throws {
    let opened = Monitor(false)
    defer { opened.change { $0 = true } }
    let late = FaultyAnswer([.run { opened.wait { $0 } }] + Self.article(1).steps)
    publish(0..<9)
    answer(1..<9, late)
    #expect(fetch("--deadline", "0.7") == "newData: 8 new in 1 of 1 feeds")
    #expect(requests().count == 4)
    #expect(try articles() == [] && waiting() == 8)
    opened.change { $0 = true }
    answer(1..<9, nil)
    #expect(fetch() == "noData: 0 new in 0 of 1 feeds")
    #expect(try articles() == Array(1...8))
  }

  @Test(
    "that are none, or gone, are asked for once; others in three runs",
    arguments: [
      (.response(body: "<p>Log in</p>"), 1), (.response(status: "404 X", body: ""), 1),
      (.response(status: "410 X", body: ""), 1), (.response(status: "500 X", body: ""), 3),
      (.raw(Self.audio, then: [.flood(Array("ID3".utf8))]), 1), (FaultyAnswer([.reset]), 3),
    ] as [(FaultyAnswer, Int)],
  )
  func failures(_ page: FaultyAnswer, _ times: Int) throws {
    publish(0..<2)
    answer([1], page)
    for _ in 0..<5 { _ = fetch() }
    #expect(requests() == [1: times])
    #expect(try articles() == [] && waiting() == 0)
    #expect(news("show", "1").output.contains("\nA teaser.\n"))
  }

  @Test("wait as long as their server asks for")
  func retryAfter() throws {
    publish(0..<12)
    let busy = FaultyAnswer.response(
      status: "503 X",
      headers: ["Retry-After: 3600"],
      body: "",
    )
    answer(0..<12, busy)
    _ = fetch()
    #expect((1...4).contains(requests().count))
    let asked = requests()
    let hold = try #require(try news.store.read().retryTimes.values.first)
    #expect(hold.server == "http://localhost:\(server.port)" && hold.status == 503)
    answer(0..<12, nil)
    _ = fetch()
    #expect(requests() == asked)
    news.now += 3_700
    _ = fetch()
    #expect(try articles() == Array(1...11))
    #expect(requests().values.reduce(0, +) == 11 + asked.count)
  }

  @Test("are not fetched where the reader does not want them")
  func unwanted() throws {
    publish(0..<2)
    #expect(news("refresh", "--no-texts").status == 0)
    publish(0..<3)
    news.variables["NEWS_NO_TEXTS"] = "1"
    _ = fetch()
    news.variables["NEWS_NO_TEXTS"] = nil
    news("feeds", "set", "T", "--no-full")
    publish(0..<4)
    _ = fetch()
    #expect(requests() == [:])
    #expect(try waiting() == 0)
    news("undo")
    publish(0..<5)
    _ = fetch()
    #expect(requests() == [4: 1])
  }

  @Test("come behind the notice of their stories")
  func notice() throws {
    let asked = Mutex(-1)
    news.programs = { [server] _, _ in
      asked.withLock { $0 = server.requests(for: "/1").count }
      return .init("")
    }
    publish(0..<2)
    _ = fetch("--notify")
    #expect(asked.withLock { $0 } == 0)
    #expect(requests() == [1: 1])
  }

  @Test("are left to the run that is at work")
  func otherRun() throws {
    publish(0..<2)
    let turn = news.store.takeTurn()
    #expect(news("refresh", "T").status == 0)
    #expect(requests() == [:])
    turn.end()
    #expect(news("refresh", "T").status == 0)
    #expect(requests() == [1: 1])
  }
}
