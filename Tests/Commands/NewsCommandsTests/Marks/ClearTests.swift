import FeedFetching
import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import NewsCommands

@Suite("news clear and delete, of a feed, of what was read, and undone")
struct ClearTests {
  private static let read = ["delete", "--all", "--grep", "is:read"]

  private func sample() throws -> CommandRun {
    let news = try CommandRun()
    try news.storeSample()
    return news
  }

  private func numbers(_ news: CommandRun) throws -> [Int] {
    try news.stories().map { Int($0.id, radix: 16) ?? 0 }
  }

  /// Fetches two feeds of files: `a` to `d` of one, `d` and `e` of the other, none with a date.
  private func fetched() throws -> CommandRun {
    let news = try CommandRun()
    news.fetcher.serve(Sample.feed, page("One", ["a", "b", "c", "d"], "1"))
    news.fetcher.serve(Sample.other, page("Two", ["d", "e"], "1"))
    #expect(news("subscribe", "--no-check", Sample.feed, Sample.other).status == 0)
    #expect(news("refresh").status == 0)
    #expect(try titles(news) == ["a", "b", "c", "d", "e"])
    return news
  }

  private func page(_ title: String, _ stories: [String], _ etag: String) -> FakeFetcher.Page {
    FakeFetcher.Page(body: Sample.rss(title, stories), etag: etag)
  }

  private func titles(_ news: CommandRun) throws -> [String] {
    try news.stories().map(\.item.title)
  }

  private func titles(_ news: CommandRun, where isTaken: (StoredItem) -> Bool) throws -> [String] {
    try news.stories().filter(isTaken).map(\.item.title)
  }

  // MARK: Which stories go

  @Test(
    "partial clears and deletions take what they say, and never what is starred",
    arguments: [
      (read, [1, 2, 4, 5], "1 story deleted; `news undo` brings it back\n"),
      (
        ["clear", "--feed", "example"], [2, 5],
        "3 stories cleared, 1 starred kept; `news undo` brings them back, `news refresh` what the feeds still carry\n",
      ),
      (
        read + ["--feed", "example"], [1, 2, 4, 5],
        "1 story deleted; `news undo` brings it back\n",
      ),
      (read + ["--feed", "other"], [1, 2, 3, 4, 5], "0 stories deleted\n"),
    ],
  )
  func partial(_ words: [String], _ left: [Int], _ message: String) throws {
    let news = try sample()
    let before = try news.stories()
    let result = news.run(words + ["--yes"])
    #expect(result == CommandResult(output: "", errors: message, status: 0))
    #expect(try numbers(news) == left)
    if left.count < 5 {
      #expect(news("undo").status == 0)
      #expect(try news.stories() == before)
    }
    #expect(news("undo").status == 1)
  }

  @Test("clear asks with the number of stories, and deletes none without a yes")
  func question() throws {
    let news = try sample()
    news.useTerminal(80)
    news.input = ["", "n"]
    for (options, question) in [
      (["--feed", "example"], "Clear 3 stories of Example? [y/N] "),
      ([], "Clear 5 stories, 1 of them starred? [y/N] "),
    ] {
      let result = news.run(["clear"] + options)
      #expect(result.errors == question + "nothing was cleared\n" && result.status == 1)
    }
    #expect(try numbers(news) == [1, 2, 3, 4, 5])
    news.input = ["Y"]
    #expect(news("clear", "--feed", "example").status == 0)
    #expect(try numbers(news) == [2, 5])
    #expect(news("clear", "--feed", "other", "-y").status == 0)
  }

