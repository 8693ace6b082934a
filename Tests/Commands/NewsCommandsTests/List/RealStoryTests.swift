import TestSupport
import Testing

/// The texts of `Fixtures/stories/real`, as `news show` prints them on a terminal, compared with the
/// files beside them.
///
/// With `NEWS_OUTPUT=write` in the environment the files are written instead.
@Suite("Real stories in news show")
struct RealStoryTests {
  struct Story: CustomTestStringConvertible {
    let name: String
    let title: String
    let link: String

    var testDescription: String { name }

    static func all() throws -> [Story] {
      try readText(BuiltProduct.fixture("stories/real/stories.tsv")).split(separator: "\n").map {
        let fields = $0.split(separator: "\t").map(String.init)
        return Story(name: fields[0], title: fields[1], link: fields[2])
      }
    }
  }

  @Test("are laid out for readers, to the letter", arguments: try Story.all(), [80, 200])
  func golden(_ story: Story, _ columns: Int) throws {
    let news = try CommandRun()
    try news.store([], subscriptions: [(Sample.feed, "Feed")])
    let text = try readText(BuiltProduct.fixture("stories/real/\(story.name).html"))
    let item = [("title", story.title), ("link", story.link), ("description", text)]
      .map { "<\($0)>\($1.replacing("&", with: "&amp;").replacing("<", with: "&lt;"))</\($0)>" }
    let body = "<rss version=\"2.0\"><channel><item>\(item.joined())</item></channel></rss>"
    news.fetcher.serve(Sample.feed, .init(body: body))
    #expect(news("refresh").status == 0)
    news.useTerminal(columns, variables: ["LC_ALL": "C.UTF-8"])
    let shown = news("show", "1", "--no-pager", "--color", "never").output
    let path = BuiltProduct.fixture("stories/real/\(story.name)-\(columns).txt")
    if ProcessInfo.processInfo.environment["NEWS_OUTPUT"] == "write" {
      try writeFile(path, shown.utf8)
    }
    #expect(shown == (try readText(path)))
  }
}
