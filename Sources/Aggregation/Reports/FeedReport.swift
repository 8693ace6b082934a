package import FeedModel
package import FeedStorage
package import System

/// What a run came to for one feed.
package struct FeedReport: Hashable, Sendable {
  /// The subscription's URL when the run began.
  package var url: String
  /// What to call the feed: the user's name for it, else its own title, else its URL.
  package var title: String
  package var outcome: Outcome
  /// Stories newer than the newest that was stored for this feed.
  package var new = 0
  /// Stories that were added to the data file, the new ones included.
  package var stored = 0
  /// Whether a feed that is known delivered nothing that is: its stories are stored, and only those
  /// that are really newer count as new (design 2, The outcome).
  package var isAllNew = false
  /// Stories whose content was changed in place.
  package var updated = 0
  /// The status of the last answer (200 for a file that was read); nil when there was none.
  package var status: Int?
  /// Bytes of the body after decompression.
  package var bytes = 0
  package var seconds = 0.0
  /// Why it failed, in words without a full stop; nil when it did not.
  package var error: String?
  /// Whether it was not reached in a run in which no host was.
  package var isOffline = false
  /// What the reader can do about the failure; nil when there is none.
  package var remedy: FailureRemedy?
  /// Not to be asked by `fetch --due` before this; nil when it will never be (gone).
  package var nextTry: Date?
  /// From when on `fetch --due` would ask it, as it was before the run; nil when it was never asked.
  package var wasDue: Date?
  /// Where the subscription was moved to by a permanent redirect.
  package var movedTo: String?
  /// What was odd or recovered, each a sentence without a full stop.
  package var notes: [String] = []

  package init(url: String, title: String, outcome: Outcome) {
    self.url = url
    self.title = title
    self.outcome = outcome
  }
}

/// A feed that a run left alone, and why.
package struct UnaskedFeed: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// Its time has not come; nil when nobody knows when it will.
    case notDue(until: Date?)
    /// A server wants it to be left in peace (`Retry-After`).
    case askedToWait(ServerHold)
    /// Its server said 410.
    case gone
    /// Three runs died while it was being asked.
    case held
  }

  /// The subscription's URL.
  package var url: String
  package var reason: Reason

  /// The server's wish because of which it was left alone.
  package var hold: ServerHold? {
    guard case .askedToWait(let hold) = reason else { return nil }
    return hold
  }
}
