import FeedFetching
import FeedLibrary
import FeedModel
import FeedStorage
import System

struct RefreshDecision: Hashable, Sendable {
  var outcome: Outcome
  var news = FeedNews()
  var next: FeedState
  var movesTo: String?
  var retryTime: RetryTime?
  private let subscription: Subscription
  private let now: Date

  /// Decides on one feed.
  ///
  /// `subscription` is the stored one, which another process may have saved since the feed was
  /// asked. `findings` is nil if there was no document, or the last one again.
  init(
    of subscription: Subscription,
    answer: FeedAnswer,
    findings: FeedFindings?,
    now: Date,
  ) {
    (self.subscription, self.now) = (subscription, now)
    (outcome, next) = (.noData, subscription.state)
    switch answer {
    case .document(let facts, let response):
      takeUp(findings)
      remember(facts, response, findings)
      if facts.feed.isComplete { followMove(response, isProof: isProof(findings)) }
      succeed(response)
    case .notModified(let response):
      // A 204 to a request without validators answers the probe, too.
      let last = response.validators == nil ? nil : next.lastUnconditional
      next.validators = response.validators ?? next.validators
      next.lastUnconditional = last ?? now
      followMove(response, isProof: false)
      succeed(response)
    case .failed(let failure, let response):
      takeUp(findings)
      if let findings, findings.stored + findings.recognised > 0 { next.lastPart = now }
      outcome = .failed
      retryTime = retryTime(failure, of: response?.url ?? subscription.url)
      fail(failure, status: failure.status ?? response?.status)
    }
    if answer.failure == nil, let response = answer.response {
      next.concessions = response.concessions
    }
  }

  private mutating func takeUp(_ findings: FeedFindings?) {
    guard let findings else { return }
    next.evicted = findings.evicted
    next.cleared = findings.cleared
    news = findings.news
    outcome = news.outcome
  }
}

extension RefreshDecision {
  /// Remembers a document.
  ///
  /// Only a whole one leaves validators and a digest: after a part, the next request must bring the
  /// rest.
  private mutating func remember(
    _ facts: DocumentFacts,
    _ response: FetchResponse,
    _ findings: FeedFindings?,
  ) {
    next.title = facts.feed.title ?? next.title
    next.link = facts.feed.link ?? next.link
    next.language = facts.feed.language ?? next.language
    next.validators = facts.feed.isComplete ? response.validators : nil
    next.bodyDigest = facts.feed.isComplete ? facts.digest : nil
    next.isCutOff = !facts.feed.isComplete
    takeRhythm(of: facts, findings)
    guard facts.feed.isComplete else { return }
    next.noteMove(of: subscription, to: facts.feed.newLocation, answeredFrom: response.url)
    next.icon = facts.feed.icon
    next.bodyBytes = response.bytes
    next.hints = facts.feed.hints
    next.lastUnconditional = now
    let hasNews = findings.map { $0.stored > 0 } ?? false
    if hasNews || next.lastChanged == nil { next.lastChanged = now }
  }

  private mutating func takeRhythm(of facts: DocumentFacts, _ findings: FeedFindings?) {
    guard facts.hasOneDate else {
      next.rhythm = facts.rhythm
      return
    }
    guard let findings, findings.stored > 0, let last = next.lastChanged else { return }
    next.rhythm = RefreshSchedule.rhythm(
      next.rhythm,
      arrivedAfter: now.timeIntervalSince(last),
    )
  }

  private mutating func succeed(_ response: FetchResponse) {
    next.lastAsked = now
    next.lastSucceeded = now
    next.lastOutcome = outcome
    next.lastStatus = response.status
    next.lastError = nil
    next.failures = 0
    next.isUnreachable = false
    next.learnNetwork(response.isOnInternet)
    next.unreachedSince = nil
    next.isGone = false
    next.newAddress = nil
    next.siteAsked = nil
    var visit = Visit(subscription)
    visit.hasValidators = next.validators != nil
    visit.freshness = response.freshness.lifetime(now: now).map { .seconds(min($0, 1e9)) }
    visit.hints = next.hints
    visit.rhythm = RefreshSchedule.rhythm(
      next.rhythm,
      unchangedSince: next.lastChanged ?? next.lastUnconditional,
      now: now,
    )
    next.nextDue = RefreshSchedule.nextDue(after: visit, now: now)
    next.earliestDue = RefreshSchedule.earliestDue(after: visit, now: now)
  }

  /// Notes a failure.
  ///
  /// A feed that was not asked keeps its state, so that it comes first next time.
  private mutating func fail(_ failure: FeedFailure, status: Int?) {
    if failure.isOffline { next.unreachedSince = next.unreachedSince ?? now }
    guard !failure.isUnasked else { return }
    countFailure(failure)
    next.lastAsked = now
    next.lastOutcome = .failed
    next.lastError = failure.reason
    next.lastStatus = status
    next.isGone = failure.isGone
    next.nextDue = failure.isGone ? nil : due(failure, status: status)
    next.earliestDue = next.nextDue
  }

