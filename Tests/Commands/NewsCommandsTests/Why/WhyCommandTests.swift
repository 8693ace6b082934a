import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("news why")
struct WhyCommandTests {
  private func serve(_ url: String, _ title: String, _ items: [String], _ news: CommandRun) {
    let head = "<rss version=\"2.0\"><channel><title>\(title)</title>"
    news.fetcher.serve(url, .init(body: head + items.joined() + "</channel></rss>"))
  }

  private func item(_ title: String, link: String? = nil, guid: String? = nil) -> String {
    let link = link.map { "<link>https://example.com/\($0)</link>" } ?? ""
    let guid = guid.map { "<guid isPermaLink=\"false\">\($0)</guid>" } ?? ""
    return "<item><title>\(title)</title>\(link)\(guid)</item>"
  }

  private func sample() throws -> CommandRun {
    let news = try CommandRun()
    try news.store([], subscriptions: [(Sample.feed, "Example"), (Sample.other, "Other")])
    serve(
      Sample.feed,
      "Example",
      [
        item("Shared", link: "shared?utm_source=a", guid: "a1"), item("Own", link: "own"),
        item("Bare"),
      ],
      news,
    )
    serve(Sample.other, "Other", [item("Shared there", link: "shared", guid: "b9")], news)
    news("fetch")
    return news
  }

  private func json(_ news: CommandRun, _ word: String) -> String {
    news("why", word, "--json").output
  }

