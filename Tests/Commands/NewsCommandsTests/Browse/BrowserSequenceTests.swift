import FeedStorage
import Searching
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import NewsCommands
@testable import ReadingCommands

@Suite("the table view: sequences of keys, and several operations of one")
struct BrowserSequenceTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.storeSample()
  }

  private func browser(_ lines: String...) throws -> Browser {
    var keys = KeyMap(.news)
    for line in lines { try keys.take(line[...]) }
    let library = try news.store.read(.names)
    var browser = Browser(library, [], StoryQuery(), [], keys: keys)
    (browser.rows, browser.columns) = (24, 80)
    browser.stories.list(FoundStories(Array(0..<library.items.count)))
    return browser
  }

  /// Presses keys as a session does, which comes back for the operations that are left.
  private func press(_ keys: String, _ browser: inout Browser) throws -> [BrowserAction] {
    try keys.flatMap { key in try perform(try browser.press(.character(key)), &browser) }
  }

  private func perform(
    _ actions: [BrowserAction],
    _ browser: inout Browser,
  ) throws -> [BrowserAction] {
    try actions.flatMap { action -> [BrowserAction] in
      guard case .goOn(let work) = action else { return [action] }
      return try perform(try browser.run(work), &browser)
    }
  }

  private func bottom(_ browser: Browser) throws -> String {
    let context = try CommandContext(
      command: "browse",
      arguments: Arguments(),
      environment: news.testEnvironment,
    )
    let names = FeedName(browser.stories.library)
    let rows = try BrowserView(context: context, names: names, browser: browser).rows()
    return TerminalText.unstyled(rows.last?.joined() ?? "")
  }

  @Test("a sequence shows how it goes on, and does what it means when its last key has come")
  func sequences() throws {
    var browser = try browser("g g first", "g e last", "g n :star ; n")
    #expect(try press("G", &browser) == [] && browser.stories.cursor.selected == 4)
    #expect(try press("g", &browser) == [])
    #expect(try bottom(browser) == "g …  e: last  g: first  n: :star ; n  Esc ends it")
    #expect(try press("g", &browser) == [] && browser.stories.cursor.selected == 0)
    #expect(browser.sequence.isEmpty)
    _ = try press("ge", &browser)
    #expect(browser.stories.cursor.selected == 4)
  }

  @Test("where the lines of a sequence have no room, the bottom line shows the keys alone")
  func manyWays() throws {
    var browser = try browser(
      "g g first",
      "g e :star ; :tag later ; n",
      "g n ! xdg-open {link} ; n",
    )
    browser.columns = 50
    _ = try press("g", &browser)
    #expect(try bottom(browser) == "g …  e  g  n  Esc ends it")
  }

  @Test("the keys are shown with whole words in windows of any width, also when it changes")
  func help() throws {
    var browser = try browser("g g first", "a :star ; :tag later ; n")
    browser.columns = 100
    _ = try press("?", &browser)
    let text = try #require(browser.text)
    #expect(text.lines.contains("  j Down                a row or a line down"))
    for columns in [20, 40, 59, 60, 100] {
      let lines = text.layOut(columns)
      #expect(lines.allSatisfy { $0.count <= columns })
      let words = { (lines: [String]) in lines.joined(separator: " ").split(separator: " ") }
      #expect(words(lines) == words(text.lines))
    }
    #expect(text.layOut(40).contains("    a row or a line down"))
  }

  @Test("Escape ends a sequence and changes nothing; so do other keys, which say so, and the mouse")
  func unfinished() throws {
    var browser = try browser("g g first")
    _ = try press("jg", &browser)
    #expect(try browser.press(.escape) == [] && browser.sequence.isEmpty)
    #expect(browser.stories.cursor.selected == 1 && browser.focus == .stories)
    _ = try press("gj", &browser)
    #expect(browser.message == "g j is not a key; press ? for help")
    #expect(browser.stories.cursor.selected == 1 && browser.sequence.isEmpty)
    _ = try press("g3", &browser)
    #expect(browser.message == "g 3 is not a key; press ? for help" && browser.number == "")
    _ = try press("g", &browser)
    _ = try browser.press(.click(row: 3, column: 5))
    #expect(browser.sequence.isEmpty && browser.stories.cursor.selected == 2)
    _ = try press("g", &browser)
    #expect(try browser.press(.control("c")) == [] && browser.sequence.isEmpty)
  }

  @Test("a number before a sequence is that of its operations")
  func numbers() throws {
    var browser = try browser("g o first ; open-link")
    _ = try press("7g", &browser)
    #expect(browser.number == "7")
    _ = try press("o", &browser)
    #expect(browser.message == "there is no link 7" && browser.number == "")
  }

  @Test("the operations of a key are about the same stories, the picked ones or the chosen one")
  func operations() throws {
    var browser = try browser("a  :star ; :tag later ; n", "b star ; pick-all ; read")
    let one = Sample.id(1)
    #expect(
      try press("a", &browser) == [.command(["star", one]), .command(["tag", "later", one])]
    )
    #expect(browser.stories.cursor.selected == 1)
    _ = try press("gvv", &browser)
    let two = [one, Sample.id(2)]
    #expect(
      try press("a", &browser)
        == [.command(["star"] + two), .command(["tag", "later"] + two)]
    )
    #expect(browser.stories.picked.isEmpty)
    #expect(try press("gb", &browser).last == .command(["read"] + (1...5).map(Sample.id)))
  }

  @Test("an operation that fails ends those behind it")
  func failing() throws {
    var browser = try browser("b pick ; star ; n")
    browser.lost = [.story]
    #expect(throws: Failure.self) { try press("b", &browser) }
    #expect(browser.stories.cursor.selected == 0 && browser.waiting == nil)
  }

  @Test("operations wait for the end of a question, and go with it when it is given up")
  func questions() throws {
    var browser = try browser("a note ; star ; T", "b T ; n")
    #expect(try press("a", &browser) == [] && browser.question != nil)
    _ = try press("ok", &browser)
    let actions = try perform(try browser.press(.enter), &browser)
    let one = Sample.id(1)
    #expect(actions == [.command(NoteCommand.words("ok", of: [one])), .command(["star", one])])
    #expect(browser.question == BrowserQuestion(.line, "tag "))
    _ = try browser.press(.escape)
    #expect(browser.question == nil && browser.waiting == nil)
    _ = try press("b", &browser)
    _ = try browser.press(.escape)
    #expect(browser.waiting == nil && browser.stories.cursor.selected == 0)
    _ = try press("bx", &browser)
    #expect(
      try perform(try browser.press(.enter), &browser) == [.command(["tag", "x", one])]
    )
    #expect(browser.stories.cursor.selected == 1)
  }

  @Test("an operation that does nothing but say why ends those behind it")
  func refusals() throws {
    var browser = try browser("a n ; s", "b > ; s", "c = ; s", "d search-back ; s")
    for key in ["c", "d"] {
      #expect(try press(key, &browser) == [] && !browser.message.isEmpty, "\(key)")
    }
    #expect(try press("b", &browser).count == 1, "which says what it has done")
    browser.stories.list(FoundStories([]))
    #expect(try press("a", &browser) == [] && browser.message == "no unread story here")
  }

  @Test("operations behind a question are not about what has taken the chosen story's place")
  func goneBehindQuestion() throws {
    var browser = try browser("a note ; s")
    _ = try press("aok", &browser)
    news("delete", Sample.id(1))
    try browser.update(to: try news.store.read(.names), FoundStories(Array(0..<4)))
    browser.noteShown()
    #expect(throws: Failure.self) { try perform(try browser.press(.enter), &browser) }
    browser.noteShown()
    #expect(try press("s", &browser).count == 1)
  }

  @Test("operations behind a question are about the picked rows, as the question is")
  func pickedBehindQuestion() throws {
    var browser = try browser("b T ; star", "c v ; v ; note ; read")
    let two = [1, 2].map(Sample.id)
    _ = try press("vvbx", &browser)
    let tagged = try perform(try browser.press(.enter), &browser)
    #expect(tagged == [.command(["tag", "x"] + two), .command(["star"] + two)])
    #expect(browser.stories.picked.isEmpty)
    _ = try press("gcx", &browser)
    let noted = try perform(try browser.press(.enter), &browser)
    #expect(noted == [.command(NoteCommand.words("x", of: two)), .command(["read"] + two)])
  }
}
