import TestSupport
import Testing

#if os(Linux)
@Suite("A background fetch that finds nothing due")
struct IdleRunTests {
  @Test("writes the line that it prints, and nothing to any file")
  func bytes() throws {
    let news = try News()
    let rss = "<rss version=\"2.0\"><channel><item><title>a</title></item></channel></rss>"
    let feed = try news.folder.write(rss, to: "feed.xml")
    #expect(try news.run("subscribe", feed).status == 0)
    #expect(try news.run("fetch").status == 0)
    // /proc counts for a shell what the programs wrote that it has waited for.
    let result = try Subprocess.run(
      ["sh", "-c", "\"$0\" fetch --due; grep wchar /proc/$$/io", news.program],
      environment: news.settings,
    )
    let lines = result.text.split(separator: "\n").map(String.init)
    try #require(lines.count == 2, "\(result.text)\(result.errorText)")
    #expect(lines[0].hasPrefix("noData: 0 new in 0 of 0 feeds"))
    let written = try #require(Int(lines[1].dropFirst("wchar: ".count)))
    // The program wakes its own threads by a byte or two through a pipe.
    #expect((0...8).contains(written - lines[0].utf8.count - 1), "\(written) bytes")
  }
}
#endif
