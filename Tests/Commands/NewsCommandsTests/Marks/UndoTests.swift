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

  @Test(
    "what is so already is no step",
    arguments: [
      ["feeds", "set", Sample.feed, "--title", "T", "--tag", "a", "--interval", "6h"],
      ["subscribe", "--no-check", Sample.feed, "--title", "T", "--tag", "a"],
      ["rules", "add", "chips", "--grep", "chip", "--then", "read"],
      ["tag", "a", "1"], ["note", "1", "words"], ["star", "1"],
    ],
  )
  func already(_ words: [String]) throws {
    let news = try sample()
    for _ in 1...2 {
      #expect(news.run(words).status == 0)
      #expect(try news.store.history().steps.count == 1)
    }
  }

  @Test("an import that only arranges exported lists is no step, and no undo takes it back")
  func arranged() throws {
    let news = try sample()
    news("star", "1")
    let list = try list(news, Sample.feed)
    #expect(news("import", list).errors == "0 feeds imported; 1 was there already\n")
    #expect(news("export").output.contains("<title>Mine</title>"))
    #expect(try news.store.history().steps.map(\.origin.command) == ["star"])
    #expect(news("undo").errors == "1 story is no longer starred\n")
    #expect(news("export").output.contains("<title>Mine</title>"))
  }

  @Test("the arrangement of exported lists goes back with the feeds of its import")
  func unarranged() throws {
    let news = try sample()
    let before = news("export").output
    news("import", try list(news, Sample.feed, "https://new.example/f"))
    #expect(news("export").output.contains("<title>Mine</title>"))
    #expect(news("undo").errors == "no longer following https://new.example/f\n")
    #expect(news("export").output == before)
  }

  private func list(_ news: CommandRun, _ feeds: String...) throws -> String {
    let outlines = feeds.map { "<outline xmlUrl='\($0)' mark='x'/>" }.joined()
    let head = "<head><title>Mine</title></head>"
    return try news.folder.write("<opml>\(head)<body>\(outlines)</body></opml>", to: "list.opml")
  }

  @Test("stories that another feed carries by now come back as one, with both feeds")
  func broughtElsewhere() throws {
    let news = try CommandRun()
    let feeds = ["https://example.com/a", "https://example.org/b"]
    for feed in feeds { news.fetcher.serve(feed, .init(body: Sample.rss("F", ["s1", "s2"]))) }
    for words in ["subscribe \(feeds[0])", "star 1", "clear --yes", "subscribe \(feeds[1])"] {
      #expect(news.run(words.split(separator: " ").map(String.init)).status == 0, "\(words)")
    }
    #expect(try news.stories().allSatisfy { $0.feeds == [feeds[1]] && !$0.isStarred })
    #expect(news("undo", "3").errors == "2 stories had come back already\n")
    let stories = try news.stories()
    #expect(stories.count == 2 && stories.allSatisfy { Set($0.feeds) == Set(feeds) })
    #expect(stories.count(where: \.isStarred) == 1)
  }

  @Test(
    "--ask undoes marks, tags and notes at once, and anything else after a yes",
    arguments: [
      (["read", "--all"], false), (["tag", "x", "1"], false), (["note", "1", "words"], false),
      (["delete", "1"], true), (["unsubscribe", Sample.feed], true),
      (["rules", "add", "chips", "--grep", "chip", "--then", "read"], true),
    ],
  )
  func asking(_ words: [String], _ isAsked: Bool) throws {
    let news = try sample()
    #expect(news.run(words + (words[0] == "unsubscribe" ? ["--yes"] : [])).status == 0)
    let refused = news("undo", "--ask")
    #expect(refused.errors.contains("Undo change 1 (`news \(words[0])") == isAsked)
    #expect(refused.status == (isAsked ? 1 : 0))
    news.input = ["y"]
    #expect(news("undo", "--ask").status == (isAsked ? 0 : 1))
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

  @Test("one after the other, the last first, and redo goes the way back")
  func severalSteps() throws {
    let news = try sample()
    var states = [try news.stories()]
    for words in [["read", "1"], ["star", "2"], ["tag", "x", "1-3"], ["delete", "4"]] {
      #expect(news.run(words).status == 0)
      states.append(try news.stories())
    }
    for state in states.dropLast().reversed() {
      #expect(news("undo").status == 0)
      #expect(try news.stories() == state)
    }
    nothing(news)
    for state in states.dropFirst() {
      #expect(news("redo").status == 0)
      #expect(try news.stories() == state)
    }
    #expect(news("redo").errors == "news: nothing to redo\n")
    #expect(news("undo").errors == "1 story is back\n")
    #expect(try news.stories() == states[3])
  }

  @Test("one of the last by its number, unless a later one is about the same")
  func byNumber() throws {
    let news = try sample()
    for words in [
      ["star", "1"], ["read", "1"], ["unstar", "1"], ["tag", "x", "2"], ["delete", "2"],
    ] {
      #expect(news.run(words).status == 0)
    }
    #expect(news("undo", "2").errors == "1 story is unread again\n")
    #expect(
      news("undo", "1").errors
        == "news: undo change 3 (`news unstar`) first\n"
    )
    #expect(news("undo", "4").errors.contains("5 (`news delete`)"))
    #expect(news("undo", "2").errors.contains("was undone already"))
    #expect(news("undo", "77").errors.contains("there is no change 77"))
    #expect(news("undo", "3").status == 0)
    #expect(news("undo", "1").status == 0)
    #expect(try news.stories().map(\.isStarred) == [false, false, false, true])
    #expect(
      news("undo", "--list").output.split(separator: "\n").map {
        $0.split(separator: "\t", omittingEmptySubsequences: false)
      }.map { "\($0[0]) \($0[2]) \($0[3])" } == [
        "5 delete ", "4 tag ", "3 unstar undone", "2 read undone", "1 star undone",
      ]
    )
    #expect(
      news("undo", "--list", "--json").output.contains("\"number\":3,\"command\":\"unstar\"")
    )
  }

  @Test("redo clears again what a clearing had taken, unless that was changed since")
  func redoesClearing() throws {
    let news = try sample()
    let before = try news.stories()
    news("delete", "--all", "--grep", "is:read", "--yes")
    #expect(news("undo").errors == "1 story is back\n")
    #expect(news("redo").errors == "1 story is gone again\n")
    #expect(news("undo").errors == "1 story is back\n")
    news("star", "3")
    #expect(news("redo").errors == "news: nothing to redo\n")
    #expect(news("undo").errors == "1 story is no longer starred\n")
    #expect(news("undo", "--list").output.split(separator: "\n").count == 2)
    #expect(news("redo").errors == "1 story is starred again\n")
    #expect(news("undo").status == 0)
    #expect(try news.stories() == before)
  }

  @Test("what others stored and marked since stays")
  func storedSince() throws {
    let news = try sample()
    news("read", "--all")
    var second = try news.stories()[1]
    second.isRead = false
    second.item.title = "Renamed"
    let new = Sample.story(9, "Later", hours: 0)
    try news.store.update { _ in
      var change = LibraryChange(StoryChanges(adding: [new], removing: [4]))
      change.stories.replaced[1] = second
      return (change, ())
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
    news("star", "2")
    news("read", "1")
    try news.store.update { _ in
      (LibraryChange(StoryChanges(adding: [], removing: [0])), ())
    }
    #expect(news("undo").errors == "1 story is no longer starred\n")
    #expect(
      news("undo").errors
        == "news: nothing to undo: nothing is left of the last `news read`\n"
    )
  }

  @Test("the record is for this user alone")
  func file() throws {
    let news = try sample()
    news("read", "1")
    let path = news.folder.path("home/history.plist")
    #expect(try Subprocess.run(["stat", "-c", "%a", path]).text == "600\n")
    #expect(try Subprocess.run(["plutil", "-lint", path]).status == 0)
  }

  @Test("a record that cannot be read, or is of a newer version, is left as it is and said")
  func damaged() throws {
    let news = try sample()
    let path = try news.folder.write("rubbish", to: "home/history.plist")
    #expect(
      news("undo").errors
        == "news: \(path) cannot be read and was left as it is: not a property list\n"
    )
    try news.folder.write(
      "<plist><dict><key>version</key><integer>9</integer></dict></plist>",
      to: "home/history.plist",
    )
    #expect(news("undo").errors.contains("was written by a newer news (version 9"))
    news("read", "1")
    #expect(news("undo").errors == "1 story is unread again\n")
  }

  @Test("a marking that cannot be undone later is not made")
  func unwritable() throws {
    let news = try sample()
    let before = try news.stories()
    #expect(try Subprocess.run(["mkdir", news.folder.path("home/history.plist")]).status == 0)
    let result = news("read", "1")
    #expect(result.errors.contains("history.plist is a folder") && result.status == 1)
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

  @Test("undo takes a number alone, and is in the help")
  func usage() throws {
    let news = try sample()
    #expect(news("undo", "x").status == 64)
    #expect(news("undo", "1", "2").status == 64)
    #expect(news("redo", "1").status == 64)
    #expect(news("help").output.contains("undo the last change"))
    #expect(news("help", "undo").output.contains("news undo --list"))
  }
}

extension CommandRun {
  func stories() throws -> [StoredItem] {
    let items = try store.read().items
    return try (0..<items.count).map { try items.item(at: $0) }
  }
}
