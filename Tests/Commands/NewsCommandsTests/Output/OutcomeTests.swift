import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import System

@Suite("The outcome and its numbers")
struct OutcomeTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    serve(["1": ""])
    news("subscribe", Sample.feed)
  }

  private func serve(_ titles: [String: String]) {
    let items = titles.sorted { $0.key > $1.key }.map { number, title in
      "<item>\(title.isEmpty ? "" : "<title>\(title)</title>")"
        + "<guid>\(number)</guid><pubDate>2026-10-2\(number)T12:00:00Z</pubDate>"
        + "<description>toot \(number)</description></item>"
    }
    let feed = "<rss version=\"2.0\"><channel><title>Feed</title>\(items.joined())</channel></rss>"
    news.fetcher.serve(Sample.feed, .init(body: feed))
  }

  @Test(
    "stories without titles, or with one that repeats, are told in every way in which others are",
    arguments: ["", "Daily thread"],
  )
  func told(_ title: String) throws {
    serve(["1": title, "2": title])
    var notices: [String] = []
    news.programs = { words, _ in
      notices.append(words.last ?? "")
      return POSIX.ProgramAnswer("", status: 0)
    }
    let file = news.folder.path("new")
    let words = ["--exit-status", "--notify", "--on-new", "cat >\(file)", "--format", "{id}"]
    let result = news.run(["fetch"] + words)
    #expect(result.status == 0 && result.output.split(separator: "\n").count == 1)
    #expect(result.errors.hasPrefix("newData: 1 new in 1 of 1 feeds, "))
    #expect(notices == [title.isEmpty ? "toot 2" : title])
    #expect(try readText(file).contains("\"guid\":\"2\""))
    serve(["1": title, "2": title, "3": title])
    let headlines = news("refresh").output
    #expect(headlines == "Feed (1)\n1  \(title.isEmpty ? "toot 3" : title)\n")
  }

  @Test("newData of a feed comes with a number above zero, and noData with none, whatever has come")
  func agreement() throws {
    let other = { (titles: [String]) in
      news.fetcher.serve(Sample.other, .init(body: Sample.rss("Other", titles)))
    }
    other(["x"])
    news("subscribe", Sample.other)
    news("rules", "add", "ads", "--grep", "ad", "--then", "drop")
    news("rules", "add", "quiet", "--grep", "quiet", "--then", "read")
    let answers: [[String: String]] = [
      ["1": ""], ["1": "One"], ["1": "Uno", "2": "ad"], ["2": "ad", "3": "ad"], ["3": "quiet"], [:],
      ["1": "One"], ["1": "One", "9": "old and new"], ["9": "new", "1": "Two"], ["4": "x"],
    ]
    for (number, titles) in answers.enumerated() {
      serve(titles)
      other(["x", "\(number / 2)", "One"])
      if number == 5 { news("clear", "--yes") }
      let output = news("refresh", "--json", "--force").output
      let feeds = output.split(separator: "{\"url\"").dropFirst().map(String.init)
      #expect(feeds.count == 2)
      for feed in feeds {
        let hasNews = !(feed.contains("\"new\":0,") && feed.contains("\"changed\":0,"))
        #expect(feed.contains("\"outcome\":\"newData\"") == hasNews, "\(feed)")
      }
    }
  }

  @Test("another title of the newest story alone is told as a change, and told once")
  func changed() throws {
    serve(["1": "One"])
    #expect(news("fetch", "--exit-status").status == 0)
    serve(["1": "Uno"])
    let line = "newData: 0 new, 1 changed in 1 of 1 feeds, "
    #expect(news("fetch", "--on-new", "echo told").output.hasPrefix(line))
    let again = news("fetch", "--exit-status")
    #expect(again.output.hasPrefix("noData: 0 new in 0 of 1 feeds, ") && again.status == 3)
    serve(["1": "Ein"])
    let json = news("refresh", "--json").output
    #expect(json.hasPrefix(#"{"outcome":"newData","new":0,"stored":0,"changed":1,"#))
    #expect(json.contains(#""outcome":"newData","new":0,"stored":0,"changed":1,"status":200"#))
    #expect(try news.store.ledger().map(\.changed) == [0, 1, 1, 0, 1])
    #expect(news("log", "-n", "1", "--json").output.contains(#""stored":0,"changed":1,"#))
    #expect(news("why", "1").output.contains(": 1 new, 1 stored"))
  }

  @Test("new stories and a change are both told")
  func both() throws {
    serve(["1": "One", "3": "Three"])
    news("fetch")
    serve(["1": "One", "2": "Two", "3": "Drei"])
    let line = "newData: 1 new, 1 changed in 1 of 1 feeds, "
    #expect(news("fetch").output.hasPrefix(line))
  }

  @Test("a newest story that is gone, or stands elsewhere, is no news")
  func gone() throws {
    serve(["1": "One", "2": "Two"])
    news("fetch")
    serve(["1": "One"])
    for _ in 0..<2 { #expect(news("fetch").output.hasPrefix("noData: 0 new in 0 of 1 feeds, ")) }
    serve(["1": "One", "2": "Two"])
    #expect(news("fetch").output.hasPrefix("noData: 0 new in 0 of 1 feeds, "))
  }

  @Test("what an earlier version kept to compare with is forgotten")
  func earlier() throws {
    let path = news.folder.path("home/feeds.plist")
    let add = """
      import plistlib, sys
      feeds = plistlib.load(open(sys.argv[1], 'rb'))
      for feed in feeds['feeds']: feed['state']['newestTitle'] = 'x'
      plistlib.dump(feeds, open(sys.argv[1], 'wb'), fmt=plistlib.FMT_BINARY)
      """
    #expect(try Subprocess.run(["python3", "-c", add, path]).status == 0)
    #expect(news("fetch").output.hasPrefix("noData: 0 new in 0 of 1 feeds, "))
    let read = "import plistlib, sys; print(plistlib.load(open(sys.argv[1], 'rb')))"
    #expect(try !Subprocess.run(["python3", "-c", read, path]).text.contains("newestTitle"))
  }
}
