import FeedFetching
import FeedModel
import FeedStorage
import FeedUpdating
import Synchronization
import TestSupport
import Testing

@testable import FeedSync
@testable import NewsCommands

@Suite("Homes and a server come to the same state, whatever is done on each")
struct ServerHistoryTests {
  private static let feeds = (0..<3).map { "https://example.com/feed\($0)" }

  /// A random history; the feed number 0 is always followed.
  private struct History {
    var chance: Chance
    let all: ServedHomes

    init(_ seed: Int) throws {
      chance = Chance(seed: UInt64(seed))
      all = try ServedHomes(2 + seed % 2)
      all.server.account.withLock { $0.pageSize = 7 }
      for url in ServerHistoryTests.feeds.dropLast() { all.server.follow(url) }
      for _ in 0..<6 { publish() }
    }

    /// Publishes a story of a feed: homes that follow it have it at once, and the server may have
    /// it.
    mutating func publish() {
      let feed = ServerHistoryTests.feeds[chance.below(3)]
      let number = chance.below(40)
      let (link, title) = ("https://example.com/\(number)", "s\(number)")
      if all.server.story(title) == nil, all.server.labels(feed) != nil {
        all.server.add(link, title, of: feed)
      }
    }

    mutating func fetch(_ home: CommandRun) throws {
      let stories = all.server.account.withLock { account in
        account.stories.map { story in
          (story, account.feeds.first { $0.stream == story.stream }?.url)
        }
      }
      let followed = try home.store.read().subscriptions.map(\.url)
      try home.store.update { library in
        var known: Set<String> = []
        for place in 0..<library.items.count {
          known.insert(try library.items.item(at: place).item.link)
        }
        var new: [StoredItem] = []
        for (story, feed) in stories where !known.contains(story.link) {
          guard let feed, followed.contains(feed) else { continue }
          let item = Item(title: story.title, link: story.link)
          let id = ItemID.id(feed: feed, key: ItemID.key(of: item))
          new.append(StoredItem(id: id, item: item, feeds: [feed], stored: nil))
        }
        return (LibraryChange(StoryChanges(adding: new, before: library.items.count)), ())
      }
    }

    mutating func step() throws {
      let number = chance.below(all.homes.count)
      let home = all.homes[number]
      let (server, other) = (all.server, ServerHistoryTests.feeds[1 + chance.below(2)])
      home.now += Double(chance.below(5_000))
      let title = "s\(chance.below(40))"
      switch chance.below(19) {
      case 0, 1: publish()
      case 2: try fetch(home)
      case 3, 4: home("read", "\(1 + chance.below(8))")
      case 5: home("unread", "\(1 + chance.below(8))")
      case 6: home("star", "\(1 + chance.below(8))")
      case 7: home("unstar", "\(1 + chance.below(8))")
      case 8: server.change(title) { $0.isRead.toggle() }
      case 9: server.change(title) { $0.isStarred.toggle() }
      case 10: home("unsubscribe", other)
      case 11: home("subscribe", other, "--no-check")
      case 12: home("feeds", "set", ServerHistoryTests.feeds[0], "--tag", "t\(chance.below(3))")
      case 13: try interrupted(home)
      case 14: home("tag", "l\(chance.below(2))", "\(1 + chance.below(8))")
      case 15: home("untag", "l\(chance.below(2))", "\(1 + chance.below(8))")
      case 16: server.change(title) { $0.labels.formSymmetricDifference(["l0"]) }
      default: _ = try home.sync(consent: .accepted)
      }
    }

    /// Synchronizes while requests fail, before or after the server has carried them out.
    mutating func interrupted(_ home: CommandRun) throws {
      let (first, isLost) = (chance.below(9), chance.below(2) == 0)
      let server = all.server
      server.forget()
      server.fail { _ in
        guard server.requests.count > first else { return nil }
        return isLost ? .lost : .error(.stalled(.seconds(15)))
      }
      _ = try home.sync(consent: .accepted)
      server.fail(nil)
    }

    func state(_ number: Int) throws -> [String: String] {
      let library = try all.homes[number].store.read()
      var state: [String: String] = [:]
      for place in 0..<library.items.count {
        let story = try library.items.item(at: place)
        state[story.item.title] = "\(story.isRead) \(story.isStarred) \(story.tags.sorted())"
      }
      for feed in library.subscriptions { state[feed.url] = "\(feed.tags.sorted())" }
      return state
    }

    var serverState: [String: String] {
      all.server.account.withLock { account in
        var state: [String: String] = [:]
        for story in account.stories {
          state[story.title] = "\(story.isRead) \(story.isStarred) \(story.labels.sorted())"
        }
        for feed in account.feeds { state[feed.url] = "\(feed.labels.sorted())" }
        return state
      }
    }

    /// Marks stories that are everywhere, others in each home and on the server, during syncs that
    /// fail.
    ///
    /// - Returns: the marks that all are to have in the end.
    mutating func markEverywhere() throws -> [String: String] {
      var expected = serverState.filter { $0.key.hasPrefix("s") }
      for (number, title) in expected.keys.sorted().enumerated() where chance.below(3) > 0 {
        let words = (expected[title] ?? "").split(separator: " ", maxSplits: 2)
        let (isRead, isStarred) = (words[0] == "true", words[1] == "true")
        let isOfRead = chance.below(2) == 0
        expected[title] =
          (isOfRead ? "\(!isRead) \(isStarred) " : "\(isRead) \(!isStarred) ") + words[2]
        let place = number % (all.homes.count + 1)
        if place == all.homes.count {
          all.server.change(title) {
            if isOfRead { $0.isRead.toggle() } else { $0.isStarred.toggle() }
          }
        } else {
          let command = isOfRead ? (isRead ? "unread" : "read") : (isStarred ? "unstar" : "star")
          all.homes[place](command, try id(of: title, in: all.homes[place]))
        }
        if chance.below(4) == 0 { try interrupted(all.homes[chance.below(all.homes.count)]) }
      }
      return expected
    }

    private func id(of title: String, in home: CommandRun) throws -> String {
      let items = try home.store.read().items
      for place in 0..<items.count {
        let story = try items.item(at: place)
        if story.item.title == title { return story.id }
      }
      return ""
    }

    func settle() throws {
      for _ in 0..<3 {
        for home in all.homes { _ = try home.sync(consent: .accepted).result.get() }
      }
    }
  }

  @Test("two or three homes, one server, random work, and requests that fail", arguments: 0..<120)
  func histories(seed: Int) throws {
    var history = try History(seed)
    for home in history.all.homes { _ = try home.sync(consent: .accepted) }
    for _ in 0..<40 { try history.step() }
    try history.settle()
    for home in history.all.homes { try history.fetch(home) }
    try history.settle()
    let server = history.serverState
    for number in history.all.homes.indices {
      let home = try history.state(number)
      // Starred stories of feeds that are no longer followed stay in a home.
      #expect(home.filter { server[$0.key] != nil } == server, "home \(number)")
      #expect(home.keys.filter { server[$0] == nil && $0.hasPrefix("https") } == [])
    }
    let expected = try history.markEverywhere()
    try history.settle()
    for number in history.all.homes.indices {
      let home = try history.state(number)
      #expect(home.filter { expected[$0.key] != nil } == expected, "home \(number)")
    }
    #expect(history.serverState.filter { expected[$0.key] != nil } == expected)
    history.all.server.forget()
    for home in history.all.homes {
      #expect(try home.sync(consent: .accepted).result.get() == SyncResult())
    }
    #expect(history.all.server.requests.allSatisfy { $0.path != "reader/api/0/edit-tag" })
  }
}
