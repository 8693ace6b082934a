import FeedModel
import FeedStorage

/// The present URLs of feeds that have moved since a step.
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

  /// Returns the present URLs, each once, without feeds that are followed no more.
  func feeds(_ feeds: [String]) -> [String] {
    if feeds.allSatisfy(known.contains) { return feeds }
    return feeds.compactMap(place).distinct(by: \.self)
  }

  private func place(_ url: String) -> String? {
    known.contains(url) || wasOrphaned(url) ? url : current[url]
  }

  /// True if nobody followed the feed even when its stories went.
  private func wasOrphaned(_ url: String) -> Bool {
    step.isWhole
      ? !step.feeds.contains { $0.old?.url == url } : step.orphanedFeeds.contains(url)
  }

  var isUnchanged: Bool {
    step.feeds.allSatisfy { fact in fact.old.map { known.contains($0.url) } ?? true }
  }
}
