import FeedFetching
import FeedLibrary
import FeedModel
import FeedStorage
import System

struct SubscriptionUpdates {
  private(set) var retryTimes: [String: RetryTime]
  private(set) var moves: [(from: String, to: String)] = []
  private var subscriptions: [Subscription]
  private var merged: Set<Int> = []
  private(set) var feeds: [FeedReport] = []
  /// New stories by their numbers in the merge's insertions.
  private(set) var new: [Int] = []
  private let now: Date

  init(_ library: Library, now: Date) {
    subscriptions = library.subscriptions
    retryTimes = library.retryTimes.filter { $0.value.until > now }
    self.now = now
  }

  var finalSubscriptions: [Subscription] {
    merged.isEmpty
      ? subscriptions
      : subscriptions.indices.filter { !merged.contains($0) }.map { subscriptions[$0] }
  }

  mutating func decide(_ feed: FetchedFeed, at index: Int, findings: FeedFindings?) {
    let subscription = subscriptions[index]
    guard !feed.isOutdated(by: subscription.state) else {
      feeds.append(FeedReport(feed, outcome: .noData, state: subscription.state))
      return
    }
    let decision = RefreshDecision(
      of: subscription,
      answer: feed.answer,
      findings: feed.delivery == nil ? nil : findings,
      now: now,
    )
    subscriptions[index].state = decision.next
    var report = FeedReport(feed, outcome: decision.outcome, state: decision.next)
    report.title = subscriptions[index].displayTitle
    if let findings { report.add(findings) }
    new += decision.news.new
    if let url = decision.movesTo { move(index, to: url, &report) }
    noteRetryTime(feed, decision, &report)
    feeds.append(report)
  }

  /// Notes the pages of new stories for feeds that fetch pages.
  ///
  /// A story that arrives read wants none.
  mutating func wantPages(of insertions: Insertions) {
    let wanting = subscriptions.indices.filter { subscriptions[$0].settings.fetchesPages }
    guard !wanting.isEmpty else { return }
    let newest = insertions.all.indices.filter { !insertions.isRead($0) }
      .map { insertions.all[$0] }.sorted { $0.placement.precedes($1.placement) }
    for index in wanting {
      let url = subscriptions[index].url
      let ids = newest.lazy.filter { $0.feeds.contains(url) }.map(\.id.hexadecimal)
      subscriptions[index].state.wantPages(of: ids.prefix(WantedPage.most))
    }
  }

  private mutating func move(_ index: Int, to url: String, _ report: inout FeedReport) {
    moves.append((subscriptions[index].url, url))
    report.movedTo = url
    let other = subscriptions.indices.first {
      $0 != index && !merged.contains($0) && subscriptions[$0].url == url
    }
    if let other {
      subscriptions[other].join(subscriptions[index])
      merged.insert(index)
      report.notes.append("it was subscribed to there already; the two are one now")
    } else {
      subscriptions[index].noteFormerURLs([subscriptions[index].url])
      subscriptions[index].follow(to: url)
    }
  }

  /// Sets a server's `Retry-After` for its own feeds until one succeeds.
  ///
  /// It holds for one feed alone if a redirect led to the server, or if the server speaks for one
  /// feed.
  private mutating func noteRetryTime(
    _ feed: FetchedFeed,
    _ decision: RefreshDecision,
    _ report: inout FeedReport,
  ) {
    // PERF: mostly there is nothing to note, for which URLs would be taken apart.
    guard decision.retryTime != nil || !retryTimes.isEmpty else { return }
    let url = feed.subscription.url
    let origin = WebURL.origin(of: url)
    if let retryTime = decision.retryTime {
      let isOfOne = feed.answer.response?.speaksForOneFeed ?? false
      let key = retryTime.server == origin && !isOfOne ? retryTime.server : url
      retryTimes[key] = [retryTimes[key], retryTime].compactMap(\.self).max { $0.until < $1.until }
      report.nextTry = max(retryTime.until, report.nextTry ?? retryTime.until)
    } else if feed.answer.failure == nil {
      let answeredBy = feed.answer.response.flatMap { WebURL.origin(of: $0.url) }
      let started = feed.answered.addingTimeInterval(-feed.seconds)
      for key in [url, answeredBy == origin ? origin : nil].compactMap(\.self) {
        if let retryTime = retryTimes[key], retryTime.since < started { retryTimes[key] = nil }
      }
    }
  }
}

extension Subscription {
  /// Moves the subscription to a URL that the server named, not the user.
  ///
  /// Another site gets neither the feed's secrets nor the leave to be in a private network.
  mutating func follow(to newURL: String) {
    if !RequestTrust.isOneSite(url, newURL) {
      forgetSecrets()
      state.isOnInternet = RequestTrust.mayLeadInside(url, to: newURL) ? nil : true
    }
    move(to: newURL)
  }
}

extension FeedState {
  fileprivate mutating func wantPages(of stories: some Sequence<String>) {
    let new = stories.map { WantedPage(id: $0) }
    guard !new.isEmpty else { return }
    let ids = Set(new.map(\.id))
    pages = Array((new + pages.filter { !ids.contains($0.id) }).prefix(WantedPage.most))
  }
}
