import TestSupport
import Testing

@testable import System

/// A public report about a reader of feeds, rebuilt small (`Fixtures/reports`): `input.xml` as a
/// feed or `article.html` as the page of a story, and the lines that `show` has to print; a line
/// that begins with `!` must not stand there.
struct ReportedStory: CustomTestStringConvertible, Sendable {
  let name: String
  var testDescription: String { name }

  static let folder = BuiltProduct.fixture("reports")
  static let all = ((try? namesInFolder(folder)) ?? []).filter { !$0.hasSuffix(".md") }.sorted()
    .map(ReportedStory.init)

  func text(_ file: String) -> String? {
    try? String(contentsOfFile: "\(Self.folder)/\(name)/\(file)", encoding: .utf8)
  }
}

@Suite("What public reports ask for is shown")
struct ReportedStoryTests {
  private let news: CommandRun
  private static let link = "https://example.org/page"

  init() throws {
    news = try CommandRun()
    try news.store([], subscriptions: [(Sample.feed, "F")])
  }

  @Test("a story says what it has to say", arguments: ReportedStory.all)
  func shown(_ story: ReportedStory) throws {
    var words = ["show", "1", "--width", "80", "--keep-unread"]
    if let page = story.text("article.html") {
      news.fetcher.serve(Self.link, .init(body: page))
      words.append("--full")
    }
    let item = "<item><title>The ledger of the mole</title><link>\(Self.link)</link></item>"
    let feed = "<rss version=\"2.0\"><channel><title>F</title>\(item)</channel></rss>"
    news.fetcher.serve(Sample.feed, .init(body: story.text("input.xml") ?? feed))
    #expect(news("refresh", "--force").status == 0)
    news("list")
    let output = news.run(words).output
    for line in try #require(story.text("expected.txt")).split(separator: "\n") {
      let isAbsent = line.hasPrefix("!")
      let text = line.dropFirst(isAbsent ? 1 : 0).replacing("\\n", with: "\n")
      #expect(output.contains(text) != isAbsent, "\(line)\n\(output)")
    }
  }

  @Test("the reports are there")
  func areThere() { #expect(ReportedStory.all.count > 8) }
}
