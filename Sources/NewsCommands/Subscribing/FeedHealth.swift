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

/// How many stories there are of something.
struct StoryCounts: Hashable, Sendable {
  var total = 0
  var unread = 0
}

/// Counts the stories of each feed in one pass.
struct FeedCounts {
  private var counts: [String: StoryCounts] = [:]

  init(_ items: ItemTable) throws(CommandError) {
    do throws(StorageError) {
      for index in 0..<items.count {
        let isRead = try items.isRead(at: index)
        for feed in try items.feeds(at: index) {
          counts[feed, default: StoryCounts()].total += 1
          if !isRead { counts[feed, default: StoryCounts()].unread += 1 }
        }
      }
    } catch {
      throw .failed("\(error)")
    }
  }

  func of(_ feed: String) -> StoryCounts {
    counts[feed] ?? StoryCounts()
  }
}
