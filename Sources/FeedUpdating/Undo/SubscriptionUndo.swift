package import FeedModel
import FeedStorage

/// Takes a change of the subscriptions back: they are what the record says that they were, with what
/// fetches have found out since.
package struct SubscriptionUndo {
  /// Followed again.
  package private(set) var returned: [Subscription] = []
  /// Followed no longer.
  package private(set) var removed: [Subscription] = []
  /// Called, tagged or asked again as they were.
  package private(set) var changed: [Subscription] = []
  package private(set) var subscriptions: [Subscription] = []

  init(of record: UndoRecord, in library: Library) {
    subscriptions = record.restoresSubscriptions ? [] : library.subscriptions
    guard record.restoresSubscriptions else { return }
    var rest: [String: Subscription] = [:]
    // What was merged into another feed is one of its own again.
    let merged = record.move.flatMap { $0.ids == nil ? nil : $0.from }
    for feed in library.subscriptions {
      for url in feed.state.formerURLs where url != merged { rest[url] = feed }
    }
    for feed in library.subscriptions { rest[feed.url] = feed }
    var known: Set<String> = []
    for old in record.subscriptions {
      let moved = record.move.flatMap { $0.from == old.url && $0.ids == nil ? rest[$0.to] : nil }
      guard let feed = moved ?? rest[old.url], known.insert(feed.url).inserted else {
        subscriptions.append(old)
        returned.append(old)
        continue
      }
      var again = moved == nil ? feed.set(as: old) : feed.moved(back: old)
      if again != feed { changed.append(again) }
      again.state.formerURLs.removeAll { $0 == merged }
      subscriptions.append(again)
    }
    removed = library.subscriptions.filter { !known.contains($0.url) }
  }

  package var count: Int { returned.count + removed.count + changed.count }
}

extension Subscription {
  /// The same with what the reader had said of it.
  fileprivate func set(as old: Subscription) -> Subscription {
    var copy = self
    copy.title = old.title
    copy.tags = old.tags
    copy.passwordCommand = old.passwordCommand
    copy.headers = old.headers
    copy.filter(through: old.filter)
    copy.settle(old.settings)
    // To be allowed in a private network is the reader's word.
    if state.isOnInternet == false { copy.state.isOnInternet = old.state.isOnInternet }
    return copy
  }

  /// The same at the URL that it was moved from, as it was there unless it was asked since.
  fileprivate func moved(back old: Subscription) -> Subscription {
    guard state.lastAsked != old.state.lastAsked else { return old }
    var copy = old
    copy.state = state
    copy.state.forgetURL()
    return copy
  }
}
