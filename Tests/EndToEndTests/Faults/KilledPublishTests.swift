import TestSupport
import Testing

@Suite("A publishing that is killed")
struct KilledPublishTests {
  private let news: News
  private var site: String { news.folder.path("site") }

  init() throws {
    news = try News()
    let items = (0..<1_500).map { number in
      let text = String(repeating: "Words of story \(number). ", count: 100)
      return "<item><title>Story \(number)</title><guid>\(number)</guid>"
        + "<pubDate>\(1 + number % 28) Oct 2026 10:00:00 GMT</pubDate>"
        + "<description>\(text)</description></item>"
    }
    let feed =
      "<rss version=\"2.0\"><channel><title>T</title>\(items.joined())</channel></rss>"
    try news.folder.write(feed, to: "feed.xml")
    #expect(try news.run("subscribe", news.folder.path("feed.xml")).status == 0)
  }

  private func names() -> Set<String> {
    Set((try? namesInFolder(site)) ?? []).subtracting([".", ".."])
  }

  @Test("leaves whole files, of which the next one makes the same site", arguments: [1, 3, 9])
  func killed(_ files: Int) throws {
    let run = try news.start("publish", site)
    while names().count < files, !run.hasEnded { usleep(500) }
    run.send(SIGKILL)
    _ = try run.wait()
    for name in names() where name.hasSuffix(".html") {
      #expect(try readText("\(site)/\(name)").hasSuffix("</html>\n"), "\(name)")
    }
    let again = try news.run("publish", site, "--json")
    #expect(again.status == 0 && again.text.contains("\"refused\":[]"), "\(again.errorText)")
    let all = try news.run("publish", site, "--json")
    #expect(all.text.contains("\"written\":0,") && all.text.contains("\"removed\":0,"))
    #expect(!names().contains { $0.hasSuffix(".new") })
    #expect(names().isSuperset(of: ["index.html", "atom.xml", "rss.xml", "feed.json"]))
  }
}
