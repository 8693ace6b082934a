import FeedModel
import Testing

@Suite("news list --group")
struct GroupedListTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.storeReports()
  }

  private func lines(_ words: String...) -> [String] {
    news.run(["list", "--group"] + words).output.split(separator: "\n").map(String.init)
  }

  @Test("a row has its newest story; below it are the numbers and feeds of the others")
  func onTerminal() throws {
    news.useTerminal(80, variables: ["NO_COLOR": "1"])
    #expect(
      news("list", "--group").output == """
        1• Tide tables for April                            Harbour  1 h ago
        2• Tower Bridge stuck open for an hour after fault  Herald   2 h ago
           +2: 3 Courier, 4 Harbour
        5• Potholes on the ring road                        Herald   9 h ago

        """
    )
    news("read", "2-4")
    #expect(try news.stories().map(\.isRead) == [false, true, true, true, false])
  }

  @Test("a row shows the star and the note of any of its stories")
  func marks() throws {
    news("star", Sample.id(4))
    news("note", Sample.id(3), "for later")
    news.useTerminal(80, variables: ["NO_COLOR": "1"])
    #expect(news("list", "--group").output.contains("2• ★ ✎ Tower Bridge stuck open"))
  }

  @Test("what has no title is compared by the beginning of its text, which stands in its place")
  func untitled() throws {
    let text = "The Ouse has burst its banks in York, and the Museum Gardens are under water."
    let texts = [text, text, "The Foss is high in York, but stays in its bed."]
    let feeds = ["https://a.example", "https://b.example", "https://c.example"]
    let stories = zip(texts, feeds).enumerated().map { index, story in
      var stored = Sample.story(index + 11, "", hours: index + 1, feeds: [story.1])
      stored.item.summary = story.0
      return stored
    }
    try news.store(stories, subscriptions: feeds.map { ($0, $0) })
    #expect(lines("--grep", "york", "--format", "{n} {similar}") == ["1 2", "3 "])
  }

  @Test("-n counts rows, of which the last is whole, and a terminal is told of how many stories")
  func limit() throws {
    news.useTerminal(80, variables: ["NO_COLOR": "1"])
    let result = news("list", "--group", "-n", "2")
    #expect(result.output.contains("+2: 3 Courier, 4 Harbour") && !result.output.contains("5•"))
    #expect(result.errors == "2 rows of 5 stories, 5 unread\n")
    #expect(news("list", "--group", "-n", "0").output.isEmpty)
  }

  @Test("a pipe has the numbers of the others in a sixth field, and their feeds in a seventh")
  func piped() throws {
    let fields = lines("--grep", "bridge").map { $0.split(separator: "\t").map(String.init) }
    #expect(fields.map { $0.suffix(2) } == [["2,3", "Courier, Harbour"]])
    #expect(fields[0].count == 7)
    #expect(lines("--format", "{n} {similar}") == ["1 ", "2 3,4", "5 "])
    #expect(news("list").output.split(separator: "\n").allSatisfy { $0.count { $0 == "\t" } == 4 })
  }

  @Test("JSON has the ids of the others")
  func json() throws {
    let output = news("list", "--group", "--json").output
    #expect(output.contains("\"similar\":[\"\(Sample.id(3))\",\"\(Sample.id(4))\"]}"))
    #expect(!output.contains("\"id\":\"\(Sample.id(3))\""))
  }

  @Test("only what is listed is compared, in whatever order it is listed")
  func listed() throws {
    #expect(lines("--feed", "Courier").count == 1)
    #expect(lines("--reverse", "--format", "{n} {similar}") == ["1 ", "2 3,4", "5 "])
    #expect(lines("--grep", "sort:title", "--format", "{n} {similar}") == ["1 ", "2 ", "3 4,5"])
    news("read", "4")
    #expect(lines("--unread", "--format", "{similar}").joined() == "3")
  }

  @Test("it is refused beside --follow and --csv")
  func following() throws {
    let result = news("list", "--group", "--follow")
    #expect(result.status == 64)
    #expect(
      result.errors.hasPrefix("news: --group and --follow cannot be used together (")
    )
    #expect(news("list", "--group", "--csv").errors.contains("--group and --csv cannot be used"))
  }
}

extension CommandRun {
  /// Stores five stories of three feeds: the second, third and fourth are about one thing.
  func storeReports() throws {
    let urls = ["Herald", "Courier", "Harbour"].map { name in
      (url: "https://\(name.lowercased()).example/feed", name: name)
    }
    let reports = [
      (2, 1, "Tide tables for April", "High water comes later each day."),
      (
        0, 2, "Tower Bridge stuck open for an hour after fault",
        "Drivers in London were held up when the bascules would not come down.",
      ),
      (
        1, 3, "London's Tower Bridge gets stuck in open position",
        "Traffic came to a halt for an hour after a fault, the City of London said.",
      ),
      (
        2, 4, "Tower Bridge in London is stuck open",
        "Ships may pass, and drivers wait: a fault holds the bascules up.",
      ),
      (0, 9, "Potholes on the ring road", "The council has no date for repairs."),
    ]
    let stories = reports.enumerated().map { index, report in
      var story = Sample.story(index + 1, report.2, hours: report.1, feeds: [urls[report.0].url])
      story.item.summary = report.3
      return story
    }
    try store(stories, subscriptions: urls.map { ($0.url, $0.name) })
  }
}
