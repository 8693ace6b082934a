import FeedFetching
import FeedModel
import FeedStorage
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import ReadingCommands
@testable import Searching
@testable import System

@Suite("the table view: what the screen shows is what keys take")
struct BrowserDrawnTests {
  private let news: CommandRun
  private static let titles = ["Newest of all", "東京で", "Café au lait", "A title that", "Oldest"]

  init() throws {
    news = try CommandRun()
    try news.storeSample()
  }

  private func browser(columns: Int = 80, rows: Int = 24) throws -> Browser {
    var browser = Browser(try news.store.read(.names), try news.store.rules())
    browser.resize(columns: columns, rows: rows)
    try browser.list(try news.context)
    return browser
  }

  /// Presses keys and lists as a session does; returns what is left to be done.
  private func press(_ keys: [Key], _ browser: inout Browser) throws -> [BrowserAction] {
    var rest: [BrowserAction] = []
    for key in keys {
      browser.noteShown()
      for action in try browser.press(key) {
        switch action {
        case .list: try? browser.list(try news.context)
        case .listAgain: try browser.list(try news.context, isAgain: true)
        case .settle(let before): try browser.settle(try news.context, before: before)
        default: rest.append(action)
        }
      }
    }
    return rest
  }

  private func press(_ keys: String, _ browser: inout Browser) throws -> [BrowserAction] {
    try press(keys.map { Key.character($0) }, &browser)
  }

  private func screen(_ browser: Browser) throws -> [String] {
    let names = FeedName(browser.stories.library)
    return try BrowserView(context: try news.context, names: names, browser: browser).rows()
      .map { TerminalText.unstyled(TerminalText.withoutJumps($0.joined())) }
  }

  /// Returns the ids of the stories whose titles are on the screen.
  private func drawn(_ browser: Browser) throws -> Set<String> {
    let text = try screen(browser).dropFirst().joined()
    return Set(
      Self.titles.indices.filter { text.contains(Self.titles[$0]) }.map { Sample.id($0 + 1) }
    )
  }

  /// Returns the ids of the stories that the actions are about.
  private func taken(_ actions: [BrowserAction], _ browser: Browser) throws -> Set<String> {
    Set(
      try actions.flatMap { action -> [String] in
        switch action {
        case .mark(let ids, _, _): ids
        case .readAll:
          try browser.stories.listed.map { try browser.stories.library.items.id(at: $0) }
        case .command(let words): words.filter { (1...9).map(Sample.id).contains($0) }
        case .program(_, let stories): stories.map(\.id)
        case .save(let story), .show(let story), .fetchPage(let story), .showLinks(let story):
          [story.id]
        default: []
        }
      }
    )
  }

  /// Lists the stories of the feed of four, in the order that the list has.
  private func rows(_ browser: Browser) throws -> [String] {
    try browser.stories.positions.map { try browser.stories.library.items.id(at: $0) }
  }

  @Test("what stands above or below the row is read, whatever the order, and not the row itself")
  func rest() throws {
    for order in ["", "<", "c"] {
      var browser = try browser()
      _ = try press(order + "jj", &browser)
      let ids = try rows(browser)
      let unread = Set(try ids.filter { try browser.stories.story(withID: $0)?.isRead == false })
      let above = try press([Key](":read above".map(Key.character)) + [.enter], &browser)
      #expect(try taken(above, browser) == unread.intersection(ids.prefix(2)), "\(order)")
      let below = try press([Key](":read below".map(Key.character)) + [.enter], &browser)
      #expect(try taken(below, browser) == unread.intersection(ids.dropFirst(3)), "\(order)")
      #expect(try press([Key](":read above".map(Key.character)) + [.enter], &browser) == [])
      #expect(browser.message == "no unread story above")
    }
  }