  /// Counts a failure.
  ///
  /// Failures within minutes, as of a user who tries again and again by hand, count once.
  ///
  /// While nobody can say if the network works, a host that was missing when it did keeps its wait.
  private mutating func countFailure(_ failure: FeedFailure) {
    if failure.mayBeOffline, next.isUnreachable { return }
    let pause = next.lastAsked.map { now.timeIntervalSince($0) } ?? .infinity
    if next.failures == 0 || !(0..<RefreshSchedule.floor.inSeconds).contains(pause) {
      next.failures = min(next.failures, 1000) + 1
    }
    guard !failure.mayBeOffline, !failure.provesNothing else { return }
    next.isUnreachable = failure.isNetworkUnreachable || failure.isNameUnknown
    next.unreachedSince = nil
  }

  /// The `Retry-After` of the answer, or of an earlier one because of which a redirect was not
  /// followed.
  private func retryTime(_ failure: FeedFailure, of url: String) -> RetryTime? {
    RetryTime(of: url, status: failure.status, failure.retryAfter, now: now)
  }

  private func due(_ failure: FeedFailure, status: Int?) -> Date {
    var visit = Visit(subscription)
    visit.mayBeOffline = failure.mayBeOffline && !next.isUnreachable
    visit.hasValidators = next.validators != nil
    visit.rhythm = next.rhythm
    visit.hints = next.hints
    visit.retryTime = retryTime?.until
    visit.failures = next.failures
    visit.status = status
    return RefreshSchedule.nextDue(after: visit, now: now)
  }
}

extension RefreshDecision {
  /// The days on which a permanent redirect must be seen if nothing else speaks for it.
  private static var daysUntilBelieved: Int { 3 }

  /// Follows a permanent redirect for good if the new URL is surely the feed's.
  ///
  /// It is if it answers with a story stored of the feed before its first redirect, or with the
  /// body that was the last one then, or if nothing is stored yet; otherwise if the redirect was
  /// seen on three days. Stories that the new URL brought itself, and its 304, prove nothing. A
  /// captive portal must not rewrite the subscriptions.
  private mutating func followMove(_ response: FetchResponse, isProof: Bool) {
    guard let url = response.permanentURL, url != subscription.url,
      !Self.isDowngrade(from: subscription.url, to: url),
      RequestTrust.mayMove(from: subscription.url, to: url)
    else {
      next.pendingMove?.days = 0
      return
    }
    let days = days(of: url)
    if isProof || days >= Self.daysUntilBelieved {
      movesTo = url
      next.pendingMove = nil
    } else {
      let firstSeen = next.pendingMove?.firstSeen ?? now
      next.pendingMove = PendingMove(url: url, days: days, lastSeen: now, firstSeen: firstSeen)
    }
  }

  /// Returns true if a whole document shows that it is the feed's, wherever it came from.
  ///
  /// `findings` is nil for the last body again.
  private func isProof(_ findings: FeedFindings?) -> Bool {
    guard let findings else { return next.pendingMove == nil }
    return findings.hasOldStory || !findings.hadStories
  }

  private func days(of url: String) -> Int {
    guard let pending = next.pendingMove, pending.url == url, pending.days > 0 else { return 1 }
    let isSameDay = Self.dayInUTC(pending.lastSeen) == Self.dayInUTC(now)
    return isSameDay ? pending.days : min(pending.days, 100) + 1
  }

  private static func dayInUTC(_ date: Date) -> Double {
    (date.timeIntervalSince1970 / 86_400).rounded(.down)
  }

  fileprivate static func isDowngrade(from old: String, to new: String) -> Bool {
    old.lowercased().hasPrefix("https:") && !new.lowercased().hasPrefix("https:")
  }
}

extension FeedState {
  /// Learns where the feed's server is, which can take the reach of private networks and not give it:
  /// that is the user's to give (`--allow-private`).
  package mutating func learnNetwork(_ isOnInternet: Bool?) {
    if isOnInternet == true { self.isOnInternet = self.isOnInternet ?? true }
  }

  /// Notes the URL at which the document says the feed lives, if it was found elsewhere.
  mutating func noteMove(of feed: Subscription, to place: String?, answeredFrom url: String) {
    let isHere = { (place: String) in
      [feed.url, url].map { WebURL.canonical(WebURL.withoutAccount($0)) }
        .contains(WebURL.canonical(place))
    }
    // Files and commands are the user's own choice.
    guard let place, WebURL.isWeb(feed.url), WebURL.isWeb(place), !isHere(place),
      !RefreshDecision.isDowngrade(from: feed.url, to: place)
    else {
      announcedMove = nil
      return
    }
    if announcedMove?.url != place { announcedMove = AnnouncedMove(url: place) }
  }
}

extension RetryTime {
  /// Makes the time of a server's `Retry-After`; nil without one, or if it has passed.
  init?(of url: String, status: Int?, _ retryAfter: RetryAfter?, now: Date) {
    guard let retryAfter, let status, let server = WebURL.origin(of: url) else { return nil }
    let until = retryAfter.date(now: now)
    guard until > now else { return nil }
    self.init(server: server, status: status, since: now, until: until)
  }
}
