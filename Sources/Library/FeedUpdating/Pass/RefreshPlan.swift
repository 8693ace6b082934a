import FeedFetching
import FeedLibrary
import FeedModel
import FeedStorage
import System

struct RefreshPlan: Hashable, Sendable {
  /// The feeds that most probably have news come first.
  ///
  /// The longer a feed waits the more probable that is, so no deadline starves it.
  var feeds: [Subscription] = []
  var unasked: [UnaskedFeed] = []

  init(_ subscriptions: [Subscription], _ options: RefreshOptions, at moment: RefreshMoment) {
    let named = options.feeds.map(Set.init)
    for var subscription in subscriptions
    where named?.contains(subscription.url) ?? !subscription.isNeverAsked {
      if options.isForced { subscription.state.bodyDigest = nil }
      if let reason = Self.reasonNotToAsk(subscription, options, moment) {
        unasked.append(UnaskedFeed(url: subscription.url, reason: reason))
      } else {
        feeds.append(subscription)
      }
    }
    if options.gathersDue { gather(at: moment) }
    let urgencies = feeds.map { RefreshSchedule.urgency(of: $0, now: moment.now) }
    // Stable, so that those never asked come in the user's order.
    feeds = feeds.indices.sorted { (-urgencies[$0], $0) < (-urgencies[$1], $1) }.map { feeds[$0] }
  }

  /// The seconds for which a feed waits for others that are due soon: one save of the data file
  /// serves all.
  static let gathering = 600.0

  /// Leaves what is due to a later run if other feeds will be due within some minutes.
  ///
  /// No feed waits that was never asked, or has been due for long.
  private mutating func gather(at moment: RefreshMoment) {
    let dates = feeds.map { feed -> Date in
      let due = moment.due(feed)
      return due.reason == .never ? .distantPast : due.date
    }
    guard let first = dates.min(), let last = dates.max(), last <= moment.now else { return }
    let end = first.addingTimeInterval(Self.gathering)
    let isWorthwhile = unasked.contains { feed in
      guard case .notDue(let until?) = feed.reason else { return false }
      return until > moment.now && until <= end
    }
    guard isWorthwhile else { return }
    unasked += feeds.map { UnaskedFeed(url: $0.url, reason: .notDue(until: end)) }
    feeds = []
  }

  /// The reason not to ask a feed, or nil.
  ///
  /// Naming a feed that is gone or paused gets it asked, and `isForced` ignores a server's
  /// `Retry-After`.
  private static func reasonNotToAsk(
    _ subscription: Subscription,
    _ options: RefreshOptions,
    _ moment: RefreshMoment,
  ) -> UnaskedFeed.Reason? {
    if let server = subscription.state.server { return .ofServer(server) }
    if subscription.isOfSavedPages { return .saved }
    if subscription.state.isGone, options.feeds == nil { return .gone }
    if subscription.settings.isPaused(at: moment.now), options.feeds == nil { return .paused }
    if !options.isForced, let retryTime = moment.retryTime(of: subscription.url) {
      return .askedToWait(retryTime)
    }
    guard options.onlyDue, !moment.isDue(subscription) else { return nil }
    return .notDue(until: moment.due(subscription).date)
  }

  func requests(_ options: RefreshOptions, now: Date) -> [FetchRequest] {
    feeds.enumerated().map { number, feed in
      let validators = Self.validators(for: feed, isForced: options.isForced, now: now)
      var request = FetchRequest(feed, validators: validators, index: number)
      request.maximumBytes = options.maximumBytes ?? request.maximumBytes
      return request
    }
  }

  /// The time for which a server may answer 304 before it is asked without validators, to see if it
  /// would do so for ever.
  private static var timeUntilProbe: TimeInterval { 8 * 86_400 }

  static func validators(
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
