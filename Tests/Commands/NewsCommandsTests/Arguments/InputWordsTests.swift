import FeedFetching
import FeedModel
import FeedStorage
import Testing

@Suite("- stands for what is on standard input, one a line")
struct InputWordsTests {
  private func sample(_ input: String...) throws -> CommandRun {
    let news = try CommandRun()
    try news.storeSample()
    news.input = input
    return news
  }

  private func marked(_ news: CommandRun, _ isMarked: (StoredItem) -> Bool) throws -> [Int] {
    try news.stories().enumerated().filter { isMarked($1) }.map { $0.offset + 1 }
  }

  @Test("numbers, ranges and ids, of any command about stories")
  func stories() throws {
    let news = try sample("2", "", "  \(Sample.id(4))\r", "1")
    #expect(news("read", "-").errors == "3 stories marked read\n")
    #expect(try marked(news, \.isRead) == [1, 2, 3, 4])
    #expect(news("unread", "-").errors == "3 stories marked unread\n")
    #expect(news("star", "-", "3").errors == "4 stories starred\n")
    #expect(news("unstar", "3", "-").errors == "4 stories unstarred\n")
    #expect(news("tag", "later", "-").errors == "3 stories tagged later\n")
    #expect(news("untag", "later", "-").errors == "3 stories no longer tagged later\n")
    #expect(
      news("open", "-").output
        == "https://example.com/2\nhttps://example.com/4\nhttps://example.com/1\n"
    )
    #expect(news("show", "-", "--json").output.split(separator: "\"title\":").count == 4)
    #expect(news("delete", "-").errors.hasPrefix("3 stories deleted;"))
  }

  @Test("lines that news list has printed, by what stands before the first tab")
  func lines() throws {
    let news = try sample()
    let lines = news("list").output.split(separator: "\n")
    news.input = [String(lines[1]), String(lines[4])]
    #expect(news("read", "-").errors == "2 stories marked read\n")
    #expect(try marked(news, \.isRead) == [2, 3, 5])
  }

  @Test("no line is no story, and a word that names none is a mistake that changes nothing")
  func wrong() throws {
    let news = try sample()
    #expect(news("read", "-").errors == "0 stories marked read\n")
    #expect(news("open", "-").output.isEmpty)
    for (line, status) in [("x", 64), ("7", 1), ("0123456789abcdef", 1)] {
      news.input = ["1", line]
      #expect(news("star", "-").status == Int32(status))
    }
    #expect(try marked(news, \.isStarred) == [5])
  }

  @Test("a single URL, with headers or a filter of its own, is asked once")
  func single() throws {
    for option in [["--header", "X-Key: 1"], ["--filter", "cat"]] {
      let news = try sample("https://example.com/new")
      news.fetcher.serve("https://example.com/new", .init(body: Sample.rss("New", ["a"])))
      _ = news.run(["subscribe", "-"] + option)
      #expect(news.fetcher.requests.count == 1, "\(option)")
    }
  }

  @Test("URLs to subscribe to")
  func subscribe() throws {
    let news = try CommandRun()
    for name in ["a", "b"] {
      news.fetcher.serve("https://\(name).example/feed", .init(body: Sample.rss(name, ["one"])))
    }
    news.input = [
      "https://a.example/feed ", "https://c.example/feed", "\u{A0}<https://b.example/feed>",
    ]
    let result = news("subscribe", "-", "--tag", "new")
    #expect(result.status == 1 && result.errors.contains("https://c.example/feed: server answered"))
    let feeds = try news.store.read().subscriptions
    #expect(feeds.map(\.url) == ["https://a.example/feed", "https://b.example/feed"])
    #expect(feeds.allSatisfy { $0.tags == ["new"] })
    news.input = []
    let nothing = "nothing to subscribe to: no feed on standard input\n"
    #expect(news("subscribe", "-").errors == nothing)
    #expect(news("subscribe").status == 64)
  }

  @Test("of a list to subscribe to comments are left out, and each failure names its line")
  func subscribeToList() throws {
    let news = try CommandRun()
    for name in ["a", "b"] {
      news.fetcher.serve("https://e.example/\(name)", .init(body: Sample.rss(name, ["one"])))
    }
    news.input = [
      "# my feeds", "", "https://e.example/a  # the first", "\tno such file", "   ",
      "https://e.example/b", "https://e.example/gone",
    ]
    let result = news("subscribe", "-")
    #expect(result.status == 1)
    let failures = result.errors.split(separator: "\n").filter { $0.hasPrefix("news:") }
    #expect(failures.first?.hasPrefix("news: line 4: ") == true)
    #expect(
      failures.first?.hasSuffix("(a line is one address; lists with more: news import)") == true
    )
    #expect(failures.last?.hasPrefix("news: line 7: https://e.example/gone: ") == true)
    #expect(failures.last?.contains("news import") == false)
    #expect(failures.count == 2)
    #expect(try news.store.read().subscriptions.count == 2)
    news.input = ["", "nothing here"]
    let one = news("subscribe", "-")
    #expect(one.status == 1 && one.errors.hasPrefix("news: line 2: "))
    news.input = ["# nothing"]
    let nothing = "nothing to subscribe to: no feed on standard input\n"
    #expect(news("subscribe", "-").errors == nothing)
  }

  @Test("a list is asked for at once, then what its pages announce; its lines are told in order")
  func subscribeAtOnce() throws {
    let news = try CommandRun()
    let page =
      "<link rel=alternate type=application/rss+xml href=/b><link rel=alternate"
      + " type=application/rss+xml title=Comments href=/comments><title>B</title>"
    news.fetcher.serve("https://e.example/page", .init(body: "<html>\(page)</html>"))
    for name in ["a", "b", "c", "old"] {
      news.fetcher.serve("https://e.example/\(name)", .init(body: Sample.rss(name, [name])))
    }
    news("subscribe", "https://e.example/old")
    news.input = ["a", "gone", "page", "old", "c", "a"].map { "https://e.example/\($0)" }
    let result = news("subscribe", "-")
    #expect(
      news.fetcher.batches.filter { !$0.isEmpty }.map { $0.map { $0.url.suffix(4) } }
        == [["/old"], ["le/a", "gone", "page", "le/c"], ["le/b"]]
    )
    let words = result.errors.split(separator: "\n").map { $0.prefix(20) }
    #expect(
      words == [
        "subscribed to a (1 s", "news: line 2: https:", "https://e.example/pa",
        "subscribed to b (1 s", "already subscribed t", "subscribed to c (1 s",
        "already subscribed t",
      ]
    )
    #expect(try news.stories().map(\.item.title).sorted() == ["a", "b", "c", "old"])
    #expect(news("undo").errors.contains("3 feeds"))
  }

  @Test("feeds that refresh is to follow first are asked for at once, too")
  func refreshAtOnce() throws {
    let news = try CommandRun()
    let urls = ["a", "b"].map { "https://\($0).example/feed" }
    for url in urls { news.fetcher.serve(url, .init(body: Sample.rss(url, ["one"]))) }
    #expect(news.run(["refresh"] + urls).status == 0)
    #expect(news.fetcher.batches.first?.map(\.url) == urls)
  }
}
