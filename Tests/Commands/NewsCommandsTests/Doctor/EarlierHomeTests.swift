import FeedModel
import FeedStorage
import TestSupport
import Testing

/// `Fixtures/store/earlier-home` was made by the version of 2026-11-23, which stored a thousand
/// characters of a summary beside the whole text.
///
/// It has sixteen stories of one feed, four of which had another title before, four marked read and
/// two starred.
@Suite("A home of an earlier version")
struct EarlierHomeTests {
  private static let feed = "http://127.0.0.1:18765/old/feed.xml"
  private static let words = String(repeating: "words ", count: 150)

  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    news.now = 1_795_651_200
    let home = news.folder.path("home")
    let copy = try Subprocess.run(["cp", "-R", BuiltProduct.fixture("store/earlier-home"), home])
    try #require(copy.status == 0, "\(copy.errorText)")
  }

  private static func item(_ number: Int) -> String {
    let title = "story \(number)" + (number % 4 == 0 ? " again" : "")
    return "<item><title>\(title)</title><link>https://www.example.org/\(number)</link>"
      + "<guid isPermaLink=\"false\">tag:example.org,2026:\(number)</guid>"
      + "<pubDate>Mon, 21 Sep 2026 \(number < 10 ? "0" : "")\(number):00:00 GMT</pubDate>"
      + "<author>someone@example.org (Some One)</author><category>technology</category>"
      + "<description>&lt;p&gt;\(words)&lt;/p&gt;&lt;p&gt;\(title)&lt;/p&gt;</description></item>"
  }

  @Test("is read, shrinks as stories are saved, and loses no mark and no text")
  func migration() throws {
    let before = try size()
    let marks = try marks()
    #expect(marks.values.count { $0[.read] == true } == 4)
    #expect(marks.values.count { $0[.starred] == true } == 2)
    let listed = news("list").output.split(separator: "\n")
    #expect(news("doctor", "--offline").output.contains("ok\ttexts\t16 texts"))

    let items = (0...16).map(Self.item).joined()
    let body = "<rss version=\"2.0\"><channel><title>Old</title>\(items)</channel></rss>"
    news.fetcher.serve(Self.feed, .init(body: body))
    #expect(news("fetch").output.hasPrefix("newData: 1 new in 1 of 1 feeds"))

    let after = try size()
    #expect(after < before * 2 / 3, "\(after) after \(before)")
    #expect(try self.marks().filter { $0.key != "story 16 again" } == marks)
    #expect(news("list").output.split(separator: "\n").count == listed.count + 1)
    for number in 1...17 {
      #expect(news("show", "\(number)").output.contains("words words"))
    }
    #expect(news("list", "--grep", "words story").output.split(separator: "\n").count == 17)
    #expect(news("doctor", "--offline").output.contains("ok\ttexts\t17 texts"))
  }

  private func size() throws -> Int { try readFile(news.store.dataPath).count }

  private func marks() throws -> [String: ItemMarks] {
    let items = try news.store.read().items
    var marks: [String: ItemMarks] = [:]
    for index in 0..<items.count {
      let story = try items.item(at: index)
      marks[story.item.title] = [.read: story.isRead, .starred: story.isStarred]
    }
    return marks
  }
}
