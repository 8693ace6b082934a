import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import NewsCommands

@Suite("news undo takes back the last change, and nothing else")
struct UndoTests {
  private func sample() throws -> CommandRun {
    let news = try CommandRun()
    try news.storeSample()
    return news
  }

  private func nothing(_ news: CommandRun) {
    let result = news("undo")
    #expect(result == CommandResult(output: "", errors: Self.nothing, status: 1))
  }

  private static let nothing = "news: nothing to undo\n"

  @Test(
    "a marking is taken back, once",
    arguments: [
      (["read", "1-3"], "2 stories are unread again"),
      (["unread", "--all"], "1 story is read again"),
      (["star", "--all", "--feed", "other"], "1 story is no longer starred"),
      (["unstar", "5"], "1 story is starred again"),
      (["open", "2"], "1 story is unread again"),
      (["read", "--all", "-q"], "4 stories are unread again"),
    ],
  )
  func marks(_ words: [String], _ message: String) throws {
    let news = try sample()
    let before = try news.stories()
    #expect(news.run(words).status == 0)
    #expect(try news.stories() != before)
    #expect(
      news("undo") == CommandResult(output: "", errors: message + "\n", status: 0)
    )
    #expect(try news.stories() == before)
    nothing(news)
  }

  @Test("where nothing was done, or nothing changed, nothing to undo")
  func nothingDone() throws {
    let news = try sample()
    nothing(news)
    news("read", "3")
    nothing(news)
    #expect(news("undo", "--json").output == "{\"undone\":null,\"stories\":0,\"feeds\":0}\n")
    news("read", "1")
    news("read", "1")
    #expect(news("undo").errors == "1 story is unread again\n")
  }

  @Test("--json says what was undone")
  func json() throws {
    let news = try sample()
    news("star", "1-4")
    #expect(
      news("undo", "--json")
        == CommandResult(
          output: "{\"undone\":\"star\",\"stories\":4,\"feeds\":0}\n",
          errors: "",
          status: 0,
        )
    )
  }

  @Test("only the last one is taken back")
  func oneStep() throws {
    let news = try sample()
    news("read", "1")
    news("star", "2")
    #expect(news("undo").errors == "1 story is no longer starred\n")
    nothing(news)
    #expect(try news.stories().map(\.isRead) == [true, false, true, false, false])
  }

  @Test("what others stored and marked since stays")
  func storedSince() throws {
    let news = try sample()
    news("read", "--all")
    var second = try news.stories()[1]
    second.isRead = false
    second.item.title = "Renamed"
    let new = Sample.story(9, "Later", hours: 0)
    try news.store.update { _ throws(StorageError) in
      (
        LibraryChange(items: [.insert(new), .keep(0..<1), .replace(1, second), .keep(2..<4)]), (),
      )
    }
    #expect(news("undo").errors == "2 stories are unread again\n")
    let stories = try news.stories()
    #expect(stories.map(\.id) == [9, 1, 2, 3, 4].map(Sample.id))
    #expect(stories.map(\.isRead) == [false, false, false, true, false])
    #expect(stories[2].item.title == "Renamed")
  }

  @Test("nothing is left to take back when the marked stories are gone")
  func storiesGone() throws {
    let news = try sample()
    news("read", "1")
    try news.store.update { _ throws(StorageError) in (LibraryChange(items: [.keep(1..<5)]), ()) }
    #expect(
      news("undo").errors
        == "news: nothing to undo: nothing is left of the last `news read`\n"
    )
    nothing(news)
  }

  @Test("the record is for this user alone, and goes with the undo")
  func file() throws {
    let news = try sample()
    news("read", "1")
    let path = news.folder.path("home/undo.plist")
    #expect(try Subprocess.run(["stat", "-c", "%a", path]).text == "600\n")
    #expect(try Subprocess.run(["plutil", "-lint", path]).status == 0)
    news("undo")
    #expect(try !namesInFolder(news.folder.path("home")).contains { $0.contains("undo") })
  }

  @Test("a record that cannot be read, or is of a newer version, is left as it is and said")
  func damaged() throws {
    let news = try sample()
    let path = try news.folder.write("rubbish", to: "home/undo.plist")
    #expect(
      news("undo").errors
        == "news: \(path) cannot be read and was left as it is: not a property list\n"
    )
    try news.folder.write(
      "<plist><dict><key>version</key><integer>9</integer></dict></plist>",
      to: "home/undo.plist",
    )
    #expect(news("undo").errors.contains("was written by a newer news (version 9"))
    // The next command begins anew.
    news("read", "1")
    #expect(news("undo").errors == "1 story is unread again\n")
  }

  @Test("a marking that cannot be undone later is not made")
  func unwritable() throws {
    let news = try sample()
    let before = try news.stories()
    #expect(try Subprocess.run(["mkdir", news.folder.path("home/undo.plist")]).status == 0)
    let result = news("read", "1")
    #expect(result.errors.contains("undo.plist is a folder") && result.status == 1)
    #expect(try news.stories() == before)
    #expect(try !namesInFolder(news.folder.path("home")).contains { $0.hasSuffix(".new") })
  }

  @Test("stories of other programs, without an id or with one of theirs, are marked and unmarked")
  func foreignStories() throws {
    let news = try CommandRun()
    try news.store.prepareHome()
    try news.folder.write(
      """
      <plist><array><dict><key>title</key><string>A</string><key>rating</key><integer>5</integer>
      </dict><dict><key>title</key><string>B</string><key>id</key><string>mine</string></dict>
      <dict><key>title</key><string>C</string><key>read</key><true/></dict></array></plist>
      """,
      to: "home/newsdata.plist",
    )
    let before = try news.stories()
    #expect(news("read", "--all").errors == "2 stories marked read\n")
    #expect(news("undo").errors == "2 stories are unread again\n")
    #expect(try news.stories() == before)
    let text = try Subprocess.run(["plutil", "-p", news.store.dataPath]).text
    #expect(text.contains("rating") && text.contains("5"))
  }

  @Test("undo takes no operands, and is in the help")
  func usage() throws {
    let news = try sample()
    #expect(news("undo", "3").status == 64)
    #expect(news("help").output.contains("undo the last change"))
    #expect(news("help", "undo").output.contains("news clear --read && news undo"))
  }
}

extension CommandRun {
  /// All that is stored, in its order.
  func stories() throws -> [StoredItem] {
    let items = try store.read().items
    return try (0..<items.count).map { try items.item(at: $0) }
  }
}
