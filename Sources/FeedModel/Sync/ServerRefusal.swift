package import System

/// A change of a mark, as a server takes it for many stories at once.
package struct ServerEdit: Hashable, Comparable, Sendable {
  /// One of those that a server takes: read, starred, or a tag as the server writes it, or is to.
  package let mark: SyncKey.StoryMark
  package let isSet: Bool

  package init(_ mark: SyncKey.StoryMark, _ isSet: Bool) {
    (self.mark, self.isSet) = (mark, isSet)
  }

  /// `read`, `unread`, `starred`, `unstarred`, `tagged` or `untagged`.
  package var word: String {
    let word = mark.isTag ? "tagged" : mark == .read ? "read" : "starred"
    return isSet ? word : "un" + word
  }

  package static func < (one: ServerEdit, other: ServerEdit) -> Bool {
    one.mark != other.mark ? one.mark < other.mark : one.isSet && !other.isSet
  }
}

/// A change of one feed or of one story that a server may refuse.
package enum ServerChange: Hashable, Comparable, Sendable {
  /// By the feed's URL here, without an account.
  case feed(String)
  case story(ServerEdit, ServerItemID)

  package var isOfFeed: Bool { if case .feed = self { true } else { false } }
  package var isOfStory: Bool { !isOfFeed }
}

/// A server's no to a change, which is sent again ever more seldom.
package struct ServerRefusal: Hashable, Sendable {
  /// The time of the last no.
  package var date: Date
  /// How many times in a row the server has said no.
  package var times: Int
  /// The server's words, or ours, in a line.
  package var reason: String
  /// The change of a feed in words, such as `follow it`; empty for a mark.
  package var change: String
  /// A hash of what was wanted for a feed; another wish is sent at once.
  package var wish: UInt64

  package init(
    date: Date,
    times: Int = 1,
    reason: String = "",
    change: String = "",
    wish: UInt64 = 0,
  ) {
    (self.date, self.times, self.reason) = (date, times, reason)
    (self.change, self.wish) = (change, wish)
  }

  /// A day, then twice as long each time, and no longer than 16 days.
  private static let (firstDays, mostDoublings) = (1, 4)

  /// The days until the change is sent again.
  package var days: Int { Self.firstDays << min(max(times, 1) - 1, Self.mostDoublings) }

  private var interval: Double { Double(days) * 86_400 }

  /// The time from which on the change is sent again.
  package var next: Date { date.addingTimeInterval(interval) }

  /// Returns whether the change waits; a clock that was set back far holds nothing up.
  package func isWaiting(at now: Date) -> Bool { abs(now.timeIntervalSince(date)) < interval }
}

extension ServerState {
  /// The refused changes of the story with an id.
  package func refusals(of id: String) -> [(edit: ServerEdit, refusal: ServerRefusal)] {
    guard let story = ItemID.number(of: id.utf8) else { return [] }
    return refusals.sorted { $0.key < $1.key }.compactMap { change, refusal in
      guard case .story(let edit, let item) = change, items[item]?.story == story else {
        return nil
      }
      return (edit, refusal)
    }
  }

  /// The refused change of a feed.
  package func refusal(of subscription: Subscription) -> ServerRefusal? {
    refusals[.feed(WebURL.withoutAccount(subscription.url))]
  }
}