  @Test("it tells the key and its rule, the run and the feeds")
  func first() throws {
    let news = try sample()
    #expect(
      news("why", "1").output == """
        Shared

        Key      guid a1
                 known by its guid
        Came     2026-11-01 12:00
        Run      `news fetch` of 2026-11-01 12:00: 3 new, 3 stored
        Words    those of Example: the link leads to its site
        Feeds    Example brought it
                 Other has it since 2026-11-01 12:00: the link is the same
        Changed  nothing that was recorded

        """
    )
    #expect(news("why", "2").output.contains("link https://example.com/own\n"))
    #expect(news("why", "2").output.contains("it has no guid: known by its link"))
    #expect(news("why", "3").output.contains("neither guid nor link: known by its title"))
  }

  @Test("it tells what has changed, when, and what it was; also of a story that was renamed")
  func changes() throws {
    let news = try sample()
    for title in ["Shared", "Shared, corrected"] {
      news.now += 3600
      let renamed = item(title, link: "shared?utm_source=a", guid: "a2")
      serve(Sample.feed, "Example", [renamed, item("Own", link: "own"), item("Bare")], news)
      news("fetch")
    }
    let text = news("why", "1").output
    #expect(text.contains("Key      guid a1\n"))
    #expect(text.contains("that was its key when it was stored"))
    #expect(text.contains("Run      `news fetch` of 2026-11-01 12:00: 3 new, 3 stored\n"))
    #expect(text.contains("Example brought it, and renamed it 2026-11-01 13:00: the link is the"))
    #expect(
      text.contains(
        """
        Changed  title 2026-11-01 14:00, it was “Shared”
                 guid 2026-11-01 13:00, it was “a1”

        """
      )
    )
  }

  @Test("--json has the documented keys")
  func json() throws {
    let news = try sample()
    let id = try news.store.read().items.id(at: 0)
    #expect(
      json(news, "1") == """
        [
        {"n":1,"id":"\(id)","title":"Shared",\
        "key":{"rule":"guid","current":true,"feed":"https://example.com/feed.xml","guid":"a1",\
        "link":null,"title":null,"pubDate":null},"stored":"2026-11-01T12:00:00Z",\
        "run":{"started":"2026-11-01T12:00:00Z","command":"fetch","outcome":"newData","new":3,\
        "stored":3,"changed":0},"feeds":[{"url":"https://example.com/feed.xml","brought":true,\
        "matchedBy":null,"date":null},{"url":"https://example.org/atom","brought":false,\
        "matchedBy":"link","date":"2026-11-01T12:00:00Z"}],"changed":[],"rules":[],\
        "synced":[],"servers":[],"refused":[]}
        ]

        """
    )
  }

  @Test("of a story that was stored before, it says what it does not know")
  func older() throws {
    let news = try CommandRun()
    try news.storeSample()
    let text = news("why", "5").output
    #expect(text.contains("Key      not known: when it was stored it had another guid"))
    #expect(text.contains("Came     2025-09-27 12:00\n"))
    #expect(text.contains("Run      not known: `news log` does not have it"))
    #expect(text.contains("Other Feed has it too: by what it was recognised is not known"))
    #expect(text.contains("Changed  nothing that was recorded\n"))
    #expect(json(news, "5").contains("\"key\":null,"))
    #expect(json(news, "5").contains("\"run\":null,"))
  }

  @Test("a run that the record has forgotten is told as such")
  func forgottenRun() throws {
    let news = try sample()
    let empty = "<?xml version=\"1.0\"?><plist version=\"1.0\"><array/></plist>"
    for name in ["ledger", "runs"] { try news.folder.write(empty, to: "home/\(name).plist") }
    #expect(
      news("why", "1").output.contains("Run      not known: `news log` does not have it\n")
    )
  }

  @Test("guids that are used again, and links that several stories share, have their own rules")
  func otherRules() throws {
    let news = try CommandRun()
    try news.store([], subscriptions: [(Sample.feed, "Example")])
    serve(
      Sample.feed,
      "Example",
      [
        item("P", link: "p", guid: "same"), item("Q", link: "q", guid: "same"),
        item("R", link: "page"), item("S", link: "page"),
      ],
      news,
    )
    news("fetch")
    #expect(json(news, "1").contains("\"rule\":\"linkForReusedGUID\""))
    #expect(news("why", "1").output.contains("gave its guid to several stories"))
    #expect(json(news, "3").contains("\"rule\":\"titleForSharedLink\""))
  }

  @Test("a feed that has moved for good keeps its stories' keys")
  func moved() throws {
    let news = try sample()
    try news.store.update { library in
      var story = try library.items.item(at: 0)
      story.feeds[0] = "https://moved.example/feed"
      var subscriptions = library.subscriptions
      subscriptions[0].url = story.feeds[0]
      subscriptions[0].state.formerURLs = [Sample.feed]
      var change = LibraryChange(subscriptions: subscriptions)
      change.stories.replaced[0] = story
      return (change, ())
    }
    let text = news("why", "1").output
    #expect(text.contains("Key      guid a1\n         known by its guid"))
    #expect(text.contains("Feeds    Example has it now: the feed that brought it moved there"))
  }

  @Test("what is cleared and put back, or marked, is known as before")
  func undone() throws {
    let news = try sample()
    let before = news("why", "1-3").output
    news("clear", "--yes")
    news("undo")
    #expect(news("why", "1-3").output == before)
    news("read", "--all")
    news("delete", "--all", "--grep", "is:read", "--yes")
    news("undo")
    news("star", "1")
    #expect(news("why", "1-3").output == before)
  }

  @Test("stories are named as open names them")
  func names() throws {
    let news = try sample()
    news("list", "--reverse")
    #expect(news("why", "1").output.hasPrefix("Bare\n"))
    let id = try news.store.read().items.id(at: 1)
    #expect(news("why", id).output.hasPrefix("Own\n"))
    #expect(news("why", "1-2", id).output.components(of: "\nKey ") == 2)
    #expect(news("why", "4").errors.contains("the last list showed 3 stories"))
    #expect(news("why").status == 64 && news("why", "x").status == 1)
  }

  @Test("no password is printed, and nothing that would change a terminal")
  func hostile() throws {
    let news = try CommandRun()
    let url = "https://user:secret@example.com/feed.xml"
    var story = Sample.story(1, "T\u{1b}[31m", hours: 1, feeds: [url])
    story.item.guid = "g\u{1b}]0;x\u{7}"
    story.id = ItemID.id(feed: url, key: ItemID.key(of: story.item))
    story.changes = [StoryChange(part: .title, date: .distantPast, was: "\u{9b}old")]
    try news.store([story], subscriptions: [(url, "Feed \u{1b}")])
    for words in [["why", "1"], ["why", "1", "--json"]] {
      let text = news.run(words).output
      #expect(!text.contains("secret"))
      #expect(!text.unicodeScalars.contains { ($0.value < 0x20 && $0 != "\n") || $0 == "\u{9b}" })
      #expect(words.count == 3 || !text.unicodeScalars.contains("\u{202e}"))
      #expect(text.contains("guid") && text.contains("old"))
    }
  }
}

extension String {
  fileprivate func components(of text: String) -> Int {
    split(separator: text, omittingEmptySubsequences: false).count - 1
  }
}
