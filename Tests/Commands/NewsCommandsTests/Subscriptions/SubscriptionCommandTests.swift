import CommandLine
import FeedFetching
import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import System

@Suite("news subscribe, unsubscribe and feeds")
struct SubscriptionCommandTests {
  private func urls(_ news: CommandRun) throws -> [String] {
    try news.store.read().subscriptions.map(\.url)
  }

  @Test("a feed is asked once, followed, and called by its own title")
  func feed() throws {
    let news = try CommandRun()
    news.fetcher.serve(
      Sample.feed,
      .init(body: Sample.rss("Example", ["a", "b"]), etag: "\"1\""),
    )
    #expect(
      news("subscribe", Sample.feed)
        == CommandResult(
          output: "",
          errors: "subscribed to Example (2 stories): https://example.com/feed.xml\n",
          status: 0,
        )
    )
    #expect(try urls(news) == [Sample.feed])
    #expect(news.fetcher.requests.count == 1)
    #expect(
      news("subscribe", "HTTPS://example.com/feed.xml#top").errors
        == "already subscribed to Example\n"
    )
    #expect(try urls(news) == [Sample.feed] && news.fetcher.requests.count == 1)
  }

  @Test("of several, one that fails does not keep the others from being followed")
  func several() throws {
    let news = try CommandRun()
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["a"])))
    news.fetcher.serve(Sample.other, .init(body: Sample.rss("Other", [])))
    #expect(
      news("subscribe", Sample.feed, "https://gone.example/feed", Sample.other, "--tag", "new")
        == CommandResult(
          output: "",
          errors: """
            subscribed to Example (1 story): https://example.com/feed.xml
            news: https://gone.example/feed: server answered 404: there is nothing at this URL \
            (`--no-check` subscribes without asking)
            subscribed to Other (0 stories): https://example.org/atom

            """,
          status: 1,
        )
    )
    #expect(try urls(news) == [Sample.feed, Sample.other])
    #expect(try news.store.read().subscriptions.allSatisfy { $0.tags == ["new"] })
  }

  @Test("a file is followed by its path, relative or not")
  func file() throws {
    let news = try CommandRun()
    let path = try news.folder.write(Sample.rss("A file", ["a"]), to: "my feed.xml")
    #expect(news("subscribe", "./my feed.xml").status == 0)
    #expect(try urls(news) == [LocalPath.fileURL(path)])
    #expect(news("subscribe", path).errors == "already subscribed to A file\n")
  }

  @Test("of a page that announces one feed, that feed is followed")
  func page() throws {
    let news = try CommandRun()
    news.fetcher.serve("https://example.com/", .init(body: Self.page([("/feed.xml", "All")])))
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["a"])))
    #expect(news("subscribe", "https://example.com/").status == 0)
    #expect(try urls(news) == [Sample.feed])
  }

  @Test("a page that leads on by itself is followed once, to a feed or to a page that has one")
  func refreshes() throws {
    let news = try CommandRun()
    func refresh(_ url: String) -> FakeFetcher.Page {
      .init(body: "<html><meta http-equiv=refresh content='0; url=\(url)'></html>")
    }
    news.fetcher.serve("https://example.com/old", refresh("/feed.xml"))
    news.fetcher.serve("https://example.org/", refresh("https://example.com/"))
    news.fetcher.serve("https://example.net/", refresh("https://example.org/"))
    news.fetcher.serve("https://example.com/", .init(body: Self.page([("/feed.xml", "All")])))
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["a"])))
    #expect(news("subscribe", "https://example.com/old").status == 0)
    #expect(try urls(news) == [Sample.feed])
    #expect(news("unsubscribe", Sample.feed).status == 0)
    #expect(news("subscribe", "https://example.org/").status == 0)
    #expect(try urls(news) == [Sample.feed])
    #expect(news("subscribe", "https://example.net/").status == 1)
  }

  @Test("of a page that announces several, they are listed where nobody can be asked")
  func severalPiped() throws {
    let news = try CommandRun()
    news.fetcher.serve("https://example.com/", .init(body: Self.page(Self.two)))
    let result = news("subscribe", "https://example.com/")
    #expect(
      result.errors == """
        news: https://example.com/: a web page with 2 feeds; subscribe to one of them:
          https://example.com/feed.xml  Stories
          https://example.com/music.xml  Music

        """
    )
    #expect(result.status == 1)
    #expect(try urls(news).isEmpty)
  }

  @Test("a feed of comments beside the main feed is no choice, and is told")
  func comments() throws {
    for other in [("/comments/feed/", "Example » Kommentar-Feed"), ("/c.xml", "All Comments")] {
      let news = try CommandRun()
      let page = Self.page([("/feed.xml", "Stories"), other])
      news.fetcher.serve("https://example.com/", .init(body: page))
      news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["a"])))
      let result = news("subscribe", "https://example.com/")
      let line = "its main feed is taken, comments are not: https://example.com\(other.0)\n"
      #expect(result.errors.hasPrefix("https://example.com/: \(line)"))
      #expect(try urls(news) == [Sample.feed])
    }
    let news = try CommandRun()
    let page = Self.page([("/comments/feed", "Comments"), ("/a.xml", "A"), ("/b.xml", "B")])
    news.fetcher.serve("https://example.com/", .init(body: page))
    #expect(news("subscribe", "https://example.com/").errors.contains("a web page with 3 feeds"))
  }

  @Test("on a terminal the user is asked which")
  func severalAsked() throws {
    let news = try CommandRun()
    news.fetcher.serve("https://example.com/", .init(body: Self.page(Self.two)))
    news.fetcher.serve("https://example.com/music.xml", .init(body: Sample.rss("Talk", [])))
    news.useTerminal(80)
    news.input = ["2"]
    let result = news("subscribe", "https://example.com/")
    #expect(
      result.errors.contains(
        "  2  https://example.com/music.xml  Music\nWhich one? [1-2, several, or all] "
      )
    )
    #expect(try urls(news) == ["https://example.com/music.xml"])
    news.input = ["7"]
    #expect(news("subscribe", "https://example.com/").status == 1)
  }

  @Test("or for several; one that fails is told with the page, and keeps no other away")
  func severalChosen() throws {
    for (answer, chosen) in [("1 2", 2), ("all", 2), ("1-2", 2), ("2,1", 2), ("1", 1)] {
      let news = try CommandRun()
      news.fetcher.serve("https://example.com/", .init(body: Self.page(Self.two)))
      news.fetcher.serve("https://example.com/music.xml", .init(body: Sample.rss("Talk", [])))
      news.fetcher.serve("https://example.com/feed.xml", .init(body: Sample.rss("Posts", ["a"])))
      news.useTerminal(80)
      news.input = [answer]
      #expect(news("subscribe", "https://example.com/").status == 0)
      #expect(try urls(news).count == chosen, "\(answer)")
    }
    let news = try CommandRun()
    news.fetcher.serve("https://example.com/", .init(body: Self.page(Self.two)))
    news.fetcher.serve("https://example.com/music.xml", .init(body: Sample.rss("Talk", [])))
    news.useTerminal(200)
    news.input = ["all"]
    let result = news("subscribe", "https://example.com/")
    #expect(result.status == 1)
    #expect(try urls(news) == ["https://example.com/music.xml"])
    #expect(
      result.errors.contains(
        "news: https://example.com/ announces https://example.com/feed.xml: server answered 404"
      )
    )
    news.input = ["all"]
    #expect(news("subscribe", "https://example.com/", "--title", "One").status == 1)
  }

  @Test("a starred story of a feed that is gone keeps its name")
  func formerName() throws {
    let news = try CommandRun()
    try news.storeSample()
    news("unsubscribe", "-q", "--yes", "other", "example")
    #expect(news("list").output.contains("Oldest\t2025-09-27T12:00:00Z\tOther Feed\t"))
    #expect(news("show", "1").output.contains("Other Feed"))
    news("star", "-q", "1")
    news("unsubscribe", "-q", "example")
    #expect(news("list").output.contains("\tOther Feed\t"))
  }

  @Test("a server that wants to be left in peace is not asked for a new feed either")
  func heldServer() throws {
    let news = try CommandRun()
    try news.hold("https://example.com")
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["1"])))
    let result = news("subscribe", Sample.feed)
    #expect(
      result.errors
        == """
        news: https://example.com/feed.xml: not asked, because its server answered 429 to another feed \
        (`--no-check` subscribes without asking)

        """
    )
    #expect(result.status == 1)
    #expect(news("subscribe", "--no-check", Sample.feed).status == 0)
  }

  @Test("what cannot be fetched is not followed, except with --no-check")
  func noCheck() throws {
    let news = try CommandRun()
    let result = news("subscribe", Sample.feed)
    #expect(result.errors.hasPrefix("news: https://example.com/feed.xml: "))
    #expect(result.errors.hasSuffix(" (`--no-check` subscribes without asking)\n"))
    #expect(result.status == 1)
    #expect(try urls(news).isEmpty)
    #expect(
      news("subscribe", "--no-check", Sample.feed, "--title", "Mine", "--tag=a", "--tag", "b")
        .status == 0
    )
    let subscription = try #require(try news.store.read().subscriptions.first)
    #expect(subscription.title == "Mine" && subscription.tags == ["a", "b"])
  }

  @Test(
    "a word that names nothing is told in one line",
    arguments: [
      ("nofile.xml", "nofile.xml: no such file, and not a URL"), (".", ".: is a directory"),
      ("ftp://example.com/", "ftp://example.com/: only http, https and files can be followed"),
      ("http://", "http://: not a URL"), ("", "a feed name cannot be empty"),
    ],
  )
  func wrongWords(_ word: String, _ message: String) throws {
    #expect(
      try CommandRun()("subscribe", word)
        == CommandResult(output: "", errors: "news: \(message)\n", status: 1)
    )
  }

  @Test("unsubscribing takes the stories that no other feed carries and that have no star")
  func unsubscribe() throws {
    let news = try CommandRun()
    try news.storeSample()
    #expect(
      news("unsubscribe", "other").errors
        == "unsubscribed from Other Feed; 1 story deleted, 1 left to other feeds\n"
    )
    #expect(try urls(news) == [Sample.feed])
    #expect(news("list").output.split(separator: "\n").count == 4)
    #expect(
      news("unsubscribe", "example").errors
        == "unsubscribed from Example; 3 stories deleted, 1 starred kept\n"
    )
    #expect(
      news("list").output
        == "1\tOldest\t2025-09-27T12:00:00Z\tExample\thttps://example.com/5\n"
    )
    #expect(
      news("unsubscribe", "example").errors
        == "news: no subscriptions yet; subscribe to a feed with `news subscribe URL` or "
        + "`news import FILE`\n"
    )
  }

  @Test("unsubscribing from several feeds asks first, and takes --yes where nobody can answer")
  func manyAtOnce() throws {
    let news = try CommandRun()
    try news.storeSample()
    let all = try urls(news)
    let question = "nsubscribe from 2 feeds and delete 4 stories"
    let unasked = news.run(["unsubscribe"] + all)
    #expect(unasked.errors.hasPrefix("news: this needs an answer: add --yes to u\(question)"))
    #expect(unasked.status == 64)
    news.useTerminal(80)
    for answer in ["n", "", "yes, but"] {
      news.input = [answer]
      let refused = news.run(["unsubscribe"] + all)
      #expect(refused.errors == "U\(question)? [y/N] nothing was unsubscribed from\n")
      #expect(refused.status == 1)
    }
    #expect(try urls(news) == all)
    news.input = ["y"]
    #expect(news.run(["unsubscribe"] + all).status == 0)
    #expect(try urls(news).isEmpty)
    #expect(news("undo").status == 0)
    news.terminal = TerminalFacts()
    // Both words name one feed, which comes back with undo.
    #expect(news("unsubscribe", all[0], all[0]).status == 0)
    #expect(try urls(news).count == 1)
  }

  @Test("a part that matches several unsubscribes from none")
  func ambiguous() throws {
    let news = try CommandRun()
    try news.storeSample()
    #expect(
      news("unsubscribe", "other", "example.").errors == """
        news: example. matches 2 feeds; name one of them:
          https://example.com/feed.xml  Example
          https://example.org/atom  Other Feed

        """
    )
    #expect(try urls(news).count == 2)
    #expect(
      news("unsubscribe", "nothing").errors
        == "news: no feed matches nothing (`news feeds` lists them)\n"
    )
  }

  @Test("of many candidates the first are listed")
  func manyCandidates() throws {
    let news = try CommandRun()
    try news.store(
      [],
      subscriptions: (1...50).map { ("https://example.com/\($0)", "Feed \($0)") },
    )
    let result = news("unsubscribe", "example")
    #expect(result.errors.hasPrefix("news: example matches 50 feeds; name one of them:\n"))
    #expect(result.errors.hasSuffix("  https://example.com/20  Feed 20\n  and 30 more\n"))
    #expect(result.status == 1)
  }

  @Test("two accounts with a server are two feeds, and each is found by its whole URL")
  func accounts() throws {
    let news = try CommandRun()
    let accounts = ["https://ann:1@example.com/feed", "https://bob:2@example.com/feed"]
    for url in accounts { #expect(news("subscribe", "--no-check", url).status == 0) }
    #expect(try urls(news) == accounts)
    #expect(news("unsubscribe", accounts[1]).status == 0)
    #expect(try urls(news) == [accounts[0]])
  }

  @Test("a user with a password and without is one feed, and either URL names it")
  func passwords() throws {
    let news = try CommandRun()
    let (plain, whole) = ("http://me@example.com/x", "http://me:secret@example.com/x")
    for (first, second) in [(plain, whole), (whole, plain)] {
      #expect(news("subscribe", "--no-check", first).status == 0)
      let again = news("subscribe", "--no-check", second)
      #expect(again.status == 0 && again.errors.hasPrefix("already subscribed to "))
      #expect(again.errors.contains("news move FEED URL") == (second == whole))
      #expect(!again.errors.contains("secret"))
      #expect(try urls(news) == [first])
      #expect(news("subscribe", "--no-check", "http://you@example.com/x").status == 0)
      #expect(news("move", "--no-check", second, "\(second)?y").status == 0)
      #expect(news("unsubscribe", "\(plain)?y").status == 0)
      #expect(try urls(news) == ["http://you@example.com/x"])
      #expect(news("unsubscribe", "http://you@example.com/x").status == 0)
    }
  }

  @Test("feeds of one name are told apart in every list by host, URL or user")
  func namesakes() throws {
    let news = try CommandRun()
    let feeds = [
      ("https://a.example/f", "Daily"), ("https://b.example/f", "Daily"),
      ("https://c.example/1", "Weekly"), ("https://c.example/2", "Weekly"),
      ("https://me:1@d.example/", "Mine"), ("https://you:2@d.example/", "Mine"),
      ("https://e.example/", "Alone"),
    ]
    let stories = feeds.enumerated().map {
      Sample.story($0 + 1, "S\($0)", hours: $0, feeds: [$1.0])
    }
    try news.store(stories, subscriptions: feeds)
    let names = [
      "Daily (a.example)", "Daily (b.example)", "Weekly (https://c.example/1)",
      "Weekly (https://c.example/2)", "Mine (me)", "Mine (you)", "Alone",
    ]
    let lines = news("list").output.split(separator: "\n")
    #expect(
      Set(lines.compactMap { $0.split(separator: "\t").dropFirst(3).first }.map(String.init))
        == Set(names)
    )
    #expect(news("feeds").output.contains("\tMine (you)\t"))
    #expect(news("feeds").output.contains("https://a.example/f\tDaily\t"))
    let choices = news("unsubscribe", "Mine").errors
    #expect(choices.contains("Mine (me)") && choices.contains("Mine (you)"))
    #expect(news("unsubscribe", "Mine (you)").status == 0)
    #expect(try urls(news).filter { $0.contains("d.example") } == ["https://me:1@d.example/"])
    news.useTerminal(120, variables: ["NO_COLOR": "1"])
    let table = news("feeds").output
    #expect(names.prefix(4).allSatisfy { table.contains("\n\($0) ") }, "\(table)")
    #expect(table.contains("\nMine  "))
  }

  @Test("a story of a file has a link of http or https, or none")
  func linksOfFiles() throws {
    let news = try CommandRun()
    let links = ["file:///etc/passwd", "/relative", "page.html", "http://a.example/1"]
    let items = links.map { "<item><title>\($0)</title><link>\($0)</link></item>" }
    let rss = "<rss version=\"2.0\"><channel><title>F</title>\(items.joined())</channel></rss>"
    let file = try news.folder.write(rss, to: "feed.xml")
    news.realFetcher = SourceFetcher()
    #expect(news("subscribe", file).status == 0)
    let found = news("list").output.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)[4]
    }
    #expect(found == ["", "", "", "http://a.example/1"])
    #expect(!news("list", "--json").output.contains("\"link\":\"/relative\""))
    #expect(!news("list", "--json").output.contains("page.html\",\"guid"))
  }

  @Test("a feed of a file and its enclosures have absolute links, or none")
  func partsOfFiles() throws {
    let news = try CommandRun()
    let files = ["a.mp3", "/b.mp3", "http://a.example/c.mp3"].map {
      "<enclosure url=\"\($0)\" type=\"audio/mpeg\"/>"
    }
    let item =
      "<item><title>S</title>\(files.joined())"
      + "<podcast:transcript xmlns:podcast=\"https://podcastindex.org/namespace/1.0\" "
      + "url=\"d.vtt\" type=\"text/vtt\"/></item>"
    let file = try news.folder.write(
      "<rss version=\"2.0\"><channel><title>F</title><link>index.html</link>\(item)</channel></rss>",
      to: "feed.xml",
    )
    news.realFetcher = SourceFetcher()
    #expect(news("subscribe", file).status == 0)
    let outputs = [["list", "--json"], ["feeds", "--json"], ["export"], ["list", "--csv"]]
      .map { news.run($0).output }
    #expect(outputs[0].contains("http://a.example/c.mp3") && outputs[3].contains("c.mp3"))
    for output in outputs {
      for link in ["a.mp3", "/b.mp3", "d.vtt", "index.html"] {
        #expect(!output.contains("\(link)\"") && !output.contains("\(link) "), "\(output)")
      }
    }
  }

  private static let two = [("/feed.xml", "Stories"), ("music.xml", "Music")]

  private static func page(_ feeds: [(String, String)]) -> String {
    let links = feeds.map {
      "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"\($0.0)\" title=\"\($0.1)\">"
    }
    return "<!DOCTYPE html><html><head><title>Page</title>\(links.joined())</head>"
      + "<body><p>Hello</p></body></html>"
  }
}