  @Test("wrong words are told, and delete nothing")
  func wrongWords() throws {
    let news = try sample()
    #expect(news("clear", "--yes", "--feed", "nobody").status == 1)
    #expect(news("clear", "--yes", "--feed=").status == 64)
    #expect(
      news("clear", "--yes", "example").errors
        == "news: clear takes options only; for a feed: news clear --feed example "
        + "(see `news clear --help`)\n"
    )
    #expect(try numbers(news) == [1, 2, 3, 4, 5])
  }

  // MARK: What comes back

  @Test("what was read and deleted stays away from a feed that has moved")
  func readStaysAwayAfterMove() throws {
    let news = try fetched()
    news("read", "1")
    news.run(Self.read + ["--yes"])
    let moved = "https://example.com/moved.xml"
    try move(news, to: moved)
    news.fetcher.serve(moved, page("One", ["new", "a", "b", "c", "d"], "9"))
    #expect(news("refresh").errors.contains("failed") == false)
    #expect(try titles(news) == ["new", "b", "c", "d", "e"])
  }

  @Test("a cleared feed's stories come back with the next refresh, those of others stay theirs")
  func feedComesBack() throws {
    let news = try fetched()
    #expect(
      news("clear", "--yes", "--feed", "one").errors
        == "3 stories cleared, 1 left to other feeds; `news undo` brings them back, `news refresh` what the feeds still carry\n"
    )
    #expect(try titles(news) == ["d", "e"])
    #expect(try news.stories().map(\.feeds) == [[Sample.other], [Sample.other]])
    #expect(news("clear", "--yes", "--feed", "two").errors.hasPrefix("2 stories cleared;"))
    #expect(news("refresh").status == 0)
    #expect(try Set(titles(news)) == ["a", "b", "c", "d", "e"])
    #expect(news.fetcher.requests.suffix(2).allSatisfy { $0.validators == nil })
  }

  // MARK: Undone

  @Test("says how many are back")
  func words() throws {
    let news = try fetched()
    news("clear", "--yes")
    #expect(news("undo").errors == "5 stories are back\n")
    news("clear", "--yes", "--feed", "one")
    #expect(news("undo").errors == "3 stories are back, 1 story is of the feed again\n")
    news("clear", "--yes", "--feed", "one")
    news("refresh")
    #expect(news("undo").errors == "3 stories had come back already\n")
  }

  @Test("stories that came back meanwhile are not doubled, and get their marks back")
  func cameBack() throws {
    for options in [[], ["--feed", "one"]] {
      let news = try fetched()
      news("read", "1-2")
      news("star", "4")
      news("read", "5")
      news.run(["clear", "--yes"] + options)
      news.fetcher.serve(Sample.feed, page("One", ["new", "c", "b", "a"], "2"))
      let refreshed = news("refresh")
      #expect(refreshed.status == 0, "\(refreshed.errors)")
      #expect(try titles(news).contains("new"))
      #expect(news("undo").status == 0)
      let stories = try news.stories()
      #expect(stories.map(\.item.title).sorted() == ["a", "b", "c", "d", "e", "new"])
      #expect(try titles(news) { $0.isRead }.sorted() == ["a", "b", "e"])
      #expect(try titles(news) { $0.isStarred } == ["d"])
      #expect(Set(stories.map(\.id)).count == 6)
      // The validators are those of the last answer, not of the one before the clearing.
      #expect(news("refresh").status == 0)
      #expect(news.fetcher.requests.suffix(2).map(\.validators?.etag) == ["2", "1"])
    }
  }

  @Test("a feed whose starred stories were cleared since it ended brings them when it is back")
  func endedBefore() throws {
    let news = try CommandRun()
    news.fetcher.serve(Sample.feed, page("One", ["a"], "1"))
    news("subscribe", Sample.feed)
    news("star", "--all")
    #expect(news("unsubscribe", "one", "--yes").status == 0)
    news("clear", "--yes")
    let ending = try #require(news.store.history().changes.dropLast().last).change
    let undone = news("undo", "\(ending)")
    #expect(undone.errors == "following One again\n")
    news("refresh")
    #expect(try titles(news).contains("a"))
  }

  @Test("a story that came back is the one that was cleared, with the content that it has now")
  func cameBackChanged() throws {
    for options in [[], ["--feed", "one"]] {
      let news = try fetched()
      news("read", "1")
      let before = try news.stories()
      news.run(["clear", "--yes"] + options)
      news.now += 3600
      let body = Sample.rss("One", ["a", "b"]).replacing(">a<", with: ">a, corrected<")
      news.fetcher.serve(Sample.feed, FakeFetcher.Page(body: body, etag: "2"))
      news("refresh")
      #expect(news("undo").errors.contains("had come back already"))
      var expected = before
      expected[0].item.title = "a, corrected"
      #expect(try news.stories() == expected, "\(options)")
    }
  }

  @Test("the stories of a feed that has moved since come back to where it is now")
  func movedSince() throws {
    for words in [["clear"], ["clear", "--feed", "one"], Self.read] {
      for isRefreshed in [false, true] {
        let news = try fetched()
        news("read", "1")
        news.run(words + ["--yes"])
        let moved = "https://example.com/moved.xml"
        try move(news, to: moved)
        news.fetcher.serve(moved, page("One", ["a", "b", "c", "d"], "9"))
        if isRefreshed { news("refresh") }
        #expect(news("undo").status == 0)
        #expect(
          try titles(news).sorted() == ["a", "b", "c", "d", "e"],
          "\(words) \(isRefreshed)",
        )
        #expect(try titles(news) { $0.isRead } == ["a"])
        let feeds = try Set(news.stories().flatMap(\.feeds))
        #expect(feeds == [moved, Sample.other])
      }
    }
  }

  @Test("what other programs put into a story comes back with it")
  func unknownKeys() throws {
    for words in [["clear"], Self.read] {
      let news = try CommandRun()
      try news.store.prepareHome()
      try news.folder.write(
        """
        <plist><array><dict><key>title</key><string>A</string><key>read</key><true/>
        <key>rating</key><integer>5</integer></dict>
        <dict><key>title</key><string>B</string></dict></array></plist>
        """,
        to: "home/newsdata.plist",
      )
      news.run(words + ["--yes"])
      let other = Sample.story(7, "Other", hours: 1)
      try news.store.update { library in
        (LibraryChange(StoryChanges(adding: [other])), ())
      }
      #expect(news("undo").status == 0)
      #expect(try titles(news).sorted() == ["A", "B", "Other"])
      #expect(try Subprocess.run(["plutil", "-p", news.store.dataPath]).text.contains("rating"))
    }
  }

  @Test("clear puts the data file aside as it is, link or not, and undo puts it back")
  func setAside() throws {
    let news = try sample()
    let shell = """
      cd "$0" && mkdir elsewhere && mv home/newsdata.plist elsewhere/data &&
      ln -s ../elsewhere/data home/newsdata.plist && stat -c %i elsewhere/data
      """
    let inode = try Subprocess.run(["sh", "-c", shell, news.folder.path]).text
    news("clear", "--yes")
    #expect(try namesInFolder(news.folder.path("elsewhere")) == ["data.cleared-1"])
    news("undo")
    let path = news.folder.path("elsewhere/data")
    #expect(try Subprocess.run(["stat", "-c", "%i", path]).text == inode)
    #expect(try news.stories().count == 5)
    news("clear", "--yes")
    try news.store(
      [Sample.story(1, "One", hours: 1)],
      subscriptions: [(Sample.feed, "Example")],
    )
  }

  @Test("a clearing that was stopped before the file was set aside leaves the undo of another")
  func stopped() throws {
    let news = try sample()
    news("clear", "--yes")
    try news.store(
      [Sample.story(9, "One", hours: 1)],
      subscriptions: [(Sample.feed, "Example"), (Sample.other, "Other Feed")],
    )
    try setModificationTime(of: news.store.dataPath, seconds: 1_790_000_000)
    news("clear", "--yes")
    let aside = news.folder.path("home/newsdata.plist.cleared-2")
    #expect(try Subprocess.run(["mv", aside, news.store.dataPath]).status == 0)
    #expect(try news.store.history().steps.map(\.number) == [1])
    #expect(news("undo").errors == "5 stories are back\n")
    #expect(try titles(news).count == 6)
  }

  @Test("a file that was set aside by another clearing is not taken for this one's")
  func otherAside() throws {
    let news = try sample()
    news("clear", "--yes")
    let aside = "home/newsdata.plist.cleared-1"
    var bytes = try readFile(news.folder.path(aside))
    // The last byte of the number of its save.
    bytes[bytes.count - 28] += 1
    try news.folder.write(bytes, to: aside)
    #expect(news("undo").errors.contains("it is not the file that history.plist tells of"))
    #expect(try titles(news).isEmpty)
  }

  private func move(_ news: CommandRun, to url: String) throws {
    try news.store.update { library in
      var subscriptions = library.subscriptions
      subscriptions[0].state.formerURLs = [subscriptions[0].url]
      subscriptions[0].url = url
      var change = LibraryChange(subscriptions: subscriptions)
      for index in 0..<library.items.count {
        var story = try library.items.item(at: index)
        story.feeds = story.feeds.map { $0 == Sample.feed ? url : $0 }
        change.stories.replaced[index] = story
      }
      return (change, ())
    }
  }
}
