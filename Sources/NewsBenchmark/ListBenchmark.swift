internal import FeedModel
internal import FeedStorage
internal import TestSupport

/// `news list` as a process of its own, for stores of several sizes.
struct ListBenchmark {
  let folder: String

  /// Filters that have to look at every story, for each of them lets fewer pass than are wanted.
  private static let filters = [
    ["--unread"], ["--starred"], ["--since", "2999-01-01"], ["--until", "1999-01-01"],
    ["--feed", "https://www.example.org/feed/7", "--starred"], ["--grep", "zebra"],
    ["--grep", "plant zebra"], ["--grep", "/z[aeiou]+bra|quagga$/"],
  ]

  func contests() throws -> [Contest] {
    let news = try BuiltProduct.path("news")
    var lists = [
      Contender(name: "a process that does nothing") { _ = try Subprocess.run(["true"]) },
      Contender(name: "news --version") { _ = try Subprocess.run([news, "--version"]) },
    ]
    for (count, feeds) in [(1_000, 1), (1_000, 500), (100_000, 1), (1_000_000, 100)] {
      let home = try store(count, feeds: feeds)
      lists.append(
        list(news, home, [], named: "news list -n 20, \(count) stories, \(feeds) subscriptions")
      )
    }
    let home = home(1_000_000, feeds: 100)
    let filters = Self.filters.map { words in
      list(news, home, words, named: "news list -n 20 " + words.joined(separator: " "))
    }
    return [
      Contest(name: "start-up and list", budget: nil, contenders: lists),
      Contest(
        name: "filters over 1,000,000 stories",
        budget: nil,
        contenders: [list(news, home, [], named: "news list -n 20")] + filters,
      ),
    ]
  }

  private func list(
    _ news: String,
    _ home: String,
    _ words: [String],
    named name: String,
  ) -> Contender {
    Contender(name: name) {
      let result = try Subprocess.run([news, "--home", home, "list", "-n", "20"] + words)
      guard result.status == 0 else { throw Failure(description: result.errorText) }
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private func home(_ count: Int, feeds: Int) -> String {
    "\(folder)/list-\(count)-\(feeds)"
  }

  /// Stories that were read, but for ten of them.
  private func store(_ count: Int, feeds: Int) throws -> String {
    let home = home(count, feeds: feeds)
    let stories = StoryWorkload.stories(count).enumerated().map { index, story in
      var story = story
      story.isRead = index % (count / 10) != count / 10 - 1
      return ItemEdit.insert(story)
    }
    let subscriptions = (0..<feeds).map(StoryWorkload.subscription)
    try LibraryStore(home: home).update { (_) throws(StorageError) in
      (LibraryChange(items: stories, subscriptions: subscriptions), ())
    }
    return home
  }
}
