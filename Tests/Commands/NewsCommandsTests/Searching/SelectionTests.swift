import FeedModel
import FeedStorage
import Testing

@Suite("FEED means the same in every command")
struct SelectionTests {
  private static let third = "https://third.example/"

  /// Returns a home of three feeds, two of them with a tag, and a story of one with it and one
  /// without.
  private func sample(_ others: [StoredItem] = []) throws -> CommandRun {
    let news = try CommandRun()
    try news.store(
      others + [
        Sample.story(1, "one", hours: 1), Sample.story(2, "two", hours: 2, feeds: [Sample.other]),
        Sample.story(3, "three", hours: 3, feeds: [Self.third]),
        Sample.story(4, "both", hours: 4, feeds: [Self.third, Sample.feed]),
        Sample.story(5, "tagged", hours: 5, feeds: [Sample.feed, Sample.other]),
      ],
      subscriptions: [(Sample.feed, "One"), (Sample.other, "Two"), (Self.third, "Three")],
    )
    try news.change { subscriptions in
      subscriptions[0].tags = ["work/daily"]
      subscriptions[1].tags = ["Work"]
      subscriptions[2].tags = ["home"]
    }
    return news
  }

  private func titles(_ news: CommandRun, _ words: String...) -> [String] {
    news.run(["list", "--format", "{title}"] + words).output.split(separator: "\n").map(String.init)
  }

  @Test("a tag selects the stories of all its feeds, below it, too")
  func list() throws {
    let news = try sample()
    #expect(titles(news, "--feed", "tag:work") == ["one", "two", "both", "tagged"])
    #expect(titles(news, "--feed", "tag:WORK/daily") == ["one", "both", "tagged"])
    #expect(titles(news, "--feed=tag:home", "--grep", "both") == ["both"])
    let feeds = news("list", "--feed", "tag:work").output.split(separator: "\n").map {
      String($0.split(separator: "\t")[3])
    }
    #expect(feeds == ["One", "Two", "One", "One"])
    #expect(
      news("list", "--feed", "tag:wrk").errors
        == "news: no feed has the tag wrk; did you mean tag:work?\n"
    )
  }

  @Test("several --feed are any of them, several --grep all of them, wherever they stand")
  func several() throws {
    let news = try sample()
    #expect(
      titles(news, "--feed", "Two", "--feed", "tag:home") == ["two", "three", "both", "tagged"]
    )
    #expect(titles(news, "--feed=Two", "--feed=Two") == ["two", "tagged"])
    #expect(titles(news, "--grep", "t", "--grep", "/^t.o|d$/") == ["two", "tagged"])
    #expect(titles(news, "--grep", "/o/", "--grep", "/^.{3}$/") == ["one", "two"])
    #expect(news("list", "--feed", "Two", "--feed", "Four").status == 1)
    #expect(news("read", "--all", "--feed", "Two", "--feed", "Three").status == 0)
    #expect(titles(news, "--unread") == ["one"])
    #expect(news("clear", "--yes", "--feed", "Two", "--feed", "Three").status == 0)
    #expect(titles(news) == ["one", "both", "tagged"])
  }

  @Test("a list of a tag's stories tells their feeds apart, one of a single feed's does not")
  func column() throws {
    let news = try sample()
    news.useTerminal(80, variables: ["NO_COLOR": "1"])
    #expect(news("list", "--feed", "tag:work").output.contains("Two"))
    #expect(!news("list", "--feed", "tag:work/daily").output.contains("One"))
  }

  @Test("marks, refresh, feeds, move and unsubscribe take tags as well")
  func others() throws {
    let news = try sample()
    #expect(news("read", "--all", "--feed", "tag:home").errors == "2 stories marked read\n")
    #expect(news("feeds", "tag:work").output.split(separator: "\n").count == 2)
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("New", ["three"])))
    news.fetcher.serve(Sample.other, .init(body: Sample.rss("New", ["four"])))
    #expect(news("refresh", "tag:work", "--json").output.contains("\"stored\":2"))
    #expect(
      news("move", "tag:work", "https://new.example/", "--no-check").errors
        .hasPrefix("news: tag:work matches 2 feeds; name one of them:\n  \(Sample.feed)  One\n")
    )
    #expect(news("move", "tag:home", "https://new.example/", "--no-check").status == 0)
    #expect(
      news("unsubscribe", "-y", "tag:work", "one").errors
        == "unsubscribed from One\nunsubscribed from Two; 5 stories deleted, 1 left to other feeds\n"
    )
    #expect(try news.store.read().subscriptions.map(\.url) == ["https://new.example/"])
  }

  @Test("a word that is no tag means one feed, but to feeds, which shows all that it matches")
  func ambiguous() throws {
    let news = try sample()
    for words in [
      ["list", "--feed", "example"], ["refresh", "example"], ["unsubscribe", "example"],
      ["clear", "--yes", "--feed", "example"], ["star", "--all", "--feed", "example"],
      ["move", "example", "https://new.example/"],
    ] {
      let result = news.run(words)
      #expect(result.errors.hasPrefix("news: example matches 3 feeds; name one of them:\n"))
      #expect(result.errors.split(separator: "\n").count == 4 && result.status == 1)
    }
    #expect(news("feeds", "example").output.split(separator: "\n").count == 3)
  }

  @Test("a title of one letter is not what every other letter was meant to be")
  func shortTitles() throws {
    let news = try CommandRun()
    try news.store([], subscriptions: [(Sample.feed, "t"), (Sample.other, "ab")])
    for word in ["*", "q", ""] {
      #expect(!news("feeds", word).errors.contains("did you mean"))
    }
    #expect(news("feeds", "ad").errors.contains("did you mean ab?"))
  }

  @Test("what is cleared of a tag's feeds comes back with undo, and stays with other feeds")
  func clear() throws {
    let news = try sample()
    let before = try news.stories()
    news.useTerminal(200)
    news.input = ["n"]
    #expect(
      news("clear", "--feed", "tag:work").errors
        == "Clear 4 stories of 2 feeds? [y/N] nothing was cleared\n"
    )
    #expect(
      news("clear", "--feed", "tag:work", "--yes").errors == "3 stories cleared, 1 left to other "
        + "feeds; `news undo` brings them back, `news refresh` what the feeds still carry\n"
    )
    #expect(try news.stories().map(\.item.title) == ["three", "both"])
    #expect(try news.stories()[1].feeds == [Self.third])
    #expect(news("undo").status == 0)
    #expect(try news.stories() == before)
  }

  @Test("a story that others keep of several feeds is given back to each of them")
  func clearShared() throws {
    let feeds = [Sample.other, Self.third, Sample.feed]
    let news = try sample([Sample.story(6, "shared", hours: 0, feeds: feeds)])
    let before = try news.stories()
    for words in [["--feed", "tag:work"], ["--feed", "tag:home"]] {
      news("read", "--all")
      let read = try news.stories()
      #expect(news.run(["clear", "--yes"] + words).status == 0)
      #expect(try news.stories() != read)
      #expect(news("undo").status == 0)
      let after = try news.stories()
      #expect(after.map(\.id) == before.map(\.id))
      #expect(zip(after, before).allSatisfy { Set($0.feeds) == Set($1.feeds) })
      #expect(zip(after, before).allSatisfy { $0.feeds.first == $1.feeds.first })
    }
  }
}
