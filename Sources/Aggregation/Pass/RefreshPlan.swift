import FeedFetching
package import FeedModel

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Which feeds a run asks, in which order, and with which validators.
package struct RefreshPlan: Hashable, Sendable {
  /// Those that were asked the longest time ago come first, so that no deadline starves one.
  package var feeds: [Subscription] = []
  /// Those that would have been asked, but for a host that wants to be left in peace.
  package var postponed: [PostponedFeed] = []
  /// Those that a run of all feeds leaves alone.
  package var unasked: [UnaskedFeed] = []

  /// Picks from the subscriptions.
  ///
  /// - Parameters:
  ///   - subscriptions: all of them, in the user's order.
  ///   - options: what was asked for.
  ///   - hosts: until when each host wants to be left in peace (`Retry-After`).
  ///   - now: the time of the run.
  package init(
    _ subscriptions: [Subscription],
    options: RefreshOptions,
    hosts: [String: Date],
    now: Date,
  ) {
    let named = options.feeds.map(Set.init)
    for subscription in subscriptions {
      guard Self.isWanted(subscription, named, options, hosts, now) else {
        let isNamed = named?.contains(subscription.url) ?? true
        if isNamed { unasked.append(Self.unasked(subscription, hosts, now)) }
        continue
      }
      let hold = RefreshSchedule.hold(of: subscription.url, hosts: hosts, now: now)
      if named == nil, let hold {
        postponed.append(
          PostponedFeed(url: subscription.url, title: subscription.displayTitle, until: hold)
        )
      } else {
        feeds.append(subscription)
      }
    }
    sortByLastAsked(now: now)
  }

  private static func unasked(
    _ subscription: Subscription,
    _ hosts: [String: Date],
    _ now: Date,
  ) -> UnaskedFeed {
    let url = subscription.url
    if subscription.state.isGone { return UnaskedFeed(url: url, reason: .gone) }
    if subscription.state.isHeld { return UnaskedFeed(url: url, reason: .held) }
    if let hold = RefreshSchedule.hold(of: url, hosts: hosts, now: now) {
      return UnaskedFeed(url: url, reason: .hostHold(until: hold))
    }
    return UnaskedFeed(url: url, reason: .notDue(until: subscription.state.nextDue))
  }

  private static func isWanted(
    _ subscription: Subscription,
    _ named: Set<String>?,
    _ options: RefreshOptions,
    _ hosts: [String: Date],
    _ now: Date,
  ) -> Bool {
    if options.onlyDue, !RefreshSchedule.isDue(subscription, now: now, hosts: hosts) {
      return false
    }
    guard let named else { return !subscription.state.isGone && !subscription.state.isHeld }
    return named.contains(subscription.url) && (options.isForced || !subscription.state.isHeld)
  }

  /// Stable: those never asked come in the user's order.
  ///
  /// A visit in the future never was.
  private mutating func sortByLastAsked(now: Date) {
    let asked = feeds.map { feed in
      feed.state.lastAsked.flatMap { $0 > now ? nil : $0 } ?? .distantPast
    }
    feeds = feeds.indices
      .sorted { (asked[$0], $0) < (asked[$1], $1) }
      .map { feeds[$0] }
  }

  /// The feeds by their places, in groups of which each waits until the one before is saved: first
  /// those that surely kill no run, last each by itself that probably does.
  var batches: [[Int]] {
    let deaths = feeds.map(\.state.deaths)
    let sound = feeds.indices.filter { deaths[$0] == nil }
    let unlikely = feeds.indices.filter { deaths[$0]?.isAlone == false }
    let likely = feeds.indices.filter { deaths[$0]?.isAlone == true }
    return ([sound, unlikely] + likely.map { [$0] }).filter { !$0.isEmpty }
  }

  /// The requests for the feeds, in their order.
  func requests(isForced: Bool, now: Date) -> [FetchRequest] {
    feeds.enumerated().map { place, feed in
      FetchRequest(
        feed,
        validators: Self.validators(for: feed, isForced: isForced, now: now),
        index: place,
      )
    }
  }

  /// How long a server may answer 304 before it is asked without validators, to see whether it
  /// would do so for ever.
  private static var timeUntilProbe: TimeInterval { 8 * 86_400 }

  /// What to send to a feed for a conditional answer; nil asks without condition.
  package static func validators(
    for subscription: Subscription,
    isForced: Bool,
    now: Date,
  ) -> CacheValidators? {
    guard !isForced else { return nil }
    let state = subscription.state
    guard let whole = state.lastUnconditional, state.lastStatus == 304 else {
      return state.validators
    }
    let jitter = 86_400 * RefreshSchedule.jitterFraction(of: subscription.url)
    let isProbe = now.timeIntervalSince(whole) >= timeUntilProbe + jitter
    return isProbe ? nil : state.validators
  }
}
