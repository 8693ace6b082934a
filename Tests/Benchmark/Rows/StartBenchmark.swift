internal import FeedModel
internal import FeedStorage
internal import TestSupport

struct StartBenchmark {
  let folder: String
  private static let count = 1_000

  func contests() throws -> [Contest] {
    let news = try BuiltProduct.path("news")
    let home = "\(folder)/start"
    try LibraryStore(home: home).update { (_) in
      let stories = StoryWorkload.stories(Self.count)
      let feeds = [StoryWorkload.subscription(0)]
      return (LibraryChange(StoryChanges(adding: stories), subscriptions: feeds), ())
    }
    let nothing = Contender(name: "a process that does nothing", process: ["true"])
    let commands = try commands().map { words in
      Contender(name: Self.name(words), process: [news, "--home", home] + words)
    }
    return [
      Contest(
        name: "start-up of each command",
        contenders: [nothing] + commands + withoutFeeds(news),
      )
    ]
  }

  /// Returns commands that change something, followed by those that change it back.
  private func commands() throws -> [[String]] {
    var workload = Workload(seed: 1)
    let feed = "\(folder)/start.xml"
    try writeFile(feed, workload.rss(bytes: 10_000))
    let list = "\(folder)/start-urls"
    try writeFile(list, (StoryWorkload.subscription(0).url + "\n").utf8)
    return [
      ["--version"], ["help"], ["help", "list"], ["man"], ["completions", "bash"],
      ["completions", "zsh"], ["completions", "fish"], ["feeds"], ["list"], ["list", "-n", "20"],
      ["show", "1"], ["open", "1"], ["unread", "1"], ["why", "1"], ["read", "1"], ["undo"],
      ["star", "1"], ["unstar", "1"], ["clear", "--yes"], ["undo"], ["log"], ["export"],
      ["import", list], ["parse", feed], ["parse", "--date", "2026-10-02T08:15:00Z"],
      ["subscribe", feed], ["refresh", feed], ["move", feed, feed],
      ["unsubscribe", feed], ["doctor", "--offline"],
    ]
  }

  private static func name(_ words: [String]) -> String {
    let words = words.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    return (["news"] + words).joined(separator: " ")
  }

  /// Runs commands that would ask feeds; a fetch without any says that it failed.
  private func withoutFeeds(_ news: String) -> [Contender] {
    let home = "\(folder)/start-nothing"
    return ["doctor", "fetch", "refresh"].map { word in
      Contender(
        name: "news \(word), no feeds",
        process: [news, "--home", home, word],
        expecting: "",
      )
    }
  }
}
