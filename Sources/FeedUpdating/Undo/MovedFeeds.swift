import FeedModel
import FeedStorage

/// Where the feeds are by now that have moved since their stories went.
struct MovedFeeds {
  private let step: HistoryStep
  private var current: [String: String] = [:]
  private let known: Set<String>

  init(since step: HistoryStep, now: [Subscription]) {
    (self.step, known) = (step, Set(now.map(\.url)))
    for subscription in now {
      for url in subscription.state.formerURLs where !known.contains(url) {
        current[url] = subscription.url
      }
    }
  }

  /// The same feeds, each once, where they are now; without those that are followed no more.
  func feeds(_ feeds: [String]) -> [String] {
    if feeds.allSatisfy(known.contains) { return feeds }
    var seen: Set<String> = []
    return feeds.compactMap(place).filter { seen.insert($0).inserted }
  }

  private func place(_ url: String) -> String? {
    known.contains(url) || wasOrphaned(url) ? url : current[url]
  }

  /// Whether nobody followed the feed even when its stories went.
  private func wasOrphaned(_ url: String) -> Bool {
    step.isWhole
      ? !step.feeds.contains { $0.old?.url == url } : step.orphanedFeeds.contains(url)
  }

  /// Whether all feeds of the step are where they were.
  var isUnchanged: Bool {
    step.feeds.allSatisfy { fact in fact.old.map { known.contains($0.url) } ?? true }
  }
}
