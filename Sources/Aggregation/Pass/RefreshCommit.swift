import FeedFetching
import FeedModel
import FeedStorage
import System

/// Turns what was fetched into one change of the library and the report on it.
struct RefreshCommit {
  private let fetched: [FetchedFeed]
  private let keep: Int
  private let now: Date

  /// Whether no host could be reached from here.
  private let isOffline: Bool

  init(
    _ fetched: [FetchedFeed],
    verdict: NetworkVerdict,
    keep: Int,
    now: Date,
  ) {
    self.fetched = verdict == .online ? fetched : fetched.map { $0.judged(verdict) }
    self.keep = keep
    self.now = now
    isOffline = verdict == .offline
  }

  /// Whether there is nothing to be stored, since no feed was reached that could have an answer, and
  /// this is known.
  var isFutile: Bool {
    isOffline
      && fetched.allSatisfy {
        $0.answer.failure?.isUnasked == true && $0.subscription.state.unreachedSince != nil
      }
  }

  /// The change against the library as it is now.
  ///
  /// Subscriptions that are gone from it are gone; their answers are not stored.
  func change(_ library: Library) throws(StorageError) -> (LibraryChange, RefreshReport) {
    let feeds = placed(in: library.subscriptions)
    var merge = ItemMerge(library.items, now: now)
    let findings = try deliver(
      feeds.map(\.feed),
      to: &merge,
      library.subscriptions,
      feeds.map(\.place),
    )
    var outcome = SubscriptionUpdates(library, now: now)
    for (number, feed) in feeds.enumerated() {
      outcome.decide(feed.feed, at: feed.place, findings: findings[number])
    }
    try merge.move(outcome.moves)
    let edits = try merge.edits()
    let change = LibraryChange(
      items: edits,
      source: merge.insertions.spooled,
      subscriptions: outcome.finalSubscriptions,
      holds: outcome.holds,
    )
    var report = outcome.report(insertions: merge.insertions)
    report.isOffline = isOffline
    return (change, report)
  }

  /// What was fetched, once for each subscription and in their order.
  private func placed(in subscriptions: [Subscription]) -> [(place: Int, feed: FetchedFeed)] {
    var open = Dictionary(
      subscriptions.enumerated().map { ($1.url, $0) },
      uniquingKeysWith: { first, _ in first },
    )
    let known = fetched.indices.compactMap { number in
      open.removeValue(forKey: fetched[number].subscription.url).map {
        (place: $0, number: number)
      }
    }
    return known.sorted { $0.place < $1.place }.map { ($0.place, fetched[$0.number]) }
  }

  /// - Returns: for each feed what the merge found; nil for those that delivered nothing to merge.
  private func deliver(
    _ feeds: [FetchedFeed],
    to merge: inout ItemMerge,
    _ subscriptions: [Subscription],
    _ places: [Int],
  ) throws(StorageError) -> [FeedFindings?] {
    let numbers = feeds.indices.filter { feeds[$0].delivery != nil }
    let found = try merge.deliver(
      numbers.compactMap { number in
        var delivery = feeds[number].delivery
        delivery?.oldBefore = subscriptions[places[number]].state.pendingMove?.firstSeen
        return delivery
      },
      dropped: numbers.map { subscriptions[places[$0]].state.dropped },
      cleared: numbers.map { subscriptions[places[$0]].state.cleared },
      keep: keep,
    )
    var findings = [FeedFindings?](repeating: nil, count: feeds.count)
    for (number, found) in zip(numbers, found) { findings[number] = found }
    return findings
  }

  /// The report when nothing was saved.
  func unsavedReport() -> RefreshReport {
    var report = RefreshReport()
    report.feeds = fetched.map { feed in
      let state = feed.subscription.state
      return FeedReport(
        feed,
        outcome: feed.answer.failure == nil ? .noData : .failed,
        state: state,
      )
    }
    report.isOffline = isOffline
    return report
  }
}
