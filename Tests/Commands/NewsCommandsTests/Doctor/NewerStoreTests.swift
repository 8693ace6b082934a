import FeedModel
import PropertyLists
import TestSupport
import Testing

@testable import NewsCommands

@Suite("A store that a newer news wrote is refused by every command, and stays as it is")
struct NewerStoreTests {
  @Test(
    arguments: [
      ["list"], ["list", "--grep", "a"], ["open", "1"], ["show", "1"], ["read", "--all"],
      ["star", "1"], ["clear", "--yes"], ["feeds"], ["refresh"], ["fetch"], ["fetch", "--due"],
      ["subscribe", "FEED"], ["unsubscribe", "example"], ["import", "OPML"], ["export"], [],
    ]
  )
  func refused(_ words: [String]) throws {
    let news = try CommandRun()
    try news.storeSample()
    news("list")
    let feed = try news.folder.write(Sample.rss("Feed", ["one"]), to: "feed.xml")
    let outlines = try news.folder.write(
      "<opml version=\"2.0\"><body><outline xmlUrl=\"https://x.example/\"/></body></opml>",
      to: "feeds.opml",
    )
    let path = try news.folder.write(
      PropertyList.encode(.dictionary(["version": .integer(7), "feeds": .array([])])),
      to: "home/feeds.plist",
    )
    let before = try contents(news)
    let result = news.run(words.map { ["FEED": feed, "OPML": outlines][$0] ?? $0 })
    let reason = "\(path) was written by a newer news (version 7, this one knows 2)"
    #expect(result.errors.contains(reason), "\(result.errors)")
    #expect(result.status == 1)
    #expect(try contents(news) == before)
  }

  private func contents(_ news: CommandRun) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try namesInFolder(news.folder.path("home")) where !name.hasSuffix("lock") {
      files[name] = try readFile(news.folder.path("home/\(name)"))
    }
    return files
  }
}
