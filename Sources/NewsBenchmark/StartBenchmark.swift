internal import FeedModel
internal import FeedStorage
internal import TestSupport

/// Each command as a process of its own, over a store of 1,000 stories.
struct StartBenchmark {
  let folder: String
  private static let count = 1_000

  private static let commands = [
    ["--version"], ["help"], ["help", "list"], ["man"], ["completions", "bash"], ["feeds"],
    ["list"], ["list", "-n", "20"], ["show", "1"], ["open", "1"], ["why", "1"], ["read", "1"],
    ["star", "1"], ["log"], ["export"],
  ]

  func contests() throws -> [Contest] {
    let news = try BuiltProduct.path("news")
    let home = "\(folder)/start"
    try LibraryStore(home: home).update { (_) throws(StorageError) in
      let stories = StoryWorkload.stories(Self.count).map { ItemEdit.insert($0) }
      return (LibraryChange(items: stories, subscriptions: [StoryWorkload.subscription(0)]), ())
    }
    let nothing = Contender(name: "a process that does nothing") {
      _ = try Subprocess.run(["true"])
    }
    let commands = Self.commands.map { words in
      Contender(name: (["news"] + words).joined(separator: " ")) {
        try Subprocess.expectSuccess([news, "--home", home] + words)
      }
    }
    return [
      Contest(
        name: "start-up of each command",
        contenders: [nothing] + commands + withoutFeeds(news),
      ),
      Contest(
        name: "print \(Self.count) stories",
        contenders: try [
          nothing,
          Contender(name: "news list") {
            try Subprocess.expectSuccess([news, "--home", home, "list"])
          },
        ] + sfeedPlain(),
      ),
    ]
  }

  /// What would ask the feeds of a store: a fetch without any says that it failed.
  private func withoutFeeds(_ news: String) -> [Contender] {
    let home = "\(folder)/start-nothing"
    return [
      Contender(name: "news doctor, no feeds") {
        try Subprocess.expectSuccess([news, "--home", home, "doctor"])
      },
      Contender(name: "news fetch, no feeds") {
        _ = try Subprocess.run([news, "--home", home, "fetch"])
      },
    ]
  }

  /// As many stories in sfeed's format, where it is installed.
  private func sfeedPlain() throws -> [Contender] {
    guard try Subprocess.isInstalled("sfeed_plain") else { return [] }
    let path = "\(folder)/sfeed.tsv"
    let lines = StoryWorkload.stories(Self.count).enumerated().map { number, story in
      "\(1_790_000_000 - number)\t\(story.item.title)\t\(story.item.link)\t\t\t\(story.id)\t\t\t\n"
    }
    try writeFile(path, lines.joined().utf8)
    return [Contender(name: "sfeed_plain") { try Subprocess.expectSuccess(["sfeed_plain", path]) }]
  }
}
