import TestSupport
import Testing

#if os(Linux)
@Suite("System calls of a fetch")
struct SystemCallTests {
  /// Returns a feed with whole texts, about 1,500 bytes a story.
  private static func rss(_ feed: Int) -> String {
    "<rss version=\"2.0\"><channel>\(items(of: feed))</channel></rss>"
  }

  private static func items(of feed: Int) -> String {
    (0..<50).map { story in
      let text = String(repeating: "word \(story) ", count: 200)
      return "<item><title>\(feed) \(story)</title><guid>\(feed)-\(story)</guid>"
        + "<description>\(text)</description></item>"
    }.joined()
  }

  @Test(
    "an ordinary run reads no story back from a file: it makes a few calls a feed, none a story"
  )
  func reads() throws {
    let news = try News()
    let feeds = 100
    let files = try (0..<feeds).map { try news.folder.write(Self.rss($0), to: "\($0).xml") }
    #expect(try news.run(["subscribe", "--no-check"] + files).status == 0)
    // A shell has the calls counted of the programs that it has waited for.
    let result = try Subprocess.run(
      ["sh", "-c", "\"$0\" refresh --json > run.json; grep syscr /proc/$$/io", news.program],
      environment: news.settings,
      folder: news.folder.path,
    )
    let reads = try #require(
      result.text.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
    )
    #expect(try readText(news.folder.path("run.json")).contains("\"new\":\(feeds * 50),"))
    #expect(reads < feeds * 6 + 500, "\(reads) calls")
  }

  @Test("parsing a large document makes room for it in large steps, not by a page")
  func growth() throws {
    let news = try News()
    let stories = (0..<200).map { Self.items(of: $0) }.joined()
    let feed = try news.folder.write("<rss><channel>\(stories)</channel></rss>", to: "feed.xml")
    let calls = news.folder.path("calls")
    let result = try Subprocess.run(
      ["strace", "-f", "-e", "trace=mprotect", "-o", calls, news.program, "parse", feed],
      environment: news.settings,
    )
    #expect(result.text.contains("199 49"))
    let count = try readText(calls).split(separator: "\n").count { $0.contains("mprotect(") }
    #expect((1..<100).contains(count), "\(count) calls")
  }
}
#endif
