import FeedModel
import FeedStorage
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import ReadingCommands
@testable import System

@Suite("the table view: what commands ask")
struct BrowserQuestionTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.storeSample()
  }

  private func run(_ words: [String], answer: String?) throws -> (asked: String?, lines: [String]) {
    let work = BrowserWork(try news.context, news.store)
    work.run(words, columns: 80)
    var asked: String?
    var lines: [String] = []
    while lines.isEmpty {
      let descriptors = work.descriptors + [work.questions.descriptor].compactMap(\.self)
      _ = POSIX.wait(on: descriptors, until: nil)
      if let question = work.questions.first {
        asked = question
        work.questions.answer(answer)
      }
      _ = work.hasEnded()
      lines = work.takeResults().flatMap(\.lines)
    }
    return (asked, lines)
  }

  @Test(
    "all that asks on the command line asks here, and does nothing without a yes",
    arguments: [
      (["clear"], "Clear 5 stories, 1 of them starred? [y/N] ", "nothing was cleared"),
      (
        ["clear", "--feed", "example"], "Clear 3 stories of Example? [y/N] ", "nothing was cleared",
      ),
      (["delete", "--all"], "Delete 4 stories? [y/N] ", "nothing was deleted"),
      (["rules", "apply", "gone"], "Delete 3 stories? [y/N] ", "nothing was deleted"),
    ],
  )
  func asked(_ words: [String], _ question: String, _ kept: String) throws {
    news("rules", "add", "gone", "--feed", "example", "--then", "drop")
    for answer in [nil, "", "n"] {
      let result = try run(words, answer: answer)
      #expect(result.asked == question && result.lines == [kept])
    }
    #expect(try news.store.read().items.count == 5)
    let result = try run(words, answer: "y")
    #expect(result.asked == question && result.lines != [kept])
    #expect(try news.store.read().items.count < 5)
    #expect(try run(["undo"], answer: nil).asked == nil)
    #expect(try news.store.read().items.count == 5)
  }

  @Test("z asks before it undoes more than marks, by the number and name of the change")
  func undoing() throws {
    news("subscribe", "--no-check", "https://new.example/f")
    news("star", "1")
    #expect(try run(["undo", "--ask"], answer: nil).asked == nil)
    let refused = try run(["undo", "--ask"], answer: "")
    #expect(
      refused.asked
        == "Undo change 1 (`news subscribe`): no longer following https://new.example/f? [y/N] "
    )
    #expect(refused.lines == ["nothing was undone"])
    #expect(try news.store.read().subscriptions.count == 3)
    _ = try run(["undo", "--ask"], answer: "y")
    #expect(try news.store.read().subscriptions.count == 2)
  }

  @Test("a page with several feeds asks which")
  func feeds() throws {
    let page = "https://page.example/"
    let links = ["a", "b"].map { "<link rel=alternate type=application/rss+xml href=/\($0)>" }
    news.fetcher.serve(page, .init(body: "<html><head>\(links.joined())</head></html>"))
    for name in ["a", "b"] {
      news.fetcher.serve(page + name, .init(body: Sample.rss(name, ["x"])))
    }
    let result = try run(["subscribe", page], answer: "2")
    #expect(result.asked?.contains("  1  \(page)a\n") == true)
    #expect(result.asked?.hasSuffix("Which one? [1-2, several, or all] ") == true)
    #expect(try news.store.read().subscriptions.last?.url == page + "b")
  }

  @Test("what was asked about is deleted, and nothing that has come since")
  func since() throws {
    let work = BrowserWork(try news.context, news.store)
    work.run(["delete", "--all", "--unread"], columns: 80)
    while work.questions.first == nil {
      _ = POSIX.wait(on: [work.questions.descriptor].compactMap(\.self), until: nil)
    }
    let new = Sample.story(9, "New", hours: 0)
    try news.store.update { library in
      (LibraryChange(StoryChanges(adding: [new])), ())
    }
    work.questions.answer("yes")
    work.end()
    #expect(work.takeResults().first?.lines.first?.hasPrefix("3 stories deleted") == true)
    #expect(try news.stories().map(\.id) == [9, 3, 5].map(Sample.id))
  }

  @Test("a command that fails ends those behind it of the same key, and no other")
  func failing() throws {
    let work = BrowserWork(try news.context, news.store)
    work.run(["star", Sample.id(1)], columns: 80, ofKey: 1)
    work.run(["star", "99"], columns: 80, ofKey: 2)
    work.run(["tag", "no", Sample.id(1)], columns: 80, ofKey: 2)
    work.run(["tag", "yes", Sample.id(1)], columns: 80, ofKey: 3)
    work.end()
    let results = work.takeResults()
    #expect(results.map(\.hasFailed) == [false, true, false])
    #expect(results.last?.lines == ["1 story tagged yes"])
    #expect(try news.stories().first { $0.id == Sample.id(1) }?.tags == ["yes"])
  }

  @Test("who leaves has answered nothing")
  func leaving() throws {
    let work = BrowserWork(try news.context, news.store)
    work.run(["clear"], columns: 80)
    work.end()
    #expect(work.takeResults().map(\.lines) == [["nothing was cleared"]])
    #expect(work.questions.ask("again?") == nil)
  }

  @Test("an answer is typed, and given by Enter; lines before the question are read meanwhile")
  func typed() throws {
    var browser = Browser(try news.store.read(.names))
    browser.ask("Two feeds:\n  1  a\n  2  b\nWhich one? [1-2] ")
    #expect(browser.text?.lines == ["Two feeds:", "  1  a", "  2  b"])
    _ = try browser.press(.character("2"))
    let bottom = { [names = FeedName(browser.stories.library)] (browser: Browser) in
      try BrowserView(context: try news.context, names: names, browser: browser).rows().last?.first
    }
    #expect(try bottom(browser) == "Which one? [1-2] 2_")
    browser.columns = 16
    #expect(try bottom(browser) == "[1-2] 2_")
    #expect(try browser.press(.enter) == [.answer("2")])
    #expect(browser.question == nil && browser.text == nil && browser.focus == .stories)
    browser.ask("Clear? [y/N] ")
    #expect(try browser.press(.escape) == [.answer(nil)])
    #expect(browser.text == nil)
  }

  @Test("a fault of what is typed is read whole in narrow windows", arguments: [20, 40, 80])
  func refused(_ columns: Int) throws {
    var browser = Browser(try news.store.read(.names))
    browser.resize(columns: columns, rows: 12)
    for sign in "/auther:lee" { _ = try browser.press(.character(sign)) }
    let reason = "unknown field auther; did you mean author:lee?"
    browser.message = reason
    let names = FeedName(browser.stories.library)
    let view = BrowserView(context: try news.context, names: names, browser: browser)
    let rows = try view.rows().map { $0.joined() }
    let place = view.cursor
    #expect(rows.count == 12)
    #expect(rows.last?.hasPrefix("/auther:lee_") == true)
    #expect((place.row, place.column) == (11, 11))
    let said = rows.suffix(5).joined(separator: " ").replacing(#/ +/#, with: " ")
    #expect(said.contains(reason))
    for row in rows.suffix(5) { #expect(TerminalText.width(TerminalText.unstyled(row)) <= columns) }
  }
}
