import FeedFetching
import FeedModel
import FeedStorage
import System

extension RefreshDecision {
  /// Keeps what the document says of itself.
  ///
  /// Only a whole one leaves validators and a digest: after a part of one the next request must
  /// bring the rest.
  mutating func remember(
    _ facts: DocumentFacts,
    validators: CacheValidators?,
    findings: FeedFindings?,
    now: Date,
  ) {
    next.title = facts.title ?? next.title
    next.link = facts.link ?? next.link
    next.validators = facts.isComplete ? validators : nil
    next.bodyDigest = facts.isComplete ? facts.digest : nil
    next.rhythm = facts.rhythm
    guard facts.isComplete else { return }
    next.hints = facts.hints
    next.lastUnconditional = now
    let hasNews = findings.map { $0.stored > 0 } ?? false
    if hasNews || next.lastChanged == nil { next.lastChanged = now }
  }

  mutating func succeed(_ url: String, _ response: FetchResponse, now: Date) {
    next.lastAsked = now
    next.lastSucceeded = now
    next.lastOutcome = outcome
    next.lastStatus = response.status
    next.lastError = nil
    next.failures = 0
    next.isUnreachable = false
    next.isOnInternet = next.isOnInternet ?? response.isOnInternet
    next.unreachedSince = nil
    next.isGone = false
    next.deaths = nil
    var visit = Visit(url: url)
    visit.hasValidators = next.validators != nil
    visit.freshness = response.freshness.lifetime(now: now).map { .seconds(min($0, 1e9)) }
    visit.hints = next.hints
    visit.rhythm = RefreshSchedule.rhythm(
      next.rhythm,
      unchangedSince: next.lastChanged ?? next.lastUnconditional,
      now: now,
    )
    next.nextDue = RefreshSchedule.nextDue(after: visit, now: now)
  }

  /// A feed that was not asked keeps its state, so that it comes first the next time.
  mutating func fail(_ url: String, _ failure: FeedFailure, status: Int?, now: Date) {
    if failure.isOffline { next.unreachedSince = next.unreachedSince ?? now }
    guard !failure.isUnasked else { return }
    countFailure(failure, now: now)
    next.lastAsked = now
    next.lastOutcome = .failed
    next.lastError = failure.reason
    next.lastStatus = status
    // The run outlived the answer; but one that is held only success lets go.
    if !failure.provesNothing, !next.isHeld { next.deaths = nil }
    next.isGone = failure.isGone
    next.nextDue = failure.isGone ? nil : dueAfter(failure, url, status: status, now: now)
  }

  /// Failures within minutes, of someone who tries again and again by hand, count once.
  ///
  /// Where nobody can say whether the network works, a host that was missing when it did stays with
  /// the wait that it has earned: it does not become longer, nor shorter.
  private mutating func countFailure(_ failure: FeedFailure, now: Date) {
    if failure.mayBeOffline, next.isUnreachable { return }
    let pause = next.lastAsked.map { now.timeIntervalSince($0) } ?? .infinity
    if next.failures == 0 || !(0..<RefreshSchedule.floor.inSeconds).contains(pause) {
      next.failures = min(next.failures, 1000) + 1
    }
    guard !failure.mayBeOffline, !failure.provesNothing else { return }
    next.isUnreachable = failure.isNetworkUnreachable || failure.isNameUnknown
    next.unreachedSince = nil
  }

  /// What the server asked for that answered so, or to which a redirect was not followed because of
  /// what it had asked for.
  func hold(_ failure: FeedFailure, of url: String, now: Date) -> ServerHold? {
    guard let retryAfter = failure.retryAfter, let status = failure.status,
      let server = WebURL.origin(of: url)
    else { return nil }
    let until = retryAfter.date(now: now)
    return until > now ? ServerHold(server: server, status: status, since: now, until: until) : nil
  }

  private func dueAfter(_ failure: FeedFailure, _ url: String, status: Int?, now: Date) -> Date {
    var visit = Visit(url: url)
    visit.mayBeOffline = failure.mayBeOffline && !next.isUnreachable
    visit.hasValidators = next.validators != nil
    visit.rhythm = next.rhythm
    visit.hints = next.hints
    visit.hold = hold?.until
    visit.failures = next.failures
    visit.status = status
    return RefreshSchedule.nextDue(after: visit, now: now)
  }
}
