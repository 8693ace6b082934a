import FeedModel
import FeedStorage
import System

struct RefreshCommit {
  private let fetched: [FetchedFeed]
  private let left: [UnaskedFeed]
  private let keep: Int?
  private let isForced: Bool
  private let keepsTexts: Bool
  private let isOffline: Bool

  init(_ fetched: [FetchedFeed], verdict: NetworkVerdict, options: RefreshOptions) {
    let judged = verdict == .online ? fetched : fetched.map { $0.judged(verdict) }
    let isLeft = { (feed: FetchedFeed) in
      feed.answer.failure.map { $0.isLeft && !$0.isOffline } ?? false
    }
    self.fetched = judged.filter { !isLeft($0) }
    left = judged.filter(isLeft).map { UnaskedFeed(url: $0.subscription.url, reason: .left) }
    keep = options.keep
    isForced = options.isForced
    keepsTexts = options.keepsTexts
    isOffline = verdict == .offline
  }

  /// True if there is nothing to store: nobody was asked, or no host was reached and this is known.
  var isFutile: Bool {
    fetched.isEmpty
      || isOffline
        && fetched.allSatisfy {
          $0.answer.failure?.isUnasked == true && $0.subscription.state.unreachedSince != nil
        }
  }

  /// Returns the change of the library as it is now.
  ///
  /// Answers of subscriptions that are gone are dropped.
  func change(
    _ library: Library,
    now: Date,
    rules: StoryRules? = nil,
  ) throws -> (LibraryChange, RefreshReport) {
    let feeds = placed(in: library.subscriptions)
    let deliveries = feeds.compactMap { index, feed in
      let subscription = library.subscriptions[index]
      let keep = keep ?? subscription.keptStories
      let delivery = feed.delivery ?? feed.nothing(of: subscription)
      return delivery?.with(subscription, keep: keep, isForced: isForced)
    }
    var updates = SubscriptionUpdates(library, now: now)
    let taken = try library.merging(
      deliveries,
      now: now,
      evaluator: rules?(library.subscriptions),
    ) { incoming in
      let findings = Dictionary(
        uniqueKeysWithValues: incoming.findings.map { ($0.feed, $0.findings) }
      )
      for (index, feed) in feeds {
        updates.decide(feed, at: index, findings: findings[feed.subscription.url])
      }
      try incoming.move(updates.moves)
      if keepsTexts { updates.wantPages(of: incoming.insertions) }
      return updates.finalSubscriptions
    }
    var change = taken.change
    (change.feeds.retryTimes, change.feeds.moves) = (updates.retryTimes, updates.moves)
    var report = RefreshReport()
    report.feeds = updates.feeds
    report.unasked = left
    report.newItems = NewItems(updates.new, of: taken.incoming.insertions)
    report.isOffline = isOffline
    return (change, report)
  }

  private func placed(in subscriptions: [Subscription]) -> [(index: Int, feed: FetchedFeed)] {
    var open = subscriptions.indicesByURL
    let known = fetched.compactMap { feed in
      open.removeValue(forKey: feed.subscription.url).map { (index: $0, feed: feed) }
    }
    return known.sorted { $0.index < $1.index }
  }

  func unsavedReport() -> RefreshReport {
    var report = RefreshReport()
    report.feeds = fetched.map { feed in
      let outcome: Outcome = feed.answer.failure == nil ? .noData : .failed
      return FeedReport(feed, outcome: outcome, state: feed.subscription.state)
    }
    report.unasked = left
    report.isOffline = isOffline
    return report
  }
}
