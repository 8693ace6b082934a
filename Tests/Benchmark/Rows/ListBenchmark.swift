internal import FeedModel
internal import FeedStorage
internal import TestSupport

struct ListBenchmark {
  let folder: String

  /// The filters that have to look at every story, since each lets fewer pass than are wanted.
  private static let filters = [
    ["--unread"], ["--starred"], ["--since", "2999-01-01"], ["--until", "1999-01-01"],
    ["--feed", "https://www.example.org/feed/7", "--starred"], ["--grep", "zebra"],
    ["--grep", "plant zebra"], ["--grep", "/z[aeiou]+bra|quagga$/"],
  ]

  private typealias Store = (stories: Int, feeds: Int)

  private static let stores: [Store] = [
    (1_000, 1), (1_000, 500), (10_000, 100), (100_000, 1), (1_000_000, 100),
  ]

  func contests() throws -> [Contest] {
    let news = try BuiltProduct.path("news")
    for store in Self.stores { try make(store) }
    return [listing(news), opening(news), filtering(news)]
  }

  private func listing(_ news: String) -> Contest {
    let lists = Self.stores.map { store in
      Contender(
        name: "news list -n 20, \(Self.text(store))",
        process: [news, "--home", home(store), "list", "-n", "20"],
        budgets: [.ratio(4)],
      )
    }
    return Contest(
      name: "start-up and list",
      contenders: [
        Contender(name: "a process that does nothing", process: ["true"]),
        Contender(name: "news --version", process: [news, "--version"]),
      ] + lists,
    )
  }

  /// Marks each opened story unread, so that the next opening has to mark it read again.
  private func opening(_ news: String) -> Contest {
    let opens = Self.stores.flatMap { store in
      [["show", "1"], ["open", "1"], ["unread", "1"]].map { words in
        Contender(
          name: "news \(words.joined(separator: " ")), \(Self.text(store))",
          process: [news, "--home", home(store)] + words,
        )
      }
    }
    return Contest(
      name: "start-up and open",
      contenders: [Contender(name: "a process that does nothing", process: ["true"])] + opens,
    )
  }

  private func filtering(_ news: String) -> Contest {
    let store: Store = (1_000_000, 100)
    let lists = ([[]] + Self.filters).map { words in
      Contender(
        name: (["news list -n 20"] + words).joined(separator: " "),
        process: [news, "--home", home(store), "list", "-n", "20"] + words,
      )
    }
    return Contest(name: "filters over 1,000,000 stories", contenders: lists)
  }

  private static func text(_ store: Store) -> String {
    "\(store.stories) stories, \(store.feeds) subscriptions"
  }

  private func home(_ store: Store) -> String {
    "\(folder)/list-\(store.stories)-\(store.feeds)"
  }

  /// Creates a store of read stories, but for ten of them.
  private func make(_ store: Store) throws {
    let step = store.stories / 10
    let stories = StoryWorkload.stories(store.stories).enumerated().map { index, story in
      var story = story
      story.isRead = index % step != step - 1
      return story
    }
    let subscriptions = (0..<store.feeds).map(StoryWorkload.subscription)
    try LibraryStore(home: home(store)).update { (_) in
      (LibraryChange(StoryChanges(adding: stories), subscriptions: subscriptions), ())
    }
  }
}
