import FeedModel
import FeedStorage

/// A feed and what is known of how it does.
struct FeedHealth: Hashable, Sendable {
  let subscription: Subscription
  let activity: FeedActivity
  /// When `fetch --due` asks it next, in seconds since 1970; nil when it is gone or held.
  let next: Int?
  /// The wish of a server because of which it is left in peace.
  let hold: ServerHold?

  /// Days without a story after which a feed counts as silent, where nothing else is asked for.
  static let silentDays = 90

  var isFailing: Bool {
    subscription.state.lastOutcome == .failed || subscription.state.isGone
  }

  /// The last outcome: `new`, `no news`, `failed`, `gone`, `held`, `never` (asked).
  var outcomeText: String {
    if subscription.state.isGone { return "gone" }
    if subscription.state.isHeld { return "held" }
    return switch subscription.state.lastOutcome {
    case .newData: "new"
    case .noData: "no news"
    case .failed: "failed"
    case nil: "never"
    }
  }

  /// Whether the feed has posted nothing in so many days before `now` (seconds since 1970).
  ///
  /// One that has come whole without a story is silent; one that never came is not known to be.
  func isSilent(for days: Int, now: Int) -> Bool {
    guard let newest = activity.newest else {
      return activity.stories == 0 && subscription.state.lastUnconditional != nil
    }
    return (now - newest) / 86_400 >= days
  }
}
