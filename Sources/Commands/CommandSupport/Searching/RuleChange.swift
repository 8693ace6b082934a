package import FeedModel
package import FeedStorage
import Searching

extension Library {
  /// Returns a change to other rules, without those in `gone`.
  ///
  /// Stories that those had dropped come back: their feeds are asked as if for the first time.
  package func change(rules: [StoryRule], without gone: [StoryRule]) -> LibraryChange {
    var change = LibraryChange()
    change.rules = rules
    // A stop after the rules alone would lose stories: the validators would still be there.
    change.feeds.areSavedFirst = true
    let dropping = gone.filter(\.drops).map { $0.feedURLs(subscriptions) }
    guard !dropping.isEmpty else { return change }
    change.feeds.subscriptions = subscriptions.map { feed in
      dropping.contains { $0?.contains(feed.url) ?? true } ? feed.forgettingDocument() : feed
    }
    return change
  }
}
