import FeedFetching
package import FeedModel
package import FeedStorage
package import System

/// What a refresh of one feed came to, and what to remember for the next.
package struct RefreshDecision: Hashable, Sendable {
  package var outcome: Outcome
  /// Stories that count as new.
  package var new = 0
  package var next: FeedState
  /// Where the subscription is to be moved.
  package var movesTo: String?
  /// What the server asked for that answered.
  package var hold: ServerHold?

  private init(_ outcome: Outcome, next: FeedState) {
    self.outcome = outcome
    self.next = next
  }

  /// Decides on one feed (design 2, The outcome).
  ///
  /// - Parameters:
  ///   - subscription: as it is stored now; another process may have saved since it was asked.
  ///   - answer: what came.
  ///   - findings: what the merge of its stories found; nil when there was nothing to merge, that
  ///     is without a document, or with one that is the last one again.
  ///   - now: the time of the decision.
  package init(
    of subscription: Subscription,
    answer: FeedAnswer,
    findings: FeedFindings?,
    now: Date,
  ) {
    let next = subscription.state
    switch answer {
    case .document(let facts, let response):
      self.init(.noData, next: next)
      compare(findings, isComplete: facts.isComplete)
      remember(facts, validators: response.validators, findings: findings, now: now)
      if facts.isComplete {
        followMove(of: subscription, response, isProof: isProof(findings), now: now)
      }
      succeed(subscription.url, response, now: now)
    case .notModified(let response):
      self.init(.noData, next: next)
      self.next.validators = response.validators ?? next.validators
      self.next.lastUnconditional = next.lastUnconditional ?? now
      followMove(of: subscription, response, isProof: false, now: now)
      succeed(subscription.url, response, now: now)
    case .failed(let failure, let response):
      self.init(.failed, next: next)
      compare(findings, isComplete: false)
      outcome = .failed
      hold = hold(failure, of: response?.url ?? subscription.url, now: now)
      fail(subscription.url, failure, status: failure.status ?? response?.status, now: now)
    }
  }

  /// Compares the newest story's title with the one of the last time.
  ///
  /// A part of a document decides only when nothing that is stored is newer than its newest story.
  private mutating func compare(_ findings: FeedFindings?, isComplete: Bool) {
    guard let findings else { return }
    next.dropped = findings.dropped
    next.cleared = findings.cleared
    guard let title = findings.newestTitle, isComplete || findings.newestIsOnTop else { return }
    guard title != next.newestTitle else { return }
    outcome = .newData
    new = findings.newer.count
    next.newestTitle = title
  }
}
