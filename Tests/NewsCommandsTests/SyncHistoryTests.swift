import FeedModel
import FeedStorage
import Testing

@testable import NewsCommands

@Suite("Homes come to the same state, whatever is done on each")
struct SyncHistoryTests {
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  private static let feeds = (0..<4).map { "https://example.com/feed\($0)" }

  @Test("three homes with random work on each", arguments: 0..<40)
  func histories(seed: Int) throws {
    var random = Numbers(state: UInt64(seed) &* 977)
    let homes = try SyncedHomes(3)
    let clocks: [Double] = [0, 0, 5_000_000, -900_000_000]
    for home in homes.homes {
      home.now += clocks.randomElement(using: &random) ?? 0
      for (number, url) in Self.feeds.enumerated() {
        let titles = (0..<6).map { "s\(number)\($0)" }
        home.fetcher.serve(url, .init(body: Sample.rss("Feed \(number)", titles)))
      }
    }
    for _ in 0..<40 { work(on: homes, &random) }
    for home in homes.homes { home.run(["refresh", "--force"]) }
    for _ in 0..<3 { homes.settle() }
    let states = try (0..<3).map { try shared(homes, $0) }
    #expect(states[0] == states[1] && states[1] == states[2])
    let before = try (0..<3).map { try homes.state($0) }
    homes.settle()
    #expect(try (0..<3).map { try homes.state($0) } == before)
    for home in homes.homes {
      #expect(
        home.run(["sync", homes.path]).errors == "3 machines: 0 marks, 0 feeds added, 0 removed\n"
      )
    }
  }

  private func work(on homes: SyncedHomes, _ random: inout Numbers) {
    guard let home = homes.homes.randomElement(using: &random) else { return }
    home.now += Double.random(in: 1...5000, using: &random)
    let feed = Self.feeds.randomElement(using: &random) ?? ""
    let number = "\(Int.random(in: 1...12, using: &random))"
    let commands = [
      ["read", number], ["read", number], ["unread", number], ["star", number], ["unstar", number],
      ["unread", "--all"], ["read", "--all", "--feed", feed], ["refresh", "--force"],
      ["refresh", "--keep", "1"], ["clear", "--read", "--yes"], ["clear", "--yes", "--feed", feed],
      ["undo"], ["subscribe", feed, "--no-check"], ["subscribe", feed], ["subscribe", feed],
      ["unsubscribe", feed], ["feeds", "set", feed, "--title", "T\(number)"],
      ["feeds", "set", feed, "--tag", "t\(number)"], ["feeds", "set", feed, "--keep", number],
      ["rules", "add", "r\(number)", "--grep", "s0", "--then", "star"],
      ["rules", "remove", "r\(number)"], ["sync", homes.path], ["sync", homes.path],
      ["sync", homes.path], ["sync", homes.path],
    ]
    home.run(commands.randomElement(using: &random) ?? [])
  }

  /// What the homes have to have in common: of stories, those that all have.
  private func shared(_ homes: SyncedHomes, _ number: Int) throws -> [String] {
    let titles = try (0..<3).map { Set(try homes.marks($0).keys) }
    let common = titles[0].intersection(titles[1]).intersection(titles[2])
    let marks = try homes.marks(number).filter { common.contains($0.key) }
    let library = try homes.homes[number].store.read()
    let feeds = library.subscriptions.map {
      "\($0.url) \($0.title ?? "-") \($0.tags) \($0.settings)"
    }
    return try feeds.sorted() + homes.homes[number].store.rules().map { "\($0)" }
      + marks.map { "\($0.key) \($0.value)" }.sorted()
  }
}
