internal import FeedStorage
internal import TestSupport

struct MemoryBenchmark {
  let folder: String
  private static let stories = 100_000
  private static let feeds = 10

  func contests() throws -> [Contest] {
    let news = try BuiltProduct.path("news")
    let site = try GeneratedSite(feeds: Self.feeds)
    let home = "\(folder)/memory"
    try writeFile("\(folder)/memory-urls", site.urls.joined(separator: "\n").utf8)
    try Subprocess.expectSuccess([
      news, "--home", home, "import", "--allow-private", "\(folder)/memory-urls",
    ])
    try LibraryStore(home: home).update { (_) in
      let stories = StoryWorkload.stories(Self.stories)
      return (LibraryChange(StoryChanges(adding: stories)), ())
    }
    let copy = home + "-copy"
    return [
      try firstFetch(news),
      Contest(
        name: "fetch \(Self.feeds) feeds into \(Self.stories) stories",
        contenders: [
          Contender(name: "a copy of the store") {
            try Files.copy(home, to: copy)
            withExtendedLifetime(site) {}
          },
          Contender(
            name: "news fetch",
            process: [news, "--home", copy, "fetch"],
            budgets: [.megabytes(64)],
            expecting: "newData",
          ),
          Contender(name: "news fetch, nothing new", process: [news, "--home", copy, "fetch"]),
          Contender(
            name: "news list, all",
            process: ["sh", "-c", "\"$0\" --home \"$1\" list > /dev/null", news, copy],
          ),
        ],
      ),
    ]
  }

  /// Fetches a million stories: a hundred feeds with ten thousand each.
  private func firstFetch(_ news: String) throws -> Contest {
    let site = try GeneratedSite(feeds: 100, bytes: 10_000_000)
    let (home, list) = ("\(folder)/memory-first", "\(folder)/memory-first-urls")
    try writeFile(list, site.urls.joined(separator: "\n").utf8)
    try Subprocess.expectSuccess([news, "--home", home, "import", "--allow-private", list])
    return Contest(
      name: "first fetch of 1,000,000 stories",
      mostRounds: 1,
      contenders: [
        Contender(name: "news clear", process: [news, "--home", home, "clear", "--yes"])
          .keeping(site),
        Contender(
          name: "news fetch",
          process: [news, "--home", home, "fetch", "--deadline", "600"],
          budgets: [.megabytes(160)],
          expecting: "newData",
        ),
      ],
    )
  }
}
