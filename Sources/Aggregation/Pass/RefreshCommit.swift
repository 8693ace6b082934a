import FeedFetching
import FeedModel
import FeedStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns what was fetched into one change of the library and the report on it.
struct RefreshCommit {
  private let fetched: [FetchedFeed]
  private let keep: Int
  private let now: Date

  init(_ fetched: [FetchedFeed], keep: Int, now: Date) {
    self.fetched = fetched
    self.keep = keep
    self.now = now
  }

  /// Whether nothing at all could be reached from here.
  var isOffline: Bool {
    !fetched.isEmpty && fetched.allSatisfy { $0.answer.failure?.isNetworkUnreachable == true }
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
    var outcome = CommittedRefresh(library, now: now)
    for (number, feed) in feeds.enumerated() {
      outcome.decide(feed.feed, at: feed.place, findings: findings[number])
    }
    for move in outcome.moves { try merge.move(move.from, to: move.to) }
    let edits = try merge.edits()
    let change = LibraryChange(
      items: edits,
      source: merge.insertions.source,
      subscriptions: outcome.finalSubscriptions,
      hosts: outcome.hosts,
    )
    return (change, outcome.report(insertions: merge.insertions))
  }

  /// What was fetched, once for each subscription and in their order.
  private func placed(in subscriptions: [Subscription]) -> [(place: Int, feed: FetchedFeed)] {
    var open = Dictionary(
      subscriptions.enumerated().map { ($1.url, $0) },
      uniquingKeysWith: { first, _ in first },
    )
    return
      fetched
      .compactMap { feed in
        open.removeValue(forKey: feed.subscription.url).map { (place: $0, feed: feed) }
      }
      .sorted { $0.place < $1.place }
  }

  /// - Returns: for each feed what the merge found; nil for those that delivered nothing to merge.
  private func deliver(
    _ feeds: [FetchedFeed],
    to merge: inout ItemMerge<ItemTable>,
    _ subscriptions: [Subscription],
    _ places: [Int],
  ) throws(StorageError) -> [FeedFindings?] {
    let numbers = feeds.indices.filter { feeds[$0].delivery != nil }
    let found = try merge.deliver(
      numbers.compactMap { feeds[$0].delivery },
      dropped: numbers.map { subscriptions[places[$0]].state.dropped },
      keep: keep,
    )
    var findings = [FeedFindings?](repeating: nil, count: feeds.count)
    for (number, found) in zip(numbers, found) { findings[number] = found }
    return findings
  }

  /// The report when no feed's schedule is to suffer.
  func offlineReport() -> RefreshReport {
    var report = unsavedReport()
    report.isOffline = true
    return report
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
    report.conclude()
    return report
  }
}
