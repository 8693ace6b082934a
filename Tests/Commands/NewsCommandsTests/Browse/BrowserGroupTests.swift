import FeedModel
import FeedStorage
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import ReadingCommands
@testable import Searching

@Suite("the table view: rows of similar stories")
struct BrowserGroupTests {
  private let news: CommandRun
  /// The ids of the stories in the row of three.
  private static let row = [2, 3, 4].map { Sample.id($0) }

  init() throws {
    news = try CommandRun()
    try news.storeReports()
  }

  /// Returns a table view whose chosen row is that of three stories.
  private func browser(isReversed: Bool = false) throws -> Browser {
    let library = try news.store.read(.names)
    var browser = Browser(library, [])
    browser.isGrouped = true
    let positions = Array(0..<library.items.count)
    browser.stories.list(
      FoundStories(positions, try similar(in: library)),
      isReversed: isReversed,
    )
    browser.stories.select(1, rows: 22)
    return browser
  }

  private func similar(in library: Library) throws -> SimilarStories {
    let positions = Array(0..<library.items.count)
    let now = Date(timeIntervalSince1970: news.now).timeIntervalSinceReferenceDate
    return try SimilarStories(among: positions, of: library.items, now: now)
  }

  private func press(_ keys: String, _ browser: inout Browser) throws -> [BrowserAction] {
    try keys.flatMap { try browser.press(.character($0)) }
  }

  private func titles(_ browser: Browser) throws -> [Substring] {
    let names = FeedName(browser.stories.library)
    return try BrowserView(context: try news.context, names: names, browser: browser).rows()
      .map { TerminalText.unstyled(TerminalText.withoutJumps($0.joined())) }
      .prefix(browser.stories.count + 1).map { $0.prefix(30) }
  }

