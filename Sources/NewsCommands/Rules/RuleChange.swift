import FeedModel
import FeedStorage
import Searching

extension Library {
  /// Other rules in place of those that there are; `gone` are no more among them.
  ///
  /// What those had dropped comes back: their feeds are asked as if for the first time.
  func change(rules: [StoryRule], without gone: [StoryRule]) -> LibraryChange {
    var change = LibraryChange()
    change.rules = rules
    // With the rule gone and the validators still there, a stop in between would lose stories.
    change.order = .subscriptionsFirst
    let dropping = gone.filter(\.drops).map { $0.feedURLs(subscriptions) }
    guard !dropping.isEmpty else { return change }
    change.subscriptions = subscriptions.map { feed in
      dropping.contains { $0?.contains(feed.url) ?? true } ? feed.forgettingDocument() : feed
    }
    return change
  }
}
