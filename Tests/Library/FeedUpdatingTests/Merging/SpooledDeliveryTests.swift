import FeedModel
import FeedStorage
import Testing

@testable import FeedUpdating

@Suite("Stories that wait in a file")
struct SpooledDeliveryTests {
  private static let feeds = (0..<6).map { "https://\($0).example/feed" }

  /// Returns stories, some of which the next feed has as well, every second one with a whole text.
  private static func stories(of feed: Int, round: Int) -> ([Item], [StoryText?]) {
    let numbers = (feed * 30)..<(feed * 30 + 40)
    let texts = numbers.map { number -> StoryText? in
      guard number % 2 == 0 else { return nil }
      let bytes = Array("<p>\(number) in round \(round / 2)".utf8)
      return StoryText(isHTML: true, base: "https://b.example/", bytes: bytes)
    }
    let items = zip(numbers, texts).map { number, text in
      var item = Item(
        title: "\(number)" + (number % 7 == 0 ? " in round \(round)" : ""),
        link: "https://stories.example/\(number)",
        date: hour(Double(number % 50)),
      )
      item.summary = String(repeating: "word ", count: 100)
      item.textNumber = text?.number ?? 0
      return item
    }
    return (items, texts)
  }

  private func stored(maximumBuffered: Int) throws -> (stories: [StoredItem], texts: [StoryText?]) {
    let bench = try RefreshBench(subscriptions: Self.feeds)
    for round in 0..<4 {
      let spool = StorySpool(folder: bench.store.home, maximumBuffered: maximumBuffered)
      let deliveries = Self.feeds.indices.map { feed in
        let (items, texts) = Self.stories(of: feed, round: round)
        return FeedDelivery(feed: Self.feeds[feed], items: items, texts: texts, spool: spool)
      }
      try bench.store.update { library in
        let now = hour(60 + Double(round))
        return (try library.merging(deliveries, now: now).change, ())
      }
    }
    let stories = try bench.items()
    let texts = bench.store.textIndex()
    return (stories, try stories.map { try texts.text(of: $0.id) })
  }

  @Test(
    "are stored as those that wait in memory, all in the file or some",
    arguments: [0, 60_000],
  )
  func likeInMemory(maximumBuffered: Int) throws {
    let plain = try stored(maximumBuffered: 1 << 30)
    let spooled = try stored(maximumBuffered: maximumBuffered)
    #expect(plain.stories.count == 190 && plain.stories == spooled.stories)
    #expect(plain.texts.compactMap(\.self).count == 95 && plain.texts == spooled.texts)
  }
}
