import FeedModel
import FeedStorage

/// A feed and what is known of how it does.
struct FeedHealth: Hashable, Sendable {
  let subscription: Subscription
  let counts: StoryCounts

  /// The last outcome: `new`, `no news`, `failed`, `gone`, `never asked`.
  var outcomeText: String {
    if subscription.state.isGone { return "gone" }
    return switch subscription.state.lastOutcome {
    case .newData: "new"
    case .noData: "no news"
    case .failed: "failed"
    case nil: "never asked"
    }
  }
}
