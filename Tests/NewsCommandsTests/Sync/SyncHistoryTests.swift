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

  @Test("three homes with random work on each, by way of a folder", arguments: 0..<100)
  func byFolder(seed: Int) throws {
    let homes = try SyncedHomes(3)
    let sync = ["sync", "--accept", homes.path] + (seed % 3 == 0 ? ["--stories"] : [])
    try check(homes, seed: seed) { _, _ in sync }
    for home in homes.homes {
      #expect(home.run(sync).errors == "3 machines: 0 marks, 0 feeds added, 0 removed\n")
    }
  }

  @Test("the same by ssh, each with any other", arguments: 0..<100)
  func bySSH(seed: Int) throws {
    let homes = try SyncedHomes(3)
    homes.connect()
    try check(homes, seed: seed &+ 10_000) { number, random in
      let other = (number + Int.random(in: 1...2, using: &random)) % 3
      return ["sync", "--accept", "ssh:\(other)"] + (seed % 3 == 0 ? ["--stories"] : [])
    }
  }

  private typealias Sync = (_ home: Int, inout Numbers) -> [String]

  private func check(_ homes: SyncedHomes, seed: Int, _ sync: Sync) throws {
    var random = Numbers(state: UInt64(seed) &* 977)
    let clocks: [Double] = [0, 0, 5_000_000, -900_000_000]
    for home in homes.homes {
      home.now += clocks.randomElement(using: &random) ?? 0
      for (number, url) in Self.feeds.enumerated() {
        let titles = (0..<6).map { "s\(number)\($0)" }
        home.fetcher.serve(url, .init(body: Sample.rss("Feed \(number)", titles)))
      }
    }
    for _ in 0..<40 { work(on: homes, &random, sync) }
    for home in homes.homes { home.run(["refresh", "--force"]) }
    settle(homes, &random, sync)
    let states = try (0..<3).map { try shared(homes, $0) }
    #expect(states[0] == states[1] && states[1] == states[2], "\(states)")
    let before = try (0..<3).map { try homes.state($0) }
    settle(homes, &random, sync)
    #expect(try (0..<3).map { try homes.state($0) } == before)
  }

  private func settle(_ homes: SyncedHomes, _ random: inout Numbers, _ sync: Sync) {
    for _ in 0..<9 { for number in 0..<3 { homes.homes[number].run(sync(number, &random)) } }
  }

  private func work(on homes: SyncedHomes, _ random: inout Numbers, _ sync: Sync) {
    let which = Int.random(in: 0..<3, using: &random)
    let home = homes.homes[which]
    home.now += Double.random(in: 1...5000, using: &random)
    let feed = Self.feeds.randomElement(using: &random) ?? ""
    let number = "\(Int.random(in: 1...12, using: &random))"
    let commands = [
      ["read", number], ["read", number], ["unread", number], ["star", number], ["unstar", number],
      ["tag", "later", number], ["tag", "Later", number], ["untag", "later", number],
      ["tag", "t\(number)", "1-12"], ["untag", "later", "--all"],
      ["unread", "--all"], ["read", "--all", "--feed", feed], ["refresh", "--force"],
      ["refresh", "--keep", "1"], ["clear", "--read", "--yes"], ["clear", "--yes", "--feed", feed],
      ["undo"], ["subscribe", feed, "--no-check"], ["subscribe", feed], ["subscribe", feed],
      ["unsubscribe", feed], ["feeds", "set", feed, "--title", "T\(number)"],
      ["feeds", "set", feed, "--tag", "t\(number)"], ["feeds", "set", feed, "--keep", number],
      ["rules", "add", "r\(number)", "--grep", "s0", "--then", "star"],
      ["rules", "remove", "r\(number)"],
    ]
    let syncs = (0..<4).map { _ in sync(which, &random) }
    home.run((commands + syncs).randomElement(using: &random) ?? [])
  }

  /// Returns the values that all homes must agree on: of stories, those that all homes have.
  private func shared(_ homes: SyncedHomes, _ number: Int) throws -> [String] {
    let titles = try (0..<3).map { Set(try homes.marks($0).keys) }
    let common = titles[0].intersection(titles[1]).intersection(titles[2])
    let marks = try homes.marks(number).filter { common.contains($0.key) }
    let tags = try homes.tags(number).filter { common.contains($0.key) }
    let library = try homes.homes[number].store.read()
    let feeds = library.subscriptions.map {
      "\($0.url) \($0.title ?? "-") \($0.tags) \($0.settings)"
    }
    return try feeds.sorted() + homes.homes[number].store.rules().map { "\($0)" }
      + marks.map { "\($0.key) \($0.value)" }.sorted()
      + tags.map { "\($0.key) \($0.value.sorted())" }.sorted()
  }
}
