import FeedParsing
import TestSupport
import Testing

@testable import System

/// A public report about a reader of feeds, rebuilt small (`Fixtures/reports`): `input.xml` as a
/// feed or `article.html` as the page of a story; `expected.txt` has the lines that `show` has to
/// print (a line that begins with `!` must not stand there), `expected.json` what `parse` has to.
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

  @Test(
    "a story says what it has to say",
    arguments: ReportedStory.all.filter { $0.text("expected.txt") != nil },
  )
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

  @Test(
    "a document is read as it is meant",
    arguments: ReportedStory.all.filter { $0.text("expected.json") != nil },
  )
  func read(_ story: ReportedStory) throws {
    let expected = try value(#require(story.text("expected.json")))
    let output = news.run(["parse", "\(ReportedStory.folder)/\(story.name)/input.xml", "--json"])
    #expect(Self.says(try value(output.output), expected), "\(output.output)")
  }

  private func value(_ json: String) throws -> JSONValue {
    let value = try Array(json.utf8).withUnsafeBytes { try JSONDocument($0).value() }
    return try #require(value)
  }

  /// True where a value has all that is expected: members of objects that nothing is said of are free.
  private static func says(_ value: JSONValue?, _ expected: JSONValue) -> Bool {
    switch (value, expected) {
    case (_, .object(let members)): members.allSatisfy { says(value?[$0.name], $0.value) }
    case (.array(let values), .array(let all)):
      values.count == all.count && zip(values, all).allSatisfy { says($0, $1) }
    default: value == expected
    }
  }

  @Test("the reports are there")
  func areThere() { #expect(ReportedStory.all.count > 16) }
}