  @Test(
    "Enter opens what the story's feed says, and Space its text",
    arguments: ["browser", "page"],
  )
  func opening(_ place: String) throws {
    news("feeds", "set", "example", "--open", place)
    var browser = try browser()
    let opened = try press([.enter], &browser)
    #expect(
      opened.contains {
        switch $0 {
        case .open(_, let story): place == "browser" && story != nil
        case .fetchPage: place == "page"
        default: false
        }
      },
      "\(opened)",
    )
    let isMarked = opened.contains { if case .mark = $0 { true } else { false } }
    #expect(isMarked == (place == "page"))
    var other = try self.browser()
    let text = try press([.character(" ")], &other)
    #expect(!text.contains { if case .open = $0 { true } else { false } })
    #expect(text.contains { if case .show = $0 { true } else { false } })
  }

  private static let wrong = [
    "auther:lee", "/(/", "/[/", "is:blue", "since:never", "length:many", "cafe OR", "(cafe",
  ]
  private static let actions = ["A", "u", "s", "x", "e", "D", "S", "|", "%x", "%s", "vjvx", "vu"]

  @Test(
    "a wrong search is refused and nothing is taken by it",
    arguments: wrong,
    ["", "<", "c", "l"],
  )
  func wrongSearches(_ search: String, _ view: String) throws {
    for keys in Self.actions {
      var browser = try browser()
      _ = try press(view + "/cafe", &browser)
      _ = try press([.enter], &browser)
      let before = try drawn(browser)
      #expect(before.count == (view == "l" ? 0 : 1))
      _ = try press([.character("/"), .control("u")], &browser)
      _ = try press(search, &browser)
      #expect(throws: (any Error).self, "\(search)") { try press([.enter], &browser) }
      #expect(browser.question?.kind == .filter(before: "cafe"))
      let shown = try drawn(browser)
      let typed = try press(keys, &browser)
      #expect(typed.isEmpty, "\(keys) is typed")
      // Another process deletes a story, and the list comes anew while the search is wrong.
      news("delete", Sample.id(1))
      try browser.listAnew(in: try news.store.read(.names), try news.context)
      #expect(try drawn(browser).isSubset(of: shown))
      news("undo")
      _ = try press([.escape], &browser)
      #expect(try drawn(browser) == before && screen(browser)[0].contains("/cafe"))
      #expect(try taken(press(keys, &browser), browser).isSubset(of: before), "\(keys)")
    }
  }

  @Test("all keys take stories of the screen alone, in every order, group and search")
  func rightSearches() throws {
    for view in ["", "<", "c", "l", "<c", "fjj", "/of\n", "/title OR cafe\n", "/is:unread\n"] {
      for keys in Self.actions {
        var browser = try browser()
        let typed = view.map { $0 == "\n" ? Key.enter : .character($0) }
        _ = try press(typed + (view.hasPrefix("f") ? [.enter] : []), &browser)
        let shown = try drawn(browser)
        // What is stored behind the list's back is in no action before it is on the screen.
        let new = Sample.story(9, "Of title, new", hours: 0)
        try news.store.update { _ in (LibraryChange(StoryChanges(adding: [new])), ()) }
        let taken = try taken(press(keys, &browser), browser)
        #expect(taken.isSubset(of: shown), "\(view) \(keys)")
        if keys == "A" || keys.hasPrefix("%") { #expect(taken == shown, "\(view) \(keys)") }
        news("delete", Sample.id(9))
      }
    }
  }

  @Test("a list that cannot be made is empty, and no key takes stories of the one before")
  func listWithFault() throws {
    var browser = try browser()
    browser.filter = "auther:lee"
    #expect(throws: (any Error).self) { try browser.list(try news.context) }
    for keys in Self.actions {
      #expect(try taken(press(keys, &browser), browser).isEmpty, "\(keys)")
    }
  }

  @Test("what is read in a search for unread stories stays in the list, as in the list of these")
  func readInPlace() throws {
    for filter in ["is:unread", "is:unread -nothing", "(is:unread of) OR is:starred"] {
      news("unread", "--all")
      var browser = try browser()
      browser.filter = filter
      try browser.list(try news.context)
      let before = try browser.stories.ids()
      browser.readHere = before
      news("read", "--all")
      try browser.listAnew(in: try news.store.read(), try news.context)
      let isKept = try browser.stories.ids() == before
      #expect(isKept == !filter.contains("OR") && !before.isEmpty, "\(filter)")
    }
  }

  @Test("commands about feeds take those of the picked rows, each once")
  func pickedFeeds() throws {
    for (keys, action) in [
      ("R", BrowserAction.refresh([Sample.feed, Sample.other])),
      (":unsubscribe", .command(["unsubscribe", Sample.feed, Sample.other])),
      (":feeds set --full", .command(["feeds", "set", "--full", Sample.feed, Sample.other])),
    ] {
      var browser = try browser()
      _ = try press("vvv", &browser)
      let actions = try press(keys, &browser) + (keys == "R" ? [] : press([.enter], &browser))
      #expect(actions == [action] && browser.stories.picked.isEmpty)
    }
    var browser = try browser()
    _ = try press("vvf", &browser)
    #expect(throws: Failure.self) { try press("R", &browser) }
    var picked = try self.browser()
    _ = try press("vd", &picked)
    #expect(picked.message.contains("not the rows picked"))
  }

  @Test("why is about the feed on its row, and about the story in its list")
  func whyOfFeed() throws {
    var browser = try browser()
    _ = try press(":why", &browser)
    #expect(try press([.enter], &browser) == [.command(["why", Sample.id(1)])])
    browser.feeds.choose(BrowserSource.ID(feed: Sample.feed), rows: 20)
    browser.focus = .feeds
    _ = try press(":why", &browser)
    #expect(try press([.enter], &browser) == [.command(["why", Sample.feed])])
  }

  @Test("marks on all stories ask where the list shows fewer, and do nothing unless agreed to")
  func readAllInFilteredList() throws {
    var browser = try browser()
    _ = try press("/cafe", &browser)
    _ = try press([.enter], &browser)
    _ = try press(":read --all", &browser)
    #expect(try press([.enter], &browser) == [.confirmAll(["read", "--all"])])
    #expect(browser.confirmAll(["read", "--all"], of: 5).isEmpty)
    #expect(try screen(browser).last == "read --all: 5 stories in all feeds, 1 here? [y/N] _")
    #expect(try press([.enter], &browser).isEmpty && browser.message == "nothing was done")
    _ = browser.confirmAll(["read", "--all"], of: 5)
    #expect(try press([.character("y"), .enter], &browser) == [.command(["read", "--all"])])
    #expect(browser.confirmAll(["read", "--all"], of: 1) == [.command(["read", "--all"])])
    _ = try press(":read --all --unread", &browser)
    #expect(try press([.enter], &browser) == [.command(["read", "--all", "--unread"])])
  }

  @Test("unsubscribing asks in the table view, with the feed and its stories")
  func unsubscribing() throws {
    let work = BrowserWork(try news.context, news.store)
    work.run(["unsubscribe", Sample.feed], columns: 80)
    while work.questions.first == nil {
      _ = POSIX.wait(on: [work.questions.descriptor ?? 0], until: nil)
    }
    #expect(
      work.questions.first?.hasPrefix("Unsubscribe from Example and delete 3 stories?") == true
    )
    work.questions.answer("n")
    work.end()
    #expect(work.takeResults().first?.lines == ["nothing was unsubscribed from"])
  }

  // MARK: Levels

  @Test("q goes back a level, and ends the view from the list begun with and from the feeds")
  func levels() throws {
    var browser = try browser()
    #expect(try press("q", &browser) == [.quit])
    _ = try press("/cafe", &browser)
    _ = try press([.enter, .character("v")], &browser)
    #expect(try press("qq", &browser).isEmpty && browser.filter.isEmpty)
    _ = try press([.enter], &browser)
    #expect(browser.focus == .text && !browser.isAtTop)
    #expect(try press("?q", &browser).isEmpty && browser.focus == .stories)
    _ = try press("f", &browser)
    _ = try press([.enter], &browser)
    #expect(try screen(browser).last?.hasSuffix("q back") == true)
    #expect(try press("q", &browser).isEmpty && browser.focus == .feeds)
    #expect(try press("q", &browser) == [.quit])
    _ = try press([.enter, .enter], &browser)
    #expect(try press("Q", &browser) == [.quit])
  }

  // MARK: The bottom

  @Test("a message too long for a line has two, which hide no chosen row; ! shows what is longer")
  func longMessages() throws {
    var browser = try browser(columns: 40, rows: 7)
    _ = try press("G", &browser)
    browser.message = "a message of more than forty columns, which ends here"
    browser.showChosen()
    var shown = try screen(browser)
    #expect(
      shown.count == 7
        && shown.suffix(2) == ["a message of more than forty columns,", "which ends here"]
    )
    #expect(shown[4].hasPrefix("> • ★ Oldest"))
    #expect(try press([.click(row: 6, column: 3)], &browser).isEmpty)
    #expect(browser.stories.cursor.selected == 4)
    browser.message = String(repeating: "many words ", count: 12)
    shown = try screen(browser)
    #expect(shown.last == "words many words many words many w… (!)")
    _ = try press("!", &browser)
    #expect(browser.text?.lines.joined(separator: " ").hasSuffix("many words many words") == true)
    browser = try self.browser(columns: 40, rows: 5)
    browser.message = "a message of more than forty columns, which ends here"
    #expect(try screen(browser).last == "a message of more than forty colum… (!)")
  }

  @Test("a question too long for a line keeps its answers, and as much as two lines hold")
  func longQuestions() throws {
    var browser = try browser(columns: 40)
    browser.ask("Unsubscribe from Example and delete 3 stories? [y/N] ")
    #expect(
      try screen(browser).suffix(2) == [
        "Unsubscribe from Example and delete 3", "stories? [y/N] _",
      ]
    )
    browser.ask("Unsubscribe from \(String(repeating: "Example ", count: 12))? [y/N] ")
    #expect(try screen(browser).last?.hasSuffix("… [y/N] _") == true)
  }

  @Test("an empty list says why, in as many lines as a small window needs")
  func emptyLists() throws {
    let news = try CommandRun()
    var browser = Browser(try news.store.read(.names))
    browser.resize(columns: 20, rows: 8)
    let names = FeedName(browser.stories.library)
    func rows() throws -> [String] {
      try BrowserView(context: try news.context, names: names, browser: browser).rows()
        .map { TerminalText.unstyled(TerminalText.withoutJumps($0.joined())) }
    }
    #expect(try rows()[1...2] == ["  no feeds yet: a", "  subscribes to one"])
    browser.feeds.choose(row: 2, rows: 6)
    #expect(try rows()[1...3] == ["  nothing is starred", "  yet: s stars a", "  story"])
  }

  @Test("a list of unread stories says that all are read, and not so where there are none")
  func allRead() throws {
    news("read", "--all")
    var browser = try browser()
    _ = try press("/is:unread", &browser)
    _ = try press([.enter], &browser)
    #expect(try screen(browser)[1] == "  all stories here are read")
    _ = try press([.escape, .character("l")], &browser)
    #expect(try screen(browser)[1] == "  all stories here are read: l shows them")
    _ = try press("/nowhere", &browser)
    _ = try press([.enter], &browser)
    #expect(try screen(browser)[1] == "  nothing here")
  }

  @Test(
    "a typed line is edited anywhere, and the mark and the cursor show where",
    arguments: [20, 80],
  )
  func editedLine(_ columns: Int) throws {
    var browser = try browser(columns: columns)
    let (context, names) = (try news.context, FeedName(browser.stories.library))
    func column(_ browser: Browser) -> Int {
      BrowserView(context: context, names: names, browser: browser).cursor.column
    }
    _ = try press(":tag lter", &browser)
    _ = try press([.left, .left, .left, .character("a")], &browser)
    #expect(try screen(browser).last == ":tag la_ter  " && column(browser) == 7)
    #expect(try press([.enter], &browser) == [.command(["tag", "later", Sample.id(1)])])
    _ = try press("/東京の", &browser)
    #expect(try screen(browser).last == "/東京の_  " && column(browser) == 7)
    _ = try press([.left, .delete], &browser)
    #expect(browser.filter == "東京" && column(browser) == 5)
    _ = try press([.enter], &browser)
    browser.ask("Clear? [y/N] ")
    _ = try press([.character("s"), .home, .character("y")], &browser)
    #expect(try screen(browser).last == "Clear? [y/N] y_s" && column(browser) == 14)
  }

  // MARK: The feeds

  @Test("feeds without a title differ in panes of any width", arguments: [20, 40, 120])
  func untitledFeeds(_ columns: Int) throws {
    let news = try CommandRun()
    let files = ["a.xml", "b.xml"]
    let urls = files.map { "https://www.example.com/a/long/way/to/all/the/feeds/of/it/all/\($0)" }
    try news.store([], subscriptions: urls.map { ($0, "") })
    var browser = Browser(try news.store.read(.names))
    browser.resize(columns: columns, rows: 10)
    browser.focus = .feeds
    let names = FeedName(browser.stories.library)
    let rows = try BrowserView(context: try news.context, names: names, browser: browser).rows()
    for file in files { #expect(rows.count { $0.joined().contains(file) } == 1, "\(rows)") }
  }

  @Test("a feed that fails has a sign; after a search for a name, n and / Enter go to the next")
  func feedNames() throws {
    news.fetcher.serve(Sample.feed, .init(error: .status(500)))
    news("refresh", "Example")
    news("feeds", "set", "Other", "--title", "Exempt")
    var browser = try browser()
    _ = try press("f/ex", &browser)
    #expect(browser.source.name == "Example")
    let counts = try UnreadCounts([], in: browser.stories.library, try news.context)
    browser.feeds.failing = counts.failing
    let rows = try screen(browser)
    #expect(rows.contains { $0.hasPrefix("> Example") && $0.hasSuffix(" !") }, "\(rows)")
    _ = try press([.enter, .character("n")], &browser)
    #expect(browser.source.name == "Exempt")
    _ = try press([.character("/"), .enter], &browser)
    #expect(browser.source.name == "Example")
    _ = try press("N", &browser)
    #expect(browser.source.name == "Exempt")
    _ = try press([.escape, .character("n")], &browser)
    #expect(browser.question == nil && browser.soughtFeed.isEmpty)
  }
}
