import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import CommandSupport

@Suite("Stories are tagged by hand")
struct TagCommandTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.storeSample()
  }

  private func tags() throws -> [[String]] { try news.stories().map(\.tags) }

  @Test("numbers, ranges and --all get a tag, by which they are listed and found")
  func tagging() throws {
    let before = try tags()
    #expect(news("tag", "later", "1", "3").errors == "2 stories tagged later\n")
    #expect(news("tag", "LATER", "1-2").errors == "1 story tagged LATER\n")
    let listed = news("list", "--feed", "tag:later", "--format", "{tags}")
    #expect(listed.output == "later\nLATER\nlater\n")
    #expect(
      news("list", "--grep", "tag:later", "--format", "{n}").output.split(separator: "\n").count
        == 3
    )
    #expect(news("untag", "Later", "--all").errors == "3 stories no longer tagged Later\n")
    #expect(try tags() == before)
    #expect(news("list", "--feed", "tag:later").status == 1)
  }

  @Test("a,b is two tags wherever tags are typed, and a tag with a comma can be removed")
  func commas() throws {
    #expect(news("tag", "a, b", "1").errors == "1 story tagged a, b\n")
    #expect(try tags().first == ["a", "b"])
    #expect(news("tag", ",", "1").errors.contains("no tag given"))
    #expect(news("undo").status == 0)
    #expect(try tags().first == [])
    #expect(news("feeds", "set", Sample.feed, "--tag", "c,d").status == 0)
    #expect(news("rules", "add", "r", "--grep", "x", "--then", "tag:e,f").status == 0)
    #expect(
      try news.store.read().subscriptions.first { $0.url == Sample.feed }?.tags == ["c", "d"]
    )
    #expect(try news.store.rules().map(\.actions) == [[.tag("e"), .tag("f")]])
    try news.store.update { library in
      var change = LibraryChange()
      var edits = MarkingEdits(library.items)
      _ = try edits.tag(["g,h"], at: [0])
      change.stories.adjusted = edits.adjustments
      return (change, ())
    }
    #expect(try tags().first == ["g,h"])
    #expect(news("untag", "g,h", "1").status == 0)
    #expect(try tags().first == [])
  }

  @Test("a story and a feed have at most 100 tags, however they are typed, and a line says so")
  func limit() throws {
    let names = { (range: Range<Int>) in range.map { "t\($0)" }.joined(separator: ",") }
    let url = "https://example.com/other"
    let typed = [
      ["tag", names(0..<101), "1"], ["feeds", "set", Sample.feed, "--tag", names(0..<101)],
      ["subscribe", url, "--no-check", "--tag", names(0..<101)],
    ]
    let limit = "a feed or a story has at most 100 tags"
    for words in typed {
      let run = news.run(words)
      #expect(run.status == 64 && run.errors.contains(limit), "\(run.errors)")
    }
    let step = [
      (["tag", names(0..<60), "1"], ["tag", names(50..<101), "1-2"]),
      (
        ["feeds", "set", Sample.feed, "--tag", names(0..<60)],
        ["feeds", "set", Sample.feed, "--tag", names(50..<101)],
      ),
    ]
    for (first, second) in step {
      #expect(news.run(first).status == 0)
      let run = news.run(second)
      #expect(run.status == 1 && run.errors == "news: \(limit)\n", "\(run.errors)")
    }
    #expect(try tags().first?.count == 60 && tags().last == [])
    #expect(news("tag", names(60..<100), "1").status == 0)
    #expect(news("untag", "t0", "1").status == 0 && news("tag", "new", "1").status == 0)
    #expect(news("undo").status == 0)
    #expect(try tags().first == (1..<100).map { "t\($0)" })
    #expect(news("subscribe", url, "--no-check", "--tag", names(0..<60)).status == 0)
    let more = news("subscribe", url, "--tag", names(50..<110))
    #expect(
      more.status == 0 && more.errors.contains("tags left out: \(limit)"),
      "\(more.errors)",
    )
    let feed = try news.store.read().subscriptions.first { $0.url == url }
    #expect(feed?.tags == (0..<100).map { "t\($0)" })
  }

  @Test("a list of feeds brings at most 100 tags of a feed, and a line says so")
  func lists() throws {
    let names = (0..<120).map { "t\($0)" }.joined(separator: ",")
    let list = try news.folder.write(
      "<opml version='2.0'><body><outline xmlUrl='https://a.example/' category='\(names)'/></body></opml>",
      to: "a.opml",
    )
    let run = news("import", list)
    #expect(
      run.errors.contains("tags left out: a feed or a story has at most 100 tags"),
      "\(run.errors)",
    )
    let feed = try news.store.read().subscriptions.first { $0.url == "https://a.example/" }
    #expect(feed?.tags.count == 100)
  }

  @Test("a tag that no other machine would take is refused wherever tags are typed")
  func long() throws {
    let long = String(repeating: "ü", count: 201)
    let typed = [
      ["tag", long, "1"], ["feeds", "set", Sample.feed, "--tag", "a,\(long)"],
      ["rules", "add", "r", "--grep", "x", "--then", "tag:\(long)"],
      ["subscribe", "https://example.com/other", "--no-check", "--tag", long],
    ]
    for words in typed {
      let run = news.run(words)
      #expect(run.status == 64)
      #expect(run.errors.contains("a tag has at most 200 characters"))
    }
    #expect(news("tag", String(long.dropLast()), "1").status == 0)
  }

  @Test("undo takes each back, also where cases differ")
  func undo() throws {
    news("tag", "later", "1")
    news("tag", "Later", "2")
    let tagged = try tags()
    #expect(news("untag", "LATER", "--all").errors == "2 stories no longer tagged LATER\n")
    #expect(
      news("undo").errors
        == "1 story is tagged Later again, 1 story is tagged later again\n"
    )
    #expect(try tags() == tagged)
    #expect(news("tag", "new one", "--all", "--feed", "other").status == 0)
    #expect(news("undo").errors.contains("no longer tagged new one"))
    #expect(try tags() == tagged)
    #expect(news("untag", "none", "1").errors == "0 stories no longer tagged none\n")
  }

  @Test("a tag outlives a clearing that is undone, and goes with an export")
  func pairs() throws {
    news("tag", "later", "1")
    let tagged = try tags()
    #expect(news("clear", "--yes").status == 0 && news("undo").status == 0)
    #expect(try tags() == tagged)
    let other = try CommandRun()
    let file = try other.folder.write(news("export", "--json").output, to: "export.json")
    #expect(other("import", file).status == 0)
    #expect(
      other("list", "--grep", "tag:later", "--format", "{n}").output.split(separator: "\n").count
        == 1
    )
  }

  @Test(
    "words that say too little are refused",
    arguments: [
      ["tag"], ["tag", "later"], ["tag", "", "1"], ["tag", "later", "1", "--all"],
      ["tag", "later", "--unread"], ["tag", "later", "x"], ["untag", "--all"],
    ],
  )
  func refused(_ words: [String]) throws {
    let before = try tags()
    #expect(news.run(words).status == 64, "\(words)")
    #expect(try tags() == before)
  }
}
