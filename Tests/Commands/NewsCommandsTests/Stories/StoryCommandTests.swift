import FeedModel
import FeedStorage
import Testing

@testable import System

@Suite("news open, show and the marks")
struct StoryCommandTests {
  private func sample() throws -> CommandRun {
    let news = try CommandRun()
    try news.storeSample()
    return news
  }

  private func readIDs(_ news: CommandRun) throws -> [Int] {
    let items = try news.store.read().items
    return try (0..<items.count).filter { try items.story(at: $0).isRead() }.map { $0 + 1 }
  }

  @Test("open prints links, one a line, and marks the stories read")
  func open() throws {
    let news = try sample()
    #expect(
      news("open", "1", "4-5")
        == CommandResult(
          output: "https://example.com/1\nhttps://example.com/4\nhttps://example.com/5\n",
          errors: "",
          status: 0,
        )
    )
    #expect(try readIDs(news) == [1, 3, 4, 5])
  }

  @Test("numbers are those of the last list, whatever came since")
  func numbersOfTheList() throws {
    let news = try sample()
    news("list", "--feed", "other")
    try news.store.update(waitAtMost: .seconds(5)) { _ in
      (.init(StoryChanges(adding: [Sample.story(9, "Later", hours: 0)])), ())
    }
    #expect(news("open", "2").output == "https://example.com/5\n")
    #expect(
      news("open", "3").errors == "news: there is no story 3: the last list showed 2 stories\n"
    )
    news("list", "--reverse", "-n", "2")
    #expect(news("open", "1").output == "https://example.com/1\n")
  }

  @Test("an id names a story, too")
  func ids() throws {
    let news = try sample()
    #expect(news("open", Sample.id(4)).output == "https://example.com/4\n")
    #expect(
      news("open", "00000000000000ff").errors == "news: no story with id 00000000000000ff "
        + "(`news list --json` has the ids)\n"
    )
  }

  @Test(
    "a number out of range says how many there are; what is no number is wrong usage",
    arguments: [
      ("6", "there is no story 6: 5 stories are stored", 1),
      ("4-9", "there is no story 9: 5 stories are stored", 1),
      ("0", "0 is neither a number", 64), ("x", "x is neither a number", 64),
      ("5-3", "5-3 is neither a number", 64), ("99999999999999999999", "9999", 64),
    ],
  )
  func outOfRange(_ word: String, _ message: String, _ status: Int32) throws {
    let news = try sample()
    let result = news("open", word)
    #expect(result.errors.hasPrefix("news: \(message)"))
    #expect(result.output.isEmpty && result.status == status)
    #expect(try readIDs(news) == [3])
  }

  @Test("open --external prints where a story points, and its own link where it points nowhere")
  func external() throws {
    let news = try CommandRun()
    let body = """
      {"version":"https://jsonfeed.org/version/1.1","title":"T","items":[
      {"id":"1","title":"A","url":"https://example.org/1","external_url":"https://example.net/x"},
      {"id":"2","title":"B","url":"https://example.org/2"}]}
      """
    news.fetcher.serve(Sample.feed, .init(body: body))
    news("refresh", Sample.feed)
    #expect(
      news("open", "1", "2", "--external").output
        == "https://example.net/x\nhttps://example.org/2\n"
    )
    #expect(news("open", "1").output == "https://example.org/1\n")
    #expect(news("show", "1", "--link", "2").output == "https://example.net/x\n")
    #expect(news("show", "1").output.contains("[2] https://example.net/x (external)\n"))
  }

  @Test("without stories, open says what to do")
  func nothingStored() throws {
    let news = try CommandRun()
    #expect(
      news("open", "1").errors
        == "news: there is no story 1: nothing is stored yet (`news refresh` brings stories)\n"
    )
  }

  @Test("a story without a safe link is told, and stays unread")
  func unsafeLink() throws {
    let news = try CommandRun()
    var story = Sample.story(1, "One", hours: 1)
    story.item.link = "file:///etc/passwd"
    try news.store([story, Sample.story(2, "Two", hours: 2)], subscriptions: [])
    let result = news("open", "1-2")
    #expect(result.output == "https://example.com/2\n")
    #expect(result.errors == "news: story 1 has no link\n" && result.status == 1)
    #expect(try readIDs(news) == [2])
  }

  @Test("a link that could not be printed leaves its story unread")
  func outputFails() throws {
    let news = try sample()
    news.outputFailure = 28
    #expect(news("open", "1").status == 1)
    #expect(try readIDs(news) == [3])
  }

  @Test("--browser starts the user's browser with an argument vector")
  func browser() throws {
    let news = try sample()
    news.variables["BROWSER"] = "firefox --new-tab %s:lynx"
    news("open", "--browser", "1")
    #expect(news.launched == [["firefox", "--new-tab", "https://example.com/1"]])
    news.launchStatus = 127
    news.launched = []
    #expect(news("open", "1", "-b").status == 1)
    #expect(news.launched.map(\.first) == ["firefox", "lynx", "xdg-open"])
  }

  @Test("marks take numbers, ranges and --all, and say how many were changed")
  func marks() throws {
    let news = try sample()
    #expect(news("read", "1-3").errors == "2 stories marked read\n")
    #expect(try readIDs(news) == [1, 2, 3])
    #expect(news("unread", "--all").errors == "3 stories marked unread\n")
    #expect(news("star", "2", "-q").errors.isEmpty)
    #expect(news("list", "--starred").output.split(separator: "\n").count == 2)
    #expect(news("unstar", "--all").errors == "2 stories unstarred\n")
    #expect(news("read").status == 64)
    #expect(news("read", "--all", "3").status == 64)
  }

  @Test(
    "--all takes the options of list, and marks what list shows with them",
    arguments: [
      (["--feed", "other"], [2, 3, 5]), (["--unread", "--until", "2d"], [3, 4, 5]),
      (["--since", "2026-11-01"], [1, 2, 3]), (["--grep", "OLDEST"], [3, 5]),
      (["--starred"], [3, 5]), (["--feed", "example", "--grep", "newest"], [1, 3]),
      (["--grep", "nothing of the kind"], [3]),
    ],
  )
  func filteredMarks(_ filter: [String], _ read: [Int]) throws {
    let news = try sample()
    let listed = news.run(["list", "--json"] + filter).output.count("\"read\":false")
    let result = news.run(["read", "--all"] + filter)
    #expect(result.errors == "\(Count.of(listed, "story", "stories")) marked read\n")
    #expect(result.status == 0)
    #expect(try readIDs(news) == read)
  }

  @Test(
    "filters without --all, or beside numbers, are wrong usage that says what to type",
    arguments: [
      (["read", "--feed", "other"], "--feed narrows --all: news read --all --feed …"),
      (["star", "--unread"], "--unread narrows --all: news star --all --unread …"),
      (
        ["unread", "3", "--since", "1d"],
        "--since narrows --all, not numbers: leave out one of them",
      ),
      (["read", "--all", "--since", "soon"], "--since: soon is not a time"),
    ],
  )
  func filtersAlone(_ words: [String], _ message: String) throws {
    let news = try sample()
    let result = news.run(words)
    #expect(result.errors.hasPrefix("news: \(message)") && result.status == 64)
    #expect(try readIDs(news) == [3])
  }

  @Test("--all of a feed that does not exist marks nothing")
  func unknownFeed() throws {
    let news = try sample()
    #expect(news("read", "--all", "--feed", "nobody").status == 1)
    #expect(try readIDs(news) == [3])
  }

  @Test("show marks read what somebody could read, unless it is to stay unread")
  func showMarksRead() throws {
    let news = try sample()
    news("show", "1", "--keep-unread")
    #expect(try readIDs(news) == [3])
    news("show", "1")
    #expect(try readIDs(news) == [1, 3])
    #expect(news("undo").errors == "1 story is unread again\n")
    news.outputFailure = 28
    #expect(news("show", "1").status == 1)
    #expect(try readIDs(news) == [3])
  }

  @Test(
    "numbers may stand behind commas, wherever numbers do",
    arguments: ["open", "show", "read", "star", "why"],
  )
  func commas(_ command: String) throws {
    let news = try sample()
    #expect(news(command, "1,3", "4-5").status == 0)
    let all = try news.store.read().items
    let changed = try (0..<all.count).filter {
      let story = try all.item(at: $0)
      return command == "star" ? story.isStarred : story.isRead
    }
    #expect(command == "why" || changed == [0, 2, 3, 4])
    #expect(news(command, "1,,3").status == 64 && news(command, ",").status == 64)
  }

  @Test("show prints all that is known")
  func show() throws {
    let news = try sample()
    #expect(
      news("show", "5").output == """
        Oldest

        Summary of Oldest.

        Feed        Other Feed
                    Example
        Date        2025-09-27 12:00
        Published   published 5
        Stored      2025-09-27 12:00
        Guid        guid 5
        Marks       unread, starred
        Id          0000000000000005

        [1] https://example.com/5

        """
    )
    #expect(news("show", "1", "--json").output.contains("\"title\":\"Newest of all\""))
  }

  @Test("clear asks on a terminal, and forgets stories and numbers, not subscriptions")
  func clear() throws {
    let news = try sample()
    news.useTerminal(80)
    news("list")
    news.input = ["n"]
    let kept = news("clear")
    #expect(kept.errors == "Clear 5 stories, 1 of them starred? [y/N] nothing was cleared\n")
    #expect(kept.status == 1)
    news.input = ["y"]
    #expect(news("clear").status == 0)
    #expect(try news.store.read().items.count == 0)
    #expect(try news.store.read().subscriptions.count == 2)
    #expect(try news.store.listing() == nil)
  }

  @Test("clear does not ask with --yes, without which nothing is cleared where nobody can answer")
  func clearWithoutQuestion() throws {
    let piped = try sample()
    let refused = piped("clear")
    #expect(
      refused.errors
        == "news: this needs an answer: add --yes to clear 5 stories, 1 of them starred "
        + "(see `news clear --help`)\n"
    )
    #expect(try refused.status == 64 && piped.store.read().items.count == 5)
    #expect(piped("clear", "--yes").status == 0)
    let news = try sample()
    news.useTerminal(80)
    #expect(news("clear", "--yes").status == 0)
    #expect(try news.store.read().items.count == 0)
  }
}

extension String {
  fileprivate func count(_ part: String) -> Int {
    ranges(of: part).count
  }
}
