package import System

/// A change of a mark, as a server takes it for many stories at once.
package enum ServerEdit: Hashable, Comparable, Sendable {
  case read, unread, starred, unstarred
  /// With the label's name.
  case tagged(String)
  case untagged(String)
}

/// A change of one story that a server has refused.
package struct RefusedMark: Hashable, Sendable {
  package let item: ServerItemID
  package let edit: ServerEdit

  package init(_ item: ServerItemID, _ edit: ServerEdit) {
    (self.item, self.edit) = (item, edit)
  }
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
    return refusedMarks.filter { items[$0.key.item]?.story == story }
      .sorted { ($0.key.edit, $0.key.item) < ($1.key.edit, $1.key.item) }
      .map { ($0.key.edit, $0.value) }
  }

  /// The refused change of a feed.
  package func refusal(of subscription: Subscription) -> ServerRefusal? {
    refused[WebURL.withoutAccount(subscription.url)]
  }
}
