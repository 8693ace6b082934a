import FeedFetching
import FeedModel

extension RefreshReport {
  /// Takes in what a further part of the run came to.
  mutating func add(_ part: RefreshReport) {
    feeds += part.feeds
    newItems.add(part.newItems)
    storageError = part.storageError ?? storageError
    isOffline = part.isOffline
  }

  /// Puts the feeds, which were saved in the order in which they came, into the user's order.
  mutating func sortFeeds(by subscriptions: [Subscription]) {
    let places = Dictionary(
      subscriptions.enumerated().map { ($1.url, $0) },
      uniquingKeysWith: { first, _ in first },
    )
    feeds.sort { places[$0.url, default: .max] < places[$1.url, default: .max] }
  }

  /// Adds up the feeds' counts, and decides on the run's outcome (design 2, The outcome).
  mutating func conclude() {
    asked = feeds.count
    failed = feeds.count { $0.outcome == .failed }
    new = feeds.map(\.new).reduce(0, +)
    stored = feeds.map(\.stored).reduce(0, +)
    // A feed that failed in the middle may have brought news before.
    if feedsWithNewData > 0 || new > 0 {
      outcome = .newData
    } else {
      outcome = asked > 0 && failed == asked ? .failed : .noData
    }
  }
}

extension FeedReport {
  init(_ feed: FetchedFeed, outcome: Outcome, state: FeedState) {
    self.init(url: feed.subscription.url, title: feed.subscription.displayTitle, outcome: outcome)
    let response = feed.answer.response
    status = feed.answer.failure?.status ?? response?.status
    if status == nil, response != nil, feed.answer.failure == nil { status = 200 }
    bytes = response?.bytes ?? 0
    seconds = feed.seconds
    error = feed.answer.failure?.reason
    isOffline = feed.answer.failure?.isOffline == true
    remedy = feed.answer.failure?.remedy
    nextTry = state.nextDue
    wasDue = feed.subscription.state.nextDue
    notes = feed.notes
  }

  /// Adds what the merge found.
  mutating func add(_ findings: FeedFindings?, new: Int) {
    guard let findings else { return }
    self.new = new
    stored = findings.stored
    updated = findings.updated
    // A busy feed that was not asked for long has nothing else than really newer stories.
    isAllNew = findings.isAllNew && new < findings.stored
  }
}
