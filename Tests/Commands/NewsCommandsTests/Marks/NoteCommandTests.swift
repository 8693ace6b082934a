import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import ReadingCommands

@Suite("Stories have notes")
struct NoteCommandTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.storeSample()
  }

  private func notes(_ news: CommandRun) throws -> [String?] { try news.stories().map(\.note) }

  @Test("a note is written, printed, replaced and taken away, and keeps the rest of the story")
  func writing() throws {
    let before = try news.stories()
    #expect(news("note", "3", "read", "again,", "3 times").errors == "1 story noted\n")
    #expect(news("note", "3").output == "read again, 3 times\n")
    #expect(news("note", "1").errors == "story 1 has no note\n")
    #expect(news("note", "1,3", "  for\n \u{1B}[31mAda ").errors == "2 stories noted\n")
    #expect(try notes(news) == ["for [31mAda", nil, "for [31mAda", nil, nil])
    #expect(news("note", "1-3").output == "story 1: for [31mAda\nstory 3: for [31mAda\n")
    #expect(news("note", "3", "").errors == "1 note removed\n")
    #expect(news("note", "--all", "--starred", "kept").errors == "1 story noted\n")
    #expect(news("note", "--all", "--remove").errors == "2 notes removed\n")
    #expect(news("note", "--all", "--remove").errors == "0 notes removed\n")
    #expect(try news.stories() == before)
  }

  @Test("a text that is too long, and words that do not fit together, are refused")
  func refusals() throws {
    let longest = String(repeating: "é", count: 2_048)
    #expect(news("note", "1", longest).status == 0)
    #expect(try notes(news)[0] == longest)
    for words in [
      ["1", longest + "x"], [], ["--all"], ["--unread", "x"], ["--remove"], ["1", "x", "--remove"],
      ["word"],
    ] {
      let result = news.run(["note"] + words)
      #expect(result.status == 64 && result.errors.contains("note"), "\(words)")
    }
    #expect(try notes(news) == [longest, nil, nil, nil, nil])
  }

  @Test("a note is searched, shown, listed and printed")
  func reading() throws {
    news("note", "3", "Straße to Rome")
    news("note", "4", "other")
    for (search, notes) in [
      ("note:strasse", "Straße to Rome\n"), ("note:/^o/", "other\n"),
      ("has:note", "Straße to Rome\nother\n"), ("-has:note", "\n\n\n"),
      ("link:rome or note:rome", "Straße to Rome\n"), ("Rome", ""),
    ] {
      #expect(news("list", "--grep", search, "--format", "{note}").output == notes, "\(search)")
    }
    news("list")
    let shown = news("show", "3", "--keep-unread")
    #expect(shown.output.contains("Note        Straße to Rome"), "\(shown.output)")
    #expect(news("list", "--json").output.contains("\"note\":\"Straße to Rome\""))
    news.terminal.isOutputTerminal = true
    let listed = news("list", "--color", "never").output
    #expect(listed.contains("✎ Café au lait"), "\(listed)")
  }

  @Test("an export has notes; an import brings them, but for stories that have one here")
  func exchange() throws {
    news("note", "1", "one")
    news("note", "2", "two")
    let file = try news.folder.write(news("export", "--json").output, to: "all.json")
    let other = try CommandRun()
    #expect(other("import", file).status == 0)
    #expect(try notes(other) == ["one", "two", nil, nil, nil])
    news("note", "1", "mine")
    news("note", "2", "--remove")
    #expect(news("import", file).status == 0)
    #expect(try notes(news) == ["mine", "two", nil, nil, nil])
  }

  @Test(
    "a feed that changes a story leaves its note, as does a program that does not know of notes"
  )
  func feeds() throws {
    news("note", "1", "mine")
    try news.store.update { library in
      var story = try library.items.item(at: 0)
      story.isRead = true
      var change = LibraryChange()
      change.stories.replaced[0] = story
      return (change, ())
    }
    #expect(try notes(news)[0] == "mine")
    #expect(news("star", "1").status == 0)
    #expect(try notes(news)[0] == "mine")
  }

  @Test("N edits the note of the chosen story, or of the picked ones; in a search it goes back")
  func browsing() throws {
    news("note", "1", "old")
    let library = try news.store.read(.names)
    var browser = Browser(library)
    browser.stories.list(FoundStories(Array(0..<library.items.count)))
    #expect(try browser.press(.character("N")) == [])
    let id = try news.stories()[0].id
    #expect(browser.question == BrowserQuestion(.note(ids: [id]), "old"))
    let names = FeedName(library)
    let view = BrowserView(context: try news.context, names: names, browser: browser)
    #expect(try view.rows().last?.first?.hasPrefix("note: old_") == true)
    _ = try browser.press(.character("?"))
    #expect(try browser.press(.enter) == [.command(["note", id, "--", "old?"])])
    _ = try browser.press(.character("N"))
    _ = try browser.press(.control("u"))
    #expect(try browser.press(.enter) == [.command(["note", id, "--remove"])])
    _ = try browser.press(.character("N"))
    #expect(try browser.press(.escape) == [] && browser.question == nil)
    #expect(try browser.run("note a \"b c\"") == [.command(["note", id, "--", "a b c"])])
    #expect(try browser.run("note 2 x") == [.command(["note", "2", "x"])])
  }
}
