internal import FeedFetching
internal import FeedModel
internal import FeedStorage
internal import FeedUpdating
import System

extension HomeSync {
  /// Moves feeds, with their stories, to the URLs at which other machines follow them, and returns
  /// the number of moved feeds.
  func move(_ contents: SyncFolder.Contents, _ begun: SyncState) throws -> Int {
    guard !contents.known.registers.isEmpty else { return 0 }
    var library = try store.read()
    // With its stories, a feed that moves would be one that ends, and wait for a word.
    library.items = .empty
    let state = try remembered(else: begun).state
    let moves = try merge(library, state, with: contents.known, machines: nil).moves
    for (feed, url) in moves {
      let move = SubscriptionMove(
        from: feed,
        to: feed.accountKept(at: url),
        whenKnown: .merge,
        origin: context.origin,
      )
      try store.change(waitAtMost: limit) { library in
        (try change(library, by: move, of: feed, to: url), ())
      }
    }
    return moves.count
  }

  private func change(
    _ library: Library,
    by move: SubscriptionMove,
    of feed: Subscription,
    to url: String,
  ) throws -> LibraryChange {
    var (change, moved) = try move.change(library, now: now, nil)
    if !RequestTrust.isOneSite(feed.url, url), !moved.isMerged {
      let feeds = change.feeds.subscriptions
      change.feeds.subscriptions = feeds?.map { $0.url == url ? $0.withoutTrust : $0 }
    }
    change.origin?.isOfOthers = true
    return change
  }
}

extension Subscription {
  /// The feed without its secrets and its leave to be in a private network.
  ///
  /// None of these goes to another site that other machines name.
  fileprivate var withoutTrust: Subscription {
    var feed = self
    feed.forgetSecrets()
    feed.state.isOnInternet = true
    return feed
  }

  fileprivate func accountKept(at other: String) -> String {
    guard RequestTrust.isOneSite(url, other), let account = WebURL.account(of: url) else {
      return other
    }
    return WebURL.adding(account: account, to: other)
  }
}
