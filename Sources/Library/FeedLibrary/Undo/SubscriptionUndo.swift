package import FeedModel
import FeedStorage

/// Takes a change of the subscriptions back, and keeps what fetches have found out since.
package struct SubscriptionUndo {
  package private(set) var returned: [Subscription] = []
  package private(set) var removed: [Subscription] = []
  package private(set) var changed: [Subscription] = []
  package private(set) var subscriptions: [Subscription]
  package private(set) var moves: [(from: String, to: String)] = []
  package private(set) var isUnmerging = false

  private let isTold: Bool

  /// Undoes the subscriptions of a step; `isTold` says that other machines learn of it.
  init(of step: HistoryStep, in library: Library, isTold: Bool) {
    (subscriptions, self.isTold) = (library.subscriptions, isTold)
    for fact in step.feeds where fact.old == nil { remove(fact.new) }
    for fact in step.feeds {
      guard let old = fact.old else { continue }
      if let new = fact.new { change(new, back: old) } else { bring(old, fact.previous) }
    }
  }

  private func index(of url: String) -> Int? {
    subscriptions.firstIndex { $0.url == url }
      ?? subscriptions.firstIndex { $0.state.formerURLs.contains(url) }
  }

  private mutating func remove(_ feed: Subscription?) {
    // A feed that has moved since goes; one into which it was merged was followed before.
    let index =
      subscriptions.firstIndex { $0.url == feed?.url }
      ?? subscriptions.firstIndex { $0.listedURL == feed?.url }
    guard let index, feed != nil else { return }
    removed.append(subscriptions.remove(at: index))
  }

  private mutating func bring(_ old: Subscription, _ previous: String?) {
    guard !subscriptions.contains(where: { $0.url == old.url }) else { return }
    // A merged feed is one of its own again.
    for index in subscriptions.indices
    where subscriptions[index].state.formerURLs.contains(old.url) {
      subscriptions[index].state.formerURLs.removeAll { $0 == old.url }
      isUnmerging = true
    }
    subscriptions.insert(old, after: previous)
    returned.append(old)
  }

  private mutating func change(_ new: Subscription, back old: Subscription) {
    guard let index = index(of: new.url) else {
      // A move that was stopped before it came to the subscriptions has taken the stories alone.
      if new.url != old.url { moves.append((from: new.url, to: old.url)) }
      return
    }
    let feed = subscriptions[index]
    var again = feed
    if new.url == old.url {
      again.take(SubscriptionPart.different(new, old), from: old)
    } else {
      again = feed.moved(back: old)
      // Other machines take it for a move, so its stories go with it there, too.
      if isTold { again.noteFormerURLs([feed.url]) }
      moves.append((from: feed.url, to: old.url))
    }
    guard again != feed else { return }
    changed.append(again)
    subscriptions[index] = again
  }

  package var count: Int { returned.count + removed.count + changed.count }
}

extension Subscription {
  fileprivate mutating func take(_ parts: [SubscriptionPart], from other: Subscription) {
    var wished = self
    for part in parts { part.take(&wished, from: other) }
    let (filter, settings) = (wished.filter, wished.settings)
    (wished.filter, wished.settings) = (self.filter, self.settings)
    self = wished
    self.filter(through: filter)
    apply(settings)
  }

  /// The subscription at the URL that it was moved from, with its state of then unless it was asked
  /// since.
  fileprivate func moved(back old: Subscription) -> Subscription {
    guard state.lastAsked != old.state.lastAsked else { return old }
    var copy = old
    copy.state = state
    copy.state.forgetURL()
    return copy
  }
}
