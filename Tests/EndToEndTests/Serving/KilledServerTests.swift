import TestSupport
import Testing

@Suite("news serve, killed while an app marks")
struct KilledServerTests {
  private static let titles = (1...30).map { "s\($0)" }
  private static let root = "/reader/api/0"

  /// A home that follows one feed, of which all stories are stored.
  private func sample() throws -> News {
    let nginx = try Nginx()
    let items = Self.titles.map { "<item><title>\($0)</title><guid>\($0)</guid></item>" }
    let feed = "<rss version='2.0'><channel><title>Feed</title>\(items.joined())</channel></rss>"
    try nginx.serve(feed, as: "feed.xml")
    let news = try News()
    #expect(try news.run("subscribe", nginx.url("/feed.xml")).status == 0)
    return news
  }

  /// Returns the form that names all stories.
  private func form(_ app: HTTPConnection, _ known: String) throws -> String {
    let path =
      "\(Self.root)/stream/items/ids?output=json&n=100&s=user/-/state/com.google/reading-list"
    let ids = try #require(app.ask(path, headers: [known])).body
      .split(separator: "\"").filter { Int64($0) != nil }
    #expect(ids.count == Self.titles.count)
    return ids.map { "i=\($0)" }.joined(separator: "&")
  }

  private func tag(_ round: Int, _ number: Int) -> String { "t\(round)x\(1_000 + number)" }

  @Test("keeps what it has said yes to, and the next mark whole or not at all", arguments: 1...4)
  func kills(_ seed: UInt64) throws {
    let news = try sample()
    var chance = Chance(seed: seed)
    for round in 0..<3 {
      let home = try ServingHome(news)
      let (app, known) = (try home.connection(), try home.authorization())
      let form = try form(app, known)
      let wait = "0.\(1_000 + chance.below(4_000))"
      let killer = try Subprocess(["sh", "-c", "sleep \(wait); kill -9 \(home.process.pid)"])
      var done = 0
      while done < 500 {
        let edit = "\(form)&a=user/-/label/\(tag(round, done))"
        guard app.ask("\(Self.root)/edit-tag", headers: [known], post: edit)?.body == "OK" else {
          break
        }
        done += 1
      }
      _ = try (killer.wait(), home.process.wait())
      let tags = try news.run("list", "--format", "{tags}").text.split(separator: "\n")
      #expect(tags.count == Self.titles.count && done > 0)
      func stories(with number: Int) -> Int { tags.count { $0.contains(tag(round, number)) } }
      for number in 0..<done { #expect(stories(with: number) == tags.count, "\(number)/\(done)") }
      #expect([0, tags.count].contains(stories(with: done)), "\(done)")
      #expect(stories(with: done + 1) == 0)
      // The last marks are one step.
      #expect(try news.undoLatest().status == 0)
    }
  }
}
