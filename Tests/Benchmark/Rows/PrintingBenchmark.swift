internal import FeedModel
internal import FeedStorage
internal import TestSupport

/// The printing of all stories into a pipe, beside another program, where that is installed.
struct PrintingBenchmark {
  let folder: String
  private static let (stories, feeds) = (25_000, 500)

  func contest() throws -> Contest {
    let news = try BuiltProduct.path("news")
    let home = "\(folder)/printing"
    let stories = StoryWorkload.stories(Self.stories)
    try LibraryStore(home: home).update { (_) in
      let feeds = (0..<Self.feeds).map(StoryWorkload.subscription)
      return (LibraryChange(StoryChanges(adding: stories), subscriptions: feeds), ())
    }
    let own = Contender(
      name: "news list",
      process: ["sh", "-c", "\"$0\" --home \"$1\" list | cat > /dev/null", news, home],
      budgets: [.ratio(1.5, to: Self.other)],
    )
    return Contest(
      name: "list, all of \(Self.stories) stories piped",
      contenders: try [own] + sfeedPlain(stories),
    )
  }

  private static let other = "sfeed_plain"

  private func sfeedPlain(_ stories: [StoredItem]) throws -> [Contender] {
    guard try Subprocess.isInstalled(Self.other) else { return [] }
    let path = "\(folder)/printing.tsv"
    let lines = stories.enumerated().map { number, story in
      "\(1_790_000_000 - number)\t\(story.item.title)\t\(story.item.link)\t\t\t\(story.id)\t\t\t\n"
    }
    try writeFile(path, lines.joined().utf8)
    let line = "\(Self.other) \"$0\" | cat > /dev/null"
    return [Contender(name: Self.other, process: ["sh", "-c", line, path])]
  }
}
