internal import FeedModel
internal import FeedStorage
internal import TestSupport

struct GrowthStories {
  let news: String
  let folder: String

  /// The number of subscriptions of a store, each with some of the stories.
  private static let feeds = 100
  private static let largest = 100_000

  var works: [GrowthWork] {
    let reading = [
      ["list"], ["list", "-n", "20"], ["list", "--grep", "plant zebra"], ["list", "--starred"],
      ["list", "--feed", feed], ["show", "1"], ["why", "1"],
    ]
    let changing = [
      ["open", "1"], ["read", "1"], ["read", "--all"],
      ["delete", "--all", "--grep", "is:read", "--yes"],
      ["clear", "--feed", feed, "--yes"], ["clear", "--yes"], ["unsubscribe", feed],
    ]
    let undone = [
      ["read", "--all"], ["delete", "--all", "--grep", "is:read", "--yes"],
      ["clear", "--feed", feed, "--yes"],
      ["clear", "--yes"],
    ]
    return reading.map { work($0, changes: false) } + changing.map { work($0, changes: true) }
      + undone.map(undoing)
  }

  private var feed: String { StoryWorkload.subscription(7).url }

  private func work(_ words: [String], changes: Bool) -> GrowthWork {
    GrowthWork(name: words.joined(separator: " ") + ", stories", largest: Self.largest) { size in
      let base = try home(size)
      guard changes else { return PreparedWork(words: [news, "--home", base] + words) }
      let copy = base + "-copy"
      return PreparedWork(words: [news, "--home", copy] + words) { try Files.copy(base, to: copy) }
    }
  }

  private func undoing(_ words: [String]) -> GrowthWork {
    let name = "undo of " + words.joined(separator: " ") + ", stories"
    return GrowthWork(name: name, largest: Self.largest) { size in
      let base = try home(size)
      let done = base + "-done"
      let copy = base + "-copy"
      try Files.copy(base, to: done)
      try Subprocess.expectSuccess([news, "--home", done] + words)
      return PreparedWork(words: [news, "--home", copy, "undo"]) { try Files.copy(done, to: copy) }
    }
  }

  /// Creates a store in which every other story was read.
  private func home(_ count: Int) throws -> String {
    let home = "\(folder)/growth-stories-\(count)"
    let stories = StoryWorkload.stories(count).enumerated().map { index, story in
      var story = story
      story.isRead = index % 2 == 1
      return story
    }
    let subscriptions = (0..<Self.feeds).map(StoryWorkload.subscription)
    let store = LibraryStore(home: home)
    guard try store.read().items.count == 0 else { return home }
    try store.update { (_) in
      (LibraryChange(StoryChanges(adding: stories), subscriptions: subscriptions), ())
    }
    return home
  }
}
