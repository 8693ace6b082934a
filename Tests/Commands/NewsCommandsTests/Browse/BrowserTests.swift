import FeedModel
import FeedStorage
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import NewsCommands
@testable import ReadingCommands
@testable import Searching

@Suite("the table view: what keys do")
struct BrowserTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.storeSample()
  }

  private func browser(rows: Int = 24, columns: Int = 80) throws -> Browser {
    let library = try news.store.read(.names)
    var browser = Browser(library)
    (browser.rows, browser.columns) = (rows, columns)
    browser.stories.list(FoundStories(Array(0..<library.items.count)))
    return browser
  }

  private func press(_ keys: String, _ browser: inout Browser) throws -> [BrowserAction] {
    try keys.flatMap { try browser.press(.character($0)) }
  }

  private func shown(_ browser: Browser, _ width: Int = 80) throws -> [String] {
    let context = try CommandContext(
      command: "browse",
      arguments: Arguments(),
      environment: news.testEnvironment,
    )
    let names = FeedName(browser.stories.library)
    return try BrowserView(context: context, names: names, browser: browser).rows()
      .map { TerminalText.unstyled(TerminalText.withoutJumps($0.joined())) }
  }

  @Test("a narrow window shows the stories, unread ones with a point, the chosen one with a mark")
  func stories() throws {
    let rows = try shown(browser(rows: 8))
    #expect(
      rows == [
        TerminalText.fit(" All stories  5 stories", to: 80),
        "> • Newest of all                                   Example              1 h ago",
        "  • 東京で新しい駅が開業 👩‍👩‍👧                         Other Feed           3 h ago",
        "    Café au lait                                    Example            yesterday",
        "  • A title that goes on and on until no terminal…  Example           2 days ago",
        "  • ★ Oldest                                        Other Feed       27 Sep 2025",
        "", "Enter read  n next unread  s star  / filter  f feeds  z undo  ? keys  q quit",
      ]
    )
    var small = try browser(rows: 8)
    small.columns = 30
    #expect(try shown(small).last == "Enter read  ? keys  q quit")
  }

  @Test("the bottom line names the keys that an operation has now, and none that has lost its key")
  func ownKeys() throws {
    var keys = KeyMap(.news)
    for line in ["z", "u undo --ask", "s :star ; n", "x x toggle-star", "q", "Q", "^C"] {
      try keys.take(line[...])
    }
    var browser = Browser(try news.store.read(.names), keys: keys)
    (browser.rows, browser.columns) = (8, 120)
    let bottom = try shown(browser).last
    #expect(
      bottom
        == "Enter read  n next unread  x x star  / filter  f feeds  a subscribe  u undo  ? keys"
    )
  }

  @Test("a story that has something to be played has a note before its title")
  func recordings() throws {
    let news = try CommandRun()
    var stories = [1, 2].map { Sample.story($0, "Story \($0)", hours: $0) }
    stories[0].item.enclosures = [Enclosure(url: "https://a.example/1.mp3", type: "audio/mpeg")]
    stories[1].item.enclosures = [Enclosure(url: "https://a.example/1.png", type: "image/png")]
    try news.store(stories, subscriptions: [])
    var browser = Browser(try news.store.read(.names))
    (browser.rows, browser.columns) = (6, 80)
    browser.stories.list(FoundStories([0, 1]))
    let rows = try shown(browser)
    #expect(rows[1].hasPrefix("> • ♪ Story 1 ") && rows[2].hasPrefix("  • Story 2 "))
  }

  @Test("x deletes the chosen story, or those that are selected")
  func deleting() throws {
    var browser = try browser()
    #expect(try press("x", &browser) == [.command(["delete", Sample.id(1)])])
    #expect(try press("vvx", &browser) == [.command(["delete", Sample.id(1), Sample.id(2)])])
  }

  @Test("j, k, g, G and pages choose a story, and never go beyond the list")
  func moving() throws {
    var browser = try browser(rows: 5)
    func selected() -> Int { browser.stories.cursor.selected }
    _ = try press("jj", &browser)
    #expect(selected() == 2)
    _ = try press("kkk", &browser)
    #expect(selected() == 0)
    _ = try browser.press(.pageDown)
    #expect(selected() == 3 && browser.stories.cursor.top == 1)
    _ = try press("Gjj", &browser)
    #expect(selected() == 4 && browser.stories.cursor.top == 2)
    _ = try press("g", &browser)
    #expect(selected() == 0 && browser.stories.cursor.top == 0)
  }

  @Test("Enter shows a story and marks it read, once")
  func reading() throws {
    var browser = try browser()
    let actions = try browser.press(.enter)
    let story = try browser.stories.story(0)
    #expect(story.isRead && browser.focus == .text)
    #expect(
      actions.dropFirst() == [
        .mark(ids: [Sample.id(1)], [.read: true], command: "browse")
      ]
    )
    browser.focus = .stories
    #expect(try browser.press(.enter).count == 1)
  }

  @Test("n and p pass over what is read; behind the last one n goes on above, then in other feeds")
  func unread() throws {
    var browser = try browser()
    _ = try press("nn", &browser)
    #expect(browser.stories.cursor.selected == 3)
    _ = try press("p", &browser)
    #expect(browser.stories.cursor.selected == 1)
    _ = try press("nnn", &browser)
    #expect(browser.stories.cursor.selected == 0)
    _ = try press("p", &browser)
    #expect(browser.message == "no unread story above")
    for index in [0, 1, 3, 4] {
      browser.stories.select(index, rows: 22)
      _ = try press("u", &browser)
    }
    _ = try press("n", &browser)
    #expect(browser.message == "no unread story here")
    let example = try #require(browser.feeds.shown.firstIndex { $0.name == "Example" })
    browser.take(counts: [BrowserSource.ID(feed: Sample.other): 1])
    _ = try press("f" + String(repeating: "j", count: example), &browser)
    browser.stories.list(FoundStories([]))
    #expect(try press("n", &browser) == [.listUnread] && browser.source.name == "Other Feed")
  }

  @Test("n looks at few rows by itself; for the others the unread stories are counted first")
  func farUnread() throws {
    var browser = try browser()
    browser.stories.reach = 2
    browser.stories.select(1, rows: 22)
    news("read", "--all")
    let library = try news.store.read(.names)
    try browser.update(to: library, FoundStories(Array(0..<5)))
    #expect(try press("n", &browser) == [.countForUnread(step: 1)])
    #expect(browser.message == "looking for unread stories…")
    let context = try CommandContext(
      command: "browse",
      arguments: Arguments(),
      environment: news.testEnvironment,
    )
    news("undo")
    let counts = try UnreadCounts(browser.feeds.all, in: news.store.read(.names), context)
    browser.stories.learn(counts)
    #expect(try press("n", &browser) == [.countForUnread(step: 1)])
    browser.stories.learn(try UnreadCounts(browser.feeds.all, in: library, context))
    #expect(try press("n", &browser).isEmpty && browser.message == "no unread story here")
    // A story that has just been marked unread is found before the mark is stored.
    _ = try press("juk", &browser)
    #expect(try press("n", &browser).isEmpty && browser.stories.cursor.selected == 2)
    _ = try press("u", &browser)
    browser.stories.learn(try UnreadCounts(browser.feeds.all, in: library, context))
    #expect(try press("n", &browser).isEmpty && browser.message == "no unread story here")
  }

  @Test("u and s set a mark or take it, and are seen at once")
  func marks() throws {
    var browser = try browser()
    #expect(
      try press("ss", &browser) == [
        .mark(ids: [Sample.id(1)], [.starred: true], command: "star"),
        .mark(ids: [Sample.id(1)], [.starred: false], command: "unstar"),
      ]
    )
    #expect(
      try press("jju", &browser) == [
        .mark(ids: [Sample.id(3)], [.read: false], command: "unread")
      ]
    )
    #expect(try !browser.stories.story(2).isRead)
  }

  @Test("z makes unread again what was just opened, and then takes back the change before")
  func takingBack() throws {
    var browser = try browser()
    _ = try press("s", &browser)
    _ = try browser.press(.enter)
    let back = BrowserAction.mark(
      ids: [Sample.id(1)],
      [.read: false],
      command: "browse",
    )
    #expect(try press("z", &browser) == [back] && browser.message == "1 story is unread again")
    #expect(try !browser.stories.story(0).isRead && browser.focus == .text)
    #expect(try press("z", &browser) == [.command(["undo", "--ask"])])
    browser.focus = .stories
    for key in ["s", "A"] {
      _ = try browser.press(.enter)
      browser.focus = .stories
      _ = try press(key, &browser)
      #expect(try press("z", &browser) == [.command(["undo", "--ask"])], "\(key)")
      _ = try press("u", &browser)
    }
  }

  @Test("a story is read once its link is open, and Enter says so where it opens the browser")
  func opening() throws {
    news("feeds", "set", "Example", "--open", "browser")
    var browser = try browser()
    let story = try browser.stories.story(0)
    let link = BrowserAction.open(story.item.link, reading: story)
    #expect(try press("o", &browser) == [link])
    #expect(try shown(browser).last?.hasPrefix("Enter open  ") == true)
    #expect(try browser.press(.enter) == [link])
    #expect(try !browser.stories.story(0).isRead)
    _ = try press("j", &browser)
    #expect(try shown(browser).last?.hasPrefix("Enter read  ") == true)
  }

  @Test("in a text, what stands above its story or below it is marked as read")
  func readRestOfText() throws {
    var browser = try browser()
    browser.stories.select(3, rows: 22)
    _ = try browser.press(.enter)
    browser.text = try text(of: 3, browser)
    for (line, stories) in [(":read above", [1, 2]), (":read below", [5])] {
      _ = try press(line, &browser)
      #expect(
        try browser.press(.enter) == [
          .mark(ids: stories.map(Sample.id), [.read: true], command: "read")
        ]
      )
    }
  }

  @Test("next-feed and the like go through the feeds, those that are unread or all")
  func nextFeed() throws {
    var browser = try browser()
    func go(_ line: String) throws -> String {
      _ = try press(":" + line, &browser)
      _ = try browser.press(.enter)
      return browser.message.isEmpty ? browser.source.name : browser.message
    }
    #expect(try go("next-feed") == "Example" && browser.focus == .stories)
    #expect(try go("next-feed") == "Other Feed")
    #expect(try go("next-feed") == "no feed below")
    #expect(try go("previous-feed") == "Example")
    #expect(try go("previous-unread-feed") == "no unread feed above")
    browser.take(counts: [BrowserSource.ID(feed: Sample.other): 1])
    #expect(try go("next-unread-feed") == "Other Feed")
  }

  @Test("a click chooses, on what is chosen it opens; the wheel moves what is below it")
  func mouse() throws {
    var browser = try browser()
    #expect(try browser.press(.click(row: 3, column: 5)).isEmpty)
    #expect(browser.stories.cursor.selected == 2)
    #expect(try browser.press(.click(row: 3, column: 5)).count == 1)
    browser.focus = .stories
    #expect(try browser.press(.click(row: 23, column: 5)).isEmpty)
    #expect(try browser.press(.click(row: 15, column: 5)).isEmpty)
    _ = try browser.press(.wheelUp(row: 3, column: 5))
    #expect(browser.stories.cursor.selected == 0)
  }

  @Test(
    "it begins with what the options say, which is a source of its own where there is none such"
  )
  func beginning() throws {
    let library = try news.store.read(.names)
    var query = StoryQuery()
    query.isUnread = true
    #expect(Browser(library, [], query, ["--unread"]).source.name == "Unread")
    query.feeds = [Sample.feed]
    var browser = Browser(library, [], query, ["--feed", "example", "--unread"])
    #expect(browser.source.name == "feed example unread")
    browser.update(sources: BrowserSource.all(of: library.subscriptions, []))
    #expect(browser.source.name == "feed example unread")
  }

  @Test("one goes back to the source and the story that one left, or else to an unread one")
  func place() throws {
    var left = try browser()
    _ = try press("jjj<", &left)
    var place = try #require(left.place)
    #expect(place.source == [] && place.story == Sample.id(4) && place.isReversed)
    #expect(!place.isGrouped && !place.hidesRead && place.feedOrder == "" && place.folded == [])
    place.texts.note(Sample.id(2), TextPlace(line: 3, lines: 40, start: "Words"))
    try news.store.save(place)
    #expect(try news.store.browsePlace() == place)

    func row(of place: BrowsePlace) throws -> Int {
      var browser = try browser()
      browser.goBack(toSourceOf: place)
      #expect(browser.isReversed == place.isReversed && browser.source.name == "All stories")
      browser.stories.list(FoundStories(Array(0..<browser.stories.library.items.count)))
      _ = try browser.goBack(toStory: place.story)
      return browser.stories.cursor.selected
    }
    #expect(try row(of: BrowsePlace(story: Sample.id(4))) == 3)
    news("read", "4")
    #expect(try row(of: BrowsePlace(story: Sample.id(4))) == 0)
    let gone = BrowsePlace(source: ["--feed", "https://gone.example"], story: "gone")
    #expect(try row(of: gone) == 0)
    news("read", "--all")
    #expect(try row(of: BrowsePlace(story: Sample.id(4))) == 3)
    #expect(news("clear", "--history").status == 0)
    #expect(try news.store.browsePlace() == nil)
  }

  @Test("a view that the command line alone can ask for is no place to go back to")
  func ownPlace() throws {
    let library = try news.store.read(.names)
    var query = StoryQuery()
    query.isUnread = true
    query.feeds = [Sample.feed]
    #expect(Browser(library, [], query, ["--feed", "example", "--unread"]).place == nil)
  }

  @Test(
    "turned round, the list has the order that the message names",
    arguments: [
      ("", "sorted by date, oldest first"), ("-sort:date", "sorted by date, newest first"),
      ("sort:title", "sorted by title, Z to A"), ("sort:unread", "sorted by state, read first"),
    ],
  )
  func turnedOrder(_ filter: String, _ message: String) throws {
    var browser = try browser()
    browser.filter = filter
    #expect(try press("<", &browser) == [.listAgain] && browser.message == message)
  }

  @Test("a link to a mail address is copied, and named where it would be opened")
  func mailLink() throws {
    let news = try CommandRun()
    let text = "<p>Write to <a href='mailto:ed@a.example'>us</a>.</p>"
    let item =
      "<item><title>a</title><link>https://a.example/1</link>"
      + "<description><![CDATA[\(text)]]></description></item>"
    let feed = "<rss version='2.0'><channel><title>A</title>\(item)</channel></rss>"
    news.fetcher.serve(Sample.feed, .init(body: feed))
    #expect(news("subscribe", Sample.feed).status == 0)
    var browser = Browser(try news.store.read(.names))
    browser.stories.list(FoundStories([0]))
    let named = NamedStory(number: nil, story: try browser.stories.story(0))
    let shown = ShownStory(named, trackers: TrackerRemoval([]), in: news.store, try news.context)
    browser.text = TextPane(shown, ["line"], columns: 80, hasDetails: false)
    #expect(try press("2y", &browser) == [.copy("mailto:ed@a.example")])
    let said = "link 2 is a mail address: ed@a.example; 2y copies it"
    #expect(try press("2o", &browser).isEmpty && browser.message == said)
  }

  @Test("in a search the bottom line says that n goes to the next match, and not behind it")
  func searchHint() throws {
    var browser = try browser()
    _ = try browser.press(.enter)
    browser.text = try text(of: 0, browser)
    #expect(try shown(browser).last?.hasPrefix("Space on  n next unread  o open") == true)
    _ = try press("/line", &browser)
    _ = try browser.press(.enter)
    #expect(try shown(browser).last?.hasPrefix("Space on  n next match  o open") == true)
    _ = try browser.press(.escape)
    #expect(try shown(browser).last?.hasPrefix("Space on  n next unread") == true)
    browser.show(["a line"])
    #expect(try shown(browser).last?.hasPrefix("Space on  / search") == true)
    _ = try press("/line", &browser)
    _ = try browser.press(.enter)
    #expect(try shown(browser).last?.hasPrefix("Space on  n next match  / search") == true)
    browser.focus = .feeds
    _ = try press("/ex", &browser)
    _ = try browser.press(.enter)
    #expect(try shown(browser).last?.hasPrefix("Enter stories  n next match  A all read") == true)
  }

  @Test("links stand in a menu until one leaves it; a number chooses one to open or to copy")
  func linkMenu() throws {
    var browser = try browser()
    _ = try browser.press(.enter)
    let shown = try text(of: 0, browser)
    browser.text = shown
    let story = try browser.stories.story(0)
    #expect(try press("L", &browser) == [.showLinks(story)])
    let menu = TextPane(shown.shown, ["[1] a"], columns: 80, hasDetails: false, isMenu: true)
    browser.show(menu)
    #expect(try self.shown(browser).last?.contains("number and Enter opens") == true)
    let link = story.item.link
    _ = try press("1", &browser)
    #expect(try browser.press(.enter) == [.open(link, reading: nil)])
    #expect(try press("1y", &browser) == [.copy(link)])
    #expect(try press("9y", &browser).isEmpty && browser.message == "there is no link 9")
    _ = try press("?", &browser)
    #expect(browser.text?.shown == nil)
    _ = try browser.press(.escape)
    #expect(browser.focus == .text && browser.text?.isMenu == false)
    browser.show(menu)
    #expect(try press("L", &browser).isEmpty)
    #expect(browser.focus == .text && browser.text?.isMenu == false)
    _ = try browser.press(.escape)
    #expect(browser.focus == .stories)
  }

  @Test("feeds stand under their tags, which fold them away until one looks for a feed by name")
  func folding() throws {
    news("feeds", "set", "Example", "--tag", "work")
    var browser = try browser()
    func rows() -> [String] { browser.feeds.shown.dropFirst(3).map(\.name) }
    let work = BrowserSource.ID(words: ["--feed", "tag:work"])
    let (example, other) = (
      BrowserSource.ID(feed: Sample.feed), BrowserSource.ID(feed: Sample.other),
    )
    browser.take(counts: [work: 3, example: 3, other: 2])
    _ = try press("ftj", &browser)
    #expect(browser.source.name == "Example")
    #expect(try press("-", &browser) == [.list])
    #expect(rows() == ["work", "Other Feed"] && browser.source.name == "work")
    #expect(try shown(browser).contains { $0.hasPrefix("> +#work ") && $0.hasSuffix(" 3") })
    let place = try #require(browser.place)
    #expect(place.folded == ["work"])
    // The folded tag's unread story follows the last one of another feed.
    _ = try press("j", &browser)
    browser.stories.list(FoundStories([]))
    #expect(try press("n", &browser) == [.listUnread] && browser.source.name == "work")
    #expect(try press("-", &browser).isEmpty)
    #expect(rows() == ["work", "Example", "Other Feed"])
    _ = try press("fj+", &browser)
    #expect(rows() == ["work", "Other Feed"] && browser.source.name == "work")
    #expect(try press("/exam", &browser).contains(.list))
    #expect(rows() == ["work", "Example", "Other Feed"] && browser.source.name == "Example")
    _ = try browser.press(.escape)
    // The choice stays with its tag, though both are read out.
    browser.take(counts: [work: 0, example: 0, other: 2])
    _ = try press("l", &browser)
    #expect(rows() == ["work", "Example", "Other Feed"] && browser.source.name == "Example")
    _ = try press("l", &browser)
    var later = try self.browser()
    later.goBack(toSourceOf: place)
    #expect(later.feeds.shown.dropFirst(3).map(\.name) == ["work", "Other Feed"])
    #expect(later.source.name == "work")
  }

  @Test("a story is found in a list of any order")
  func rows() throws {
    var browser = try browser()
    for positions in [[0, 1, 2, 3, 4], [4, 2, 0, 3, 1]] {
      for isReversed in [false, true] {
        browser.stories.list(FoundStories(positions), isReversed: isReversed)
        for position in 0..<5 {
          let id = try browser.stories.library.items.id(at: position)
          let row = try #require(positions.firstIndex(of: position))
          #expect(try browser.stories.index(ofID: id) == (isReversed ? 4 - row : row))
        }
      }
    }
    browser.stories.list(FoundStories([4, 0]))
    #expect(try browser.stories.index(ofID: Sample.id(3)) == nil)
  }

  @Test("saved searches are among the feeds, and tags that stories have; rules that act are not")
  func searches() throws {
    news("rules", "add", "coffee", "--grep", "cafe")
    news("rules", "add", "stars", "--feed", "Example", "--then", "tag:Mine")
    news("rules", "apply", "stars")
    let library = try news.store.read(.names)
    var browser = Browser(library, try news.store.rules())
    #expect(browser.feeds.shown.map(\.name).contains(["coffee", "Mine", "Example"]))
    let context = try CommandContext(
      command: "browse",
      arguments: Arguments(),
      environment: news.testEnvironment,
    )
    let counts = try UnreadCounts(browser.feeds.all, in: library, context).counts
    #expect(counts[BrowserSource.ID(words: ["--feed", "search:coffee"])] == 0)
    #expect(counts[BrowserSource.ID(words: ["--feed", "tag:Mine"])] == 3)
    _ = try press("ft", &browser)
    #expect(try context.positions(of: browser.query(), in: library).count == 4)
  }

  @Test("the feeds' pane has views, tags and feeds, and chooses what is listed")
  func feeds() throws {
    news("feeds", "set", "Example", "--tag", "Work")
    var browser = try browser()
    #expect(
      browser.feeds.shown.map(\.name) == [
        "All stories", "Unread", "Starred", "Work", "Example", "Other Feed",
      ]
    )
    _ = try press("f", &browser)
    #expect(browser.focus == .feeds)
    #expect(try press("t", &browser) == [.list])
    #expect(try browser.query().feeds == [Sample.feed])
    #expect(try press("A", &browser) == [.readAll])
    #expect(try press("j", &browser) == [.list])
    #expect(try press("d", &browser) == [.command(["clear", "--feed", Sample.feed])])
    _ = try press(":clear", &browser)
    #expect(try browser.press(.enter) == [.command(["clear", "--feed", Sample.feed])])
    _ = try press("gj", &browser)
    #expect(try press("d", &browser).isEmpty && browser.question == nil)
  }

  @Test("unread stories are counted for each source, once for a tag of several feeds")
  func counts() throws {
    for feed in ["Example", "Other"] { news("feeds", "set", feed, "--tag", "work") }
    let browser = try browser()
    let context = try CommandContext(
      command: "browse",
      arguments: Arguments(),
      environment: news.testEnvironment,
    )
    let counts = try UnreadCounts(browser.feeds.all, in: browser.stories.library, context).counts
    #expect(
      browser.feeds.shown.map { "\($0.name) \(counts[$0.id] ?? 0)" } == [
        "All stories 4", "Unread 4", "Starred 1", "work 4", "Example 3", "Other Feed 2",
      ]
    )
  }

  @Test("a filter is typed in place; Escape takes back what was typed")
  func filter() throws {
    var browser = try browser()
    #expect(try press("/ca", &browser) == [.list, .list])
    #expect(browser.filter == "ca" && browser.question != nil)
    _ = try browser.press(.backspace)
    _ = try browser.press(.pasted("afé q"))
    #expect(browser.filter == "café q")
    _ = try browser.press(.enter)
    #expect(try press("Q", &browser) == [.quit])
    _ = try press("/x", &browser)
    _ = try browser.press(.escape)
    #expect(browser.filter == "café q")
    _ = try press("/", &browser)
    _ = try browser.press(.control("u"))
    _ = try press("/(/", &browser)
    #expect(throws: SearchFault.self) { try browser.query() }
  }

  @Test("what others have saved leaves the chosen story where it stands on the screen")
  func update() throws {
    var browser = try browser(rows: 5)
    _ = try press("jjj", &browser)
    let row = browser.stories.cursor.selected - browser.stories.cursor.top
    let new = [Sample.story(8, "New", hours: 0), Sample.story(9, "Newer", hours: 0)]
    try news.store.update { _ in
      (LibraryChange(StoryChanges(adding: new)), ())
    }
    let library = try news.store.read(.names)
    try browser.update(to: library, FoundStories(Array(0..<7)))
    #expect(try browser.stories.selected()?.id == Sample.id(4))
    #expect(browser.stories.cursor.selected - browser.stories.cursor.top == row)
    news("clear", "--yes")
    try browser.update(to: try news.store.read(.names), FoundStories([]))
    browser.noteShown()
    #expect(try browser.stories.selected() == nil)
    #expect(try press("jn\u{20}sou", &browser).isEmpty)
  }

  @Test("the title line says how far down a text one is, while the text is longer than the screen")
  func position() throws {
    var browser = try browser(rows: 12)
    func title(_ lines: Int) throws -> String {
      browser.focus = .text
      browser.text = try text(of: 0, browser, lines: lines)
      return try shown(browser)[0]
    }
    #expect(try !title(10).contains("%"))
    #expect(try title(40).hasSuffix("  25 % "))
    _ = try press("j", &browser)
    #expect(try shown(browser)[0].hasSuffix("  27 % "))
    _ = try press("G", &browser)
    #expect(try shown(browser)[0].hasSuffix(" 100 % "))
    _ = try browser.press(.escape)
    #expect(try !shown(browser)[0].contains("%"))
  }

  private func text(of index: Int, _ browser: Browser, lines: Int = 1) throws -> TextPane {
    try text(of: index, browser, Array(repeating: "line", count: lines))
  }

  private func text(of index: Int, _ browser: Browser, _ lines: [String]) throws -> TextPane {
    let context = try CommandContext(
      command: "browse",
      arguments: Arguments(),
      environment: news.testEnvironment,
    )
    let named = NamedStory(number: nil, story: try browser.stories.story(index))
    let shown = ShownStory(named, trackers: TrackerRemoval([]), in: news.store, context)
    return TextPane(shown, lines, columns: 80, hasDetails: false)
  }

  @Test("a text that is opened again is where it was left, in another layout and when it has grown")
  func textPlace() throws {
    var browser = try browser()
    let sentences = (0..<100).map { "The sentence \($0) says so." }
    browser.open(try text(of: 0, browser, sentences))
    browser.focus = .text
    _ = try browser.move(by: 30)
    #expect(browser.text?.top == 30)
    browser.open(try text(of: 1, browser, lines: 100))
    #expect(browser.text?.top == 0)
    browser.show(["what a command printed"])
    browser.open(try text(of: 0, browser, sentences))
    #expect(browser.text?.top == 30)
    browser.open(try text(of: 0, browser, ["Its other text is short."]))
    browser.open(try text(of: 0, browser, sentences))
    #expect(browser.text?.top == 30)
    // The next visit has another window, and the feed another text.
    var next = try self.browser()
    func top(_ lines: [String]) throws -> Int? {
      next.textPlaces = browser.textPlaces
      next.open(try text(of: 0, next, lines))
      return next.text?.top
    }
    #expect(try top(sentences.flatMap { ["> \($0.dropLast(8))", "> says so."] }) == 60)
    #expect(try top(sentences + (0..<200).map { "Appendix \($0)" }) == 30)
    #expect(try top((0..<50).map { "New \($0)" } + sentences) == 80)
    // The place itself is gone: its share of the text remains.
    #expect(try top((0..<200).map { "Other \($0)" }) == 60)
    next.focus = .text
    _ = try next.move(by: -Browser.far)
    #expect(next.textPlaces.isEmpty)
  }

  @Test("what a command prints is shown in lines, whichever way they end")
  func printedLines() {
    let printed = PrintedLines(progress: TextOutput { _ in 0 })
    printed.output.print("one\r\ntwo\n1 of 2\r\u{1b}[Kthree\r\n")
    #expect(printed.lines == ["one", "two", "three"])
  }

  @Test("details are at the top of a text; without them it is again where it was")
  func detailsPlace() throws {
    var browser = try browser()
    browser.open(try text(of: 0, browser, (0..<100).map { "Sentence \($0) says so." }))
    browser.focus = .text
    _ = try browser.move(by: 30)
    _ = browser.toggleDetails()
    #expect(browser.hasDetails && browser.text?.top == 0)
    _ = browser.toggleDetails()
    #expect(!browser.hasDetails && browser.text?.top == 30)
  }

  @Test("of two views, the one left last keeps the places that the other had noted")
  func placesOfTwoViews() {
    func places(_ lines: [String: Int]) -> TextPlaces {
      var places = TextPlaces()
      for (story, line) in lines.sorted(by: <) { places.note(story, TextPlace(line: line)) }
      return places
    }
    let start = places(["a": 1, "b": 2, "c": 3])
    let own = places(["a": 1, "b": 20, "d": 4])
    let other = places(["a": 10, "b": 2, "c": 3, "e": 5])
    let all = own.added(to: other, since: start)
    let lines = ["a", "b", "c", "d", "e"].map { all[$0]?.line }
    #expect(lines == [10, 20, nil, 4, 5])
  }

  @Test("panes: one at 80 columns, two from 113, three from 156")
  func layout() {
    func panes(_ columns: Int, _ focus: BrowserPane) -> [String] {
      BrowserLayout(columns: columns, rows: 24, focus: focus).slots
        .map { "\($0.pane) \($0.column)+\($0.width)" }
    }
    #expect(panes(80, .stories) == ["stories 0+80"])
    #expect(panes(112, .feeds) == ["feeds 0+112"])
    #expect(panes(113, .feeds) == ["feeds 0+30", "stories 33+80"])
    #expect(panes(122, .text) == ["text 0+122"])
    #expect(panes(123, .text) == ["stories 0+40", "text 43+80"])
    #expect(panes(156, .text) == ["feeds 0+30", "stories 33+40", "text 76+80"])
    #expect(panes(200, .stories) == ["feeds 0+30", "stories 33+84", "text 120+80"])
  }

  @Test(
    "any window gets as many rows as it has, none wider than it",
    arguments: [1, 2, 3, 24],
    [10, 40],
  )
  func small(_ rows: Int, _ columns: Int) throws {
    var browser = try browser(rows: rows, columns: columns)
    for key in "?jf/xjG" {
      _ = try browser.press(.character(key))
      let shown = try shown(browser)
      #expect(shown.count == rows)
      #expect(shown.allSatisfy { TerminalText.width($0) <= columns }, "\(shown)")
    }
  }

  @Test("a dressed line is folded at the edge, each piece dressed as the whole is")
  func folded() {
    let style = Style(isColored: true, hasHyperlinks: true)
    let line = "ab" + style.bold("cd漢") + style.link("efgh", to: "https://a.example/")
    let pieces = TerminalText.folded(line, to: 4)
    #expect(pieces.map(TerminalText.unstyled) == ["abcd", "漢ef", "gh"])
    #expect(pieces[1].hasPrefix("\u{1b}[1m漢\u{1b}[0m\u{1b}]8;;https://a.example/\u{1b}\\ef"))
    #expect(pieces[1].hasSuffix("\u{1b}]8;;\u{1b}\\"))
    #expect(pieces[2] == style.link("gh", to: "https://a.example/"))
    #expect(TerminalText.folded("漢字", to: 1) == ["漢", "字"])
    let marked = style.bold("\u{301}abcd") + "efgh"
    #expect(
      TerminalText.folded(marked, to: 3).map { TerminalText.width(TerminalText.unstyled($0)) } == [
        3, 3, 2,
      ]
    )
  }

  @Test("browse is refused where there is no terminal, or none that can move its cursor")
  func refused() {
    let error = "news: browse needs a terminal; `news list` prints the stories\n"
    #expect(news("browse").errors == error)
    news.useTerminal(80, variables: ["TERM": "dumb"])
    #expect(news("browse") == CommandResult(output: "", errors: error, status: 1))
    news.variables["TERM"] = "xterm"
    #expect(news("browse", "example").status == 64)
    for word in ["nowhere", "tag:nowhere", "search:nowhere"] {
      #expect(news("browse", "--feed", word).status == 1, "\(word)")
    }
  }
}
