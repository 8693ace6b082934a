package import System

/// A change of one mark, which a server takes for many stories at once.
package struct ServerEdit: Hashable, Comparable, Sendable {
  /// Read, starred, or a tag in the server's spelling.
  package let mark: SyncKey.StoryMark
  package let isSet: Bool

  package init(_ mark: SyncKey.StoryMark, _ isSet: Bool) {
    (self.mark, self.isSet) = (mark, isSet)
  }

  package var word: String {
    let word = mark.isTag ? "tagged" : mark == .read ? "read" : "starred"
    return isSet ? word : "un" + word
  }

  package static func < (one: ServerEdit, other: ServerEdit) -> Bool {
    one.mark != other.mark ? one.mark < other.mark : one.isSet && !other.isSet
  }
}

package enum ServerChange: Hashable, Comparable, Sendable {
  /// The feed's URL here, without an account.
  case feed(String)
  case story(ServerEdit, ServerItemID)

  package var isOfFeed: Bool { if case .feed = self { true } else { false } }
  package var isOfStory: Bool { !isOfFeed }
}

/// A server's refusal of a change, which is sent again at growing intervals.
package struct ServerRefusal: Hashable, Sendable {
  package var date: Date
  package var times = 1
  package var reason = ""
  /// The change of a feed in words, such as `follow it`; empty for a mark.
  package var change = ""
  /// A hash of the value wanted for a feed; another value is sent at once.
  package var wish: UInt64 = 0

  package init(date: Date) { self.date = date }

  /// Intervals of a day, then twice as long each time, up to 16 days.
  private static let (firstDays, mostDoublings) = (1, 4)

  package var days: Int { Self.firstDays << min(max(times, 1) - 1, Self.mostDoublings) }

  private var interval: Double { Double(days) * 86_400 }

  package var next: Date { date.addingTimeInterval(interval) }

  /// Returns true until the change is sent again; a clock that was set back far delays nothing.
  package func isWaiting(at now: Date) -> Bool { abs(now.timeIntervalSince(date)) < interval }
}

extension ServerState {
  package func refusals(of id: String) -> [(edit: ServerEdit, refusal: ServerRefusal)] {
    guard let story = ItemID.number(of: id.utf8) else { return [] }
    return refusals.sorted { $0.key < $1.key }.compactMap { change, refusal in
      guard case .story(let edit, let item) = change, items[item]?.story == story else {
        return nil
      }
      return (edit, refusal)
    }
  }

  package func refusal(of subscription: Subscription) -> ServerRefusal? {
    refusals[.feed(WebURL.withoutAccount(subscription.url))]
  }
}
