import FeedFetching
import FeedModel
import System

extension RefreshDecision {
  /// On how many days a permanent redirect must be seen that nothing else speaks for.
  private static var daysUntilBelieved: Int { 3 }

  /// Follows a permanent redirect for good when the new place is surely the feed's.
  ///
  /// That is when it answers with a story that was stored of the feed before it was first redirected,
  /// or with the body that was the last one then, or when nothing is stored yet; otherwise when it
  /// was seen on three days. What the new place brought itself, a 304 for it included, proves
  /// nothing. A captive portal must not rewrite the subscriptions.
  mutating func followMove(
    of subscription: Subscription,
    _ response: FetchResponse,
    isProof: Bool,
    now: Date,
  ) {
    guard let url = response.permanentURL, url != subscription.url,
      !Self.isDowngrade(from: subscription.url, to: url)
    else {
      next.pendingMove?.days = 0
      return
    }
    let days = days(of: url, now: now)
    if isProof || days >= Self.daysUntilBelieved {
      movesTo = url
      next.pendingMove = nil
    } else {
      let firstSeen = next.pendingMove?.firstSeen ?? now
      next.pendingMove = PendingMove(url: url, days: days, lastSeen: now, firstSeen: firstSeen)
    }
  }

  /// Whether a whole document with these findings (nil for the last body again) shows that it is the
  /// feed's, wherever it came from.
  func isProof(_ findings: FeedFindings?) -> Bool {
    guard let findings else { return next.pendingMove == nil }
    return findings.hasOldStory || !findings.hadStories
  }

  /// On how many days this redirect has been seen, today included.
  private func days(of url: String, now: Date) -> Int {
    guard let pending = next.pendingMove, pending.url == url, pending.days > 0 else { return 1 }
    let isSameDay = Self.day(of: pending.lastSeen) == Self.day(of: now)
    return isSameDay ? pending.days : min(pending.days, 100) + 1
  }

  /// Days since 1970 in UTC.
  private static func day(of date: Date) -> Double {
    (date.timeIntervalSince1970 / 86_400).rounded(.down)
  }

  private static func isDowngrade(from old: String, to new: String) -> Bool {
    old.lowercased().hasPrefix("https:") && !new.lowercased().hasPrefix("https:")
  }
}
