import FeedModel

/// Where the feeds are by now that have moved since their stories were cleared.
struct MovedFeeds {
  /// nil for feeds that were unsubscribed from.
  private var current: [String: String?] = [:]

  init(_ then: [Subscription], now: [Subscription]) {
    let urls = Set(now.map(\.url))
    var moved: [String: String] = [:]
    for subscription in now {
      for url in subscription.state.formerURLs { moved[url] = subscription.url }
    }
    for subscription in then where !urls.contains(subscription.url) {
      current[subscription.url] = .some(moved[subscription.url])
    }
  }

  var isUnchanged: Bool { current.isEmpty }

  /// The same feeds, each once, where they are now.
  func feeds(_ feeds: [String]) -> [String] {
    guard !isUnchanged else { return feeds }
    var seen: Set<String> = []
    return feeds.compactMap { url in current[url] ?? .some(url) }.filter {
      seen.insert($0).inserted
    }
  }
}
