import FeedModel
import FeedStorage
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import ReadingCommands
@testable import Searching

@Suite("the table view: what is acted upon is what is seen")
struct BrowserChoiceTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.storeSample()
  }

  private func press(_ keys: String, _ browser: inout Browser) throws -> [BrowserAction] {
    try keys.flatMap { try browser.press(.character($0)) }
  }

  private func browser(columns: Int = 80) throws -> Browser {
    let library = try news.store.read(.names)
    var browser = Browser(library, try news.store.rules())
    browser.resize(columns: columns, rows: 24)
    browser.stories.list(FoundStories(Array(0..<library.items.count)))
    return browser
  }

  /// Takes what others have saved as a session does: sources, then stories.
  private func reload(_ browser: inout Browser, _ positions: [Int]? = nil) throws {
    let library = try news.store.read(.names)
    browser.update(sources: BrowserSource.all(of: library.subscriptions, try news.store.rules()))
    try browser.update(to: library, FoundStories(positions ?? Array(0..<library.items.count)))
  }

  @Test("a command that leaves its feed out means that of the row")
  func meantFeed() throws {
    var browser = try browser()
    let feed = try #require(try browser.stories.selected()?.feeds.first)
    #expect(try browser.run("unsubscribe") == [.command(["unsubscribe", feed])])
    #expect(try browser.run("unsubscribe --yes") == [.command(["unsubscribe", "--yes", feed])])
  }

  // MARK: Feeds

  private static let feeds = ["Zebra", "Alpha", "Mid", "Beta", "Late"]

  private static func url(_ name: String) -> String { "https://\(name.lowercased()).example/feed" }

  /// Feeds behind tags, before them and among them, one of them hidden.
  private static let arrangements: [[String: [String]]] = [
    [:], ["Late": ["work"]], ["Zebra": ["work"], "Mid": ["fun", "work"]],
    ["Alpha": ["work"], "Beta": ["fun"], "Late": ["work", "news/world"], "Zebra": ["Work"]],
    ["Zebra": ["a"], "Alpha": ["b"], "Mid": ["c"], "Beta": ["b"], "Late": ["a"]],
  ]

  private func subscribe(_ tags: [String: [String]]) throws -> CommandRun {
    let news = try CommandRun()
    let stories = Self.feeds.enumerated().map { number, name in
      Sample.story(number + 1, "Of \(name)", hours: number, feeds: [Self.url(name)])
    }
    try news.store(stories, subscriptions: Self.feeds.map { (Self.url($0), $0) })
    for (name, tags) in tags {
      news.run(["feeds", "set", name] + tags.flatMap { ["--tag", $0] })
    }
    news("feeds", "set", "Beta", "--hide")
    return news
  }

  private func browser(of name: String, in news: CommandRun) throws -> Browser {
    let library = try news.store.read(.names)
    var query = StoryQuery()
    query.feeds = [Self.url(name)]
    return Browser(library, [], query, ["--feed", name])
  }

  @Test("--feed opens the feed that it names, under whatever tags the feeds stand")
  func named() throws {
    for tags in Self.arrangements {
      let news = try subscribe(tags)
      for name in Self.feeds {
        var browser = try browser(of: name, in: news)
        #expect(try browser.source.name == name && browser.query().feeds == [Self.url(name)])
        #expect(try browser.takeMeantFeeds() == [Self.url(name)])
        browser.focus = .feeds
        #expect(try press("R", &browser) == [.refresh([Self.url(name)])])
      }
    }
  }

  @Test("in every order, fold and count a feed stays the chosen one, or its tag does in its place")
  func orders() throws {
    for tags in Self.arrangements {
      let news = try subscribe(tags)
      for name in Self.feeds {
        var browser = try browser(of: name, in: news)
        let id = browser.source.id
        let counts = Dictionary(
          browser.feeds.all.enumerated().map { ($1.id, $0 * 7 % 5) },
          uniquingKeysWith: { $1 },
        )
        for key in [">", "l", ">", "counts", ">", "l", "counts", ">"] {
          if key == "counts" { browser.take(counts: counts) } else { _ = try press(key, &browser) }
          #expect(browser.source.id == id, "\(name) behind \(key), \(tags)")
        }
        let tag = browser.source.tag
        let folding = try press("+", &browser)
        guard let tag else {
          #expect(folding.isEmpty && browser.source.id == id)
          continue
        }
        #expect(folding == [.list] && browser.source.id == tag)
        #expect(try press(">>+", &browser).isEmpty && browser.source.id == tag)
      }
    }
  }

  @Test("one comes back to the feed that one left, as the feeds stood, though they stand otherwise")
  func places() throws {
    for (number, tags) in Self.arrangements.enumerated() {
      let news = try subscribe(tags)
      for name in Self.feeds {
        var browser = try browser(of: name, in: news)
        _ = try press(String(repeating: ",", count: number % 3) + "l", &browser)
        let place = try #require(browser.place)
        try news.store.save(place)
        #expect(try news.store.browsePlace() == place)
        let other = try subscribe(Self.arrangements[(number + 2) % Self.arrangements.count])
        var later = Browser(try other.store.read(.names))
        later.goBack(toSourceOf: place)
        #expect(later.source.name == name && later.hidesRead)
        #expect(later.feeds.order == browser.feeds.order)
      }
    }
  }

  @Test("a feed under a tag that is folded is opened by its name, and the other tags stay folded")
  func unfolding() throws {
    let news = try subscribe(["Mid": ["work"], "Late": ["fun"], "Zebra": ["work"]])
    var left = Browser(try news.store.read(.names))
    _ = try press("f+", &left)
    let place = try #require(left.place)
    #expect(place.folded == ["fun", "work"])
    var browser = Browser(try news.store.read(.names))
    browser.arrangeFeeds(asIn: place)
    browser.feeds.choose(BrowserSource.ID(feed: Self.url("Mid")), rows: 22)
    #expect(browser.source.name == "Mid")
    #expect(
      browser.feeds.shown.dropFirst(3).map(\.name) == [
        "fun", "work", "Zebra", "Mid", "Alpha", "Beta",
      ]
    )
    news("feeds", "set", "Zebra", "--untag", "work", "--tag", "WORK")
    let library = try news.store.read(.names)
    _ = try press("-", &browser)
    browser.update(sources: BrowserSource.all(of: library.subscriptions, []))
    #expect(browser.source.name == "WORK" && browser.feeds.isFolded(browser.source))
  }

  @Test("a feed that moves stays the chosen one; one that goes is not taken for what stands there")
  func movedFeed() throws {
    var browser = try browser()
    _ = try press("f/Exa", &browser)
    _ = try browser.press(.enter)
    #expect(browser.source.name == "Example")
    news.fetcher.serve("https://new.example/", .init(body: Sample.rss("New", ["a"])))
    #expect(news("move", "--no-check", "Example", "https://new.example/").status == 0)
    try reload(&browser)
    #expect(try browser.takeMeantFeeds() == ["https://new.example/"] && browser.lost.isEmpty)
    news("unsubscribe", "Example")
    try reload(&browser)
    #expect(browser.source.name == "All stories")
    for key in ["A", "R", "d"] {
      #expect(throws: Failure.self, "\(key)") { try press(key, &browser) }
    }
    browser.noteShown()
    #expect(try press("A", &browser) == [.readAll])
  }

  @Test("counts that come late are those of the feeds that were counted, wherever these stand now")
  func lateCounts() throws {
    var browser = try browser()
    let library = browser.stories.library
    let counts = try UnreadCounts(browser.feeds.all, in: library, news.context)
    news("feeds", "set", "Other Feed", "--tag", "work")
    news("subscribe", "--no-check", "https://third.example/")
    news("unsubscribe", "Example")
    try reload(&browser)
    browser.take(counts: counts.counts)
    func unread(_ words: String...) -> Int? { browser.feeds.unread[BrowserSource.ID(words: words)] }
    #expect(unread() == 4 && unread("--feed", Sample.other) == 2)
    #expect(
      unread("--feed", "tag:work") == nil && unread("--feed", "https://third.example/") == nil
    )
  }

  // MARK: Stories

  @Test("in another order, or without what is read, the chosen story stays so, but for the top one")
  func orderOfStories() throws {
    var browser = try browser()
    try browser.stories.listAgain(FoundStories([0, 1, 2, 3, 4]), isReversed: true, rows: 22)
    #expect(try browser.stories.selected()?.id == Sample.id(5))
    _ = try press("j", &browser)
    for (positions, isReversed) in [
      ([0, 1, 2, 3, 4], false), ([1, 3], false), ([3, 0], true),
    ] {
      try browser.stories.listAgain(FoundStories(positions), isReversed: isReversed, rows: 22)
      #expect(try browser.stories.selected()?.id == Sample.id(4))
    }
    try browser.stories.listAgain(FoundStories([0, 1, 2]), isReversed: false, rows: 22)
    #expect(try browser.stories.selected()?.id == Sample.id(1))
    #expect(try press("jl<", &browser) == [.listAgain, .listAgain])
  }

  @Test("a line that is typed means the story that was chosen when it was begun, or nothing")
  func typedLine() throws {
    var browser = try browser()
    _ = try press("jj:star", &browser)
    news("delete", Sample.id(1))
    try reload(&browser)
    browser.noteShown()
    #expect(try browser.press(.enter) == [.command(["star", Sample.id(3)])])
    _ = try press(":star", &browser)
    news("delete", Sample.id(3))
    try reload(&browser)
    browser.noteShown()
    #expect(throws: Failure.self) { try browser.press(.enter) }
    browser.noteShown()
    for line in [":star", ":news star"] {
      _ = try press(line, &browser)
      #expect(try browser.press(.enter) == [.command(["star", Sample.id(4)])])
    }
    _ = try press(":undo", &browser)
    news("delete", Sample.id(4))
    try reload(&browser)
    browser.noteShown()
    #expect(try browser.press(.enter) == [.command(["undo"])])
  }

  @Test("keys that were pressed before a story was seen to go do nothing to the one in its place")
  func goneStory() throws {
    var browser = try browser()
    _ = try press("j", &browser)
    news("delete", Sample.id(2))
    try reload(&browser)
    #expect(try browser.stories.selected()?.id == Sample.id(3))
    for key in ["s", "u", "x", "o", "y", "F", "v", "L", "S", "D"] {
      #expect(throws: Failure.self, "\(key)") { try press(key, &browser) }
    }
    #expect(throws: Failure.self) { try browser.press(.enter) }
    browser.noteShown()
    #expect(try press("x", &browser) == [.command(["delete", Sample.id(3)])])
    try reload(&browser, [0, 2])
    #expect(throws: Failure.self) { try press("s", &browser) }
  }

  @Test("picked stories are those of before in every list; of one that has gone the reader learns")
  func picks() throws {
    var browser = try browser()
    _ = try press("vjv", &browser)
    let new = Sample.story(9, "New", hours: 0)
    try news.store.update { library in
      (LibraryChange(StoryChanges(adding: [new])), ())
    }
    try reload(&browser)
    try browser.stories.listAgain(FoundStories(Array(0..<6)), isReversed: true, rows: 22)
    #expect(browser.stories.picked == [Sample.id(1), Sample.id(3)] && browser.lost.isEmpty)
    news("delete", Sample.id(1))
    try reload(&browser)
    #expect(throws: Failure.self) { try press("x", &browser) }
    browser.noteShown()
    #expect(try press("x", &browser) == [.command(["delete", Sample.id(3)])])
  }

  @Test("in a text keys mean its story, and not those that are picked behind it")
  func inText() throws {
    var browser = try browser()
    _ = try press("jvkk", &browser)
    let story = try browser.stories.story(0)
    let shown = ShownStory(
      NamedStory(number: nil, story: story),
      trackers: TrackerRemoval([]),
      in: news.store,
      try news.context,
    )
    browser.text = TextPane(shown, ["line"], columns: 80, hasDetails: false)
    browser.focus = .text
    #expect(try press("x", &browser) == [.command(["delete", Sample.id(1)])])
    #expect(browser.stories.picked == [Sample.id(2)])
    news("delete", Sample.id(1))
    try reload(&browser)
    #expect(throws: Failure.self) { try press("s", &browser) }
  }

  @Test("where no story is to be seen, none is marked")
  func unseen() throws {
    var browser = try browser()
    for keys in ["f", "?"] {
      _ = try press(keys, &browser)
      for key in ["s", "u", "x", "y", "D"] {
        #expect(throws: Failure.self, "\(keys) \(key)") { try press(key, &browser) }
      }
      _ = try browser.press(keys == "f" ? .enter : .escape)
    }
    var wide = try self.browser(columns: 120)
    #expect(try press("fx", &wide) == [.command(["delete", Sample.id(1)])])
  }

  @Test("in a window that becomes lower the chosen rows are still to be seen")
  func resized() throws {
    var browser = try browser()
    _ = try press("G", &browser)
    browser.resize(columns: 80, rows: 5)
    #expect(browser.stories.cursor.range(of: 5, rows: 3).contains(4))
    browser.resize(columns: 80, rows: 24)
    _ = try press("fG", &browser)
    let last = browser.feeds.shown.count - 1
    browser.resize(columns: 80, rows: 5)
    #expect(browser.feeds.cursor.range(of: last + 1, rows: 3).contains(last))
  }

  @Test("A marks the stories that were listed, and none that came behind the list's back")
  func readAll() throws {
    var browser = try browser()
    browser.stories.list(FoundStories([0, 2, 3]), isReversed: true)
    let new = Sample.story(9, "New", hours: 0)
    try news.store.update { library in
      (LibraryChange(StoryChanges(adding: [new])), ())
    }
    let context = try news.context
    let work = BrowserWork(context, news.store)
    work.readAll(browser.stories)
    work.end()
    #expect(work.takeResults().map(\.lines) == [["2 stories marked read"]])
    let items = try news.store.read().items
    let read = try (0..<items.count).filter { try items.item(at: $0).isRead }
    #expect(try read.map { try items.id(at: $0) } == [1, 3, 4].map(Sample.id))
    news("undo")
    #expect(try news.store.read().items.item(at: 1).isRead == false)
  }
}
