import FeedModel
import FeedStorage
import Testing

@testable import FeedUpdating

private let feed = "https://a.example/feed"
private let other = "https://b.example/feed"

@Suite("Stories that are read for their age, and unread again once they are edited")
struct ReadingSettingsTests {
  private let bench: RefreshBench

  init() throws {
    bench = try RefreshBench(subscriptions: [feed, other])
  }

  private func set(_ change: (inout FeedSettings) -> Void) throws {
    try bench.update { change(&$0[0].settings) }
  }

  private func refresh(_ document: String, at hours: Double) -> RefreshReport {
    let answer = FakeAnswer.document(document, etag: "\"1\"")
    return bench.refresh(FakeFetcher([feed: answer]), at: hours)
  }

  private func unread() throws -> [String] {
    try bench.items().filter { !$0.isRead }.map(\.item.title)
  }

  /// Stores stories of 10 and 11 o'clock at noon.
  private func store() throws {
    #expect(refresh(rss("A", [("late", 11), ("early", 10)]), at: 0).stored == 2)
    #expect(try unread() == ["late", "early"])
  }

  @Test("a story is read once it is older than its feed says, also where nothing has changed")
  func age() throws {
    try store()
    try set { $0.readAfter = 3 * 3600 }
    let report = refresh(rss("A", [("late", 11), ("early", 10)]), at: 1.5)
    #expect(report.feeds.first { $0.url == feed }?.readOld == 1)
    #expect(report.feeds.first { $0.url == feed }?.status == 304)
    #expect(try unread() == ["late"])
    #expect(try bench.state(feed).lastChanged == hour(0))
  }

  @Test("a starred story stays unread, and so does one of a feed without the setting")
  func kept() throws {
    try store()
    try set { $0.readAfter = 3600 }
    try bench.store.update { library in
      var change = LibraryChange()
      change.stories.adjusted[1] = ItemAdjustment(marks: [.starred: true])
      return (change, ())
    }
    let documents: [String: FakeAnswer] = [
      feed: .document(rss("A", [("late", 11)])), other: .document(rss("B", [("third", 9)])),
    ]
    _ = bench.refresh(FakeFetcher(documents), at: 9)
    #expect(try unread() == ["early", "third"])
  }

  @Test("a story that comes so old is read from the beginning")
  func arrival() throws {
    try set { $0.readAfter = 3600 }
    _ = refresh(rss("A", [("late", 12), ("early", 10)]), at: 0)
    #expect(try unread() == ["late"])
  }

  @Test("an edited story is unread again, for as long as the age allows")
  func edited() throws {
    try store()
    try bench.store.update { library in
      var change = LibraryChange()
      change.stories.adjusted[0] = ItemAdjustment(marks: [.read: true])
      return (change, ())
    }
    func edited(_ title: String, at hours: Double) {
      let text = rss("A", [("late", 11)]).replacing("<title>late", with: "<title>\(title)")
      _ = bench.refresh(FakeFetcher([feed: .document(text)]), at: hours)
    }
    edited("Late", at: 1)
    #expect(try unread() == ["early"])
    try set {
      $0.unreadWhenEdited = true
      $0.readAfter = 2 * 3600
    }
    edited("Late!", at: 6)
    #expect(try unread() == ["Late!"])
    edited("Late!", at: 7)
    #expect(try unread() == ["Late!"])
    edited("Late!", at: 9)
    #expect(try unread() == [])
  }
}