  @Test("a row says how many others it has, = opens it, and each story can be chosen")
  func opening() throws {
    var browser = try browser()
    #expect(
      try titles(browser) == [
        " All stories  3 rows of 5 stor",
        "  • Tide tables for April     ",
        "> • +2 Tower Bridge stuck open",
        "  • Potholes on the ring road ",
      ]
    )
    #expect(try press("=j", &browser).isEmpty)
    #expect(
      try titles(browser) == [
        " All stories  5 stories       ",
        "  • Tide tables for April     ",
        "  • Tower Bridge stuck open fo",
        "> •   London's Tower Bridge ge",
        "  •   Tower Bridge in London i",
        "  • Potholes on the ring road ",
      ]
    )
    #expect(try press("=", &browser).isEmpty)
    #expect(browser.stories.count == 3 && browser.stories.cursor.selected == 1)
    _ = try press("j=", &browser)
    #expect(browser.message == "no other story is similar")
  }

  @Test("with the oldest first, the newest of a row still stands above the others")
  func reversed() throws {
    var browser = try browser(isReversed: true)
    _ = try press("=", &browser)
    let titles = try (0..<5).map { try browser.stories.story($0).id }
    #expect(titles == [5, 2, 3, 4, 1].map { Sample.id($0) })
  }

  @Test("marks on a closed row are of all its stories, on an opened one of the chosen story")
  func marks() throws {
    var browser = try browser()
    let star: ItemMarks = [.starred: true]
    #expect(try press("s", &browser) == [.mark(ids: Self.row, star, command: "star")])
    #expect(try press("x", &browser) == [.command(["delete"] + Self.row)])
    #expect(try browser.run("tag later") == [.command(["tag", "later"] + Self.row)])
    #expect(try browser.run("open") == [.command(["open", Self.row[0]])])
    _ = try press("=", &browser)
    #expect(try press("jx", &browser) == [.command(["delete", Self.row[1]])])
  }

  @Test("who reads a closed row has read all its stories; it is unread as long as one of them is")
  func reading() throws {
    news("read", Self.row[0])
    var browser = try browser()
    #expect(try titles(browser)[2] == "> • +2 Tower Bridge stuck open")
    let actions = try browser.press(.enter)
    let read: ItemMarks = [.read: true]
    #expect(actions.last == .mark(ids: Array(Self.row.dropFirst()), read, command: "browse"))
    browser.focus = .stories
    #expect(try titles(browser)[2] == ">   +2 Tower Bridge stuck open")
    #expect(try press("n", &browser).isEmpty && browser.stories.cursor.selected == 2)
  }

  @Test("a row shows the marks that any of its stories has, and a key goes by what it shows")
  func mixedMarks() throws {
    news("star", Self.row[1])
    news("note", Self.row[2], "for later")
    news("read", Self.row[0])
    var browser = try browser()
    #expect(try titles(browser)[2].hasPrefix("> • ★ ✎ +2 Tower Bridge"))
    let actions = try press("us", &browser)
    let read: ItemMarks = [.read: true]
    #expect(actions.first == .mark(ids: Self.row, read, command: "read"))
    #expect(actions.last == .mark(ids: Self.row, [.starred: false], command: "unstar"))
    #expect(try titles(browser)[2].hasPrefix(">   ✎ +2 Tower Bridge"))
    let unread: ItemMarks = [.read: false]
    #expect(try press("u", &browser) == [.mark(ids: Self.row, unread, command: "unread")])
  }

  @Test("a mark of a row is stored, and undone, in one step; so is one of picked rows")
  func undoing() throws {
    for keys in ["s", "vvs"] {
      var browser = try browser()
      let work = BrowserWork(try news.context, news.store)
      for case .mark(let ids, let marks, let command) in try press(keys, &browser) {
        work.mark(ids, marks, command)
      }
      work.end()
      let starred = try news.stories().count(where: \.isStarred)
      #expect(starred == (keys == "s" ? 3 : 4))
      #expect(news("undo").errors.contains("\(starred) stories"))
      #expect(try news.stories().allSatisfy { !$0.isStarred })
    }
  }

  @Test("A marks what closed rows hide as well")
  func readAll() throws {
    let browser = try browser()
    let work = BrowserWork(try news.context, news.store)
    work.readAll(browser.stories)
    work.end()
    #expect(try news.stories().allSatisfy(\.isRead))
  }

  @Test("c changes the view, in which the chosen story stays chosen, and the next visit has it")
  func switching() throws {
    var browser = try browser()
    _ = try press("=jj", &browser)
    #expect(try press("c", &browser) == [.listAgain] && browser.place?.isGrouped == false)
    try browser.stories.listAgain(FoundStories(Array(0..<5)), isReversed: false, rows: 22)
    #expect(try browser.stories.selected()?.id == Self.row[2])
    #expect(try press("=", &browser).isEmpty)
    #expect(browser.message == "c puts similar stories in one row, which = opens")
    #expect(try press("c", &browser) == [.listAgain] && browser.place?.isGrouped == true)
    let similar = try similar(in: browser.stories.library)
    try browser.stories.listAgain(
      FoundStories(Array(0..<5), similar),
      isReversed: false,
      rows: 22,
    )
    #expect(browser.stories.count == 3 && browser.stories.cursor.selected == 1)
    var next = Browser(browser.stories.library, [])
    next.goBack(toSourceOf: try #require(browser.place))
    #expect(next.isGrouped)
  }

  @Test(
    "an opened row stays open in the next version of the store; rows are made for other stories"
  )
  func nextVersion() throws {
    var browser = try browser()
    var rows = ListedRows()
    _ = try press("=", &browser)
    news("star", Self.row[1])
    let library = try news.store.read(.names)
    let found = try rows.rows(try news.context, of: Array(0..<5), in: library, if: true)
    try browser.update(to: library, found)
    #expect(browser.stories.count == 5 && browser.lost.isEmpty)
    news("delete", "--yes", Self.row[2])
    let smaller = try news.store.read(.names)
    let fewer = try rows.rows(try news.context, of: Array(0..<4), in: smaller, if: true)
    #expect(fewer.similar.others == [1: [2]])
    let alone = try rows.rows(try news.context, of: Array(0..<4), in: smaller, if: false)
    #expect(alone.similar.others.isEmpty)
  }
}
