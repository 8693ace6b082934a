import System

/// A server that follows feeds, and knows what is read and starred.
package struct SyncServer: Hashable, Sendable {
  /// What the reader calls it.
  package var name: String
  /// As typed, without user and password.
  package var url: String
  package var user: String
  /// Says the password; without one it is in `~/.netrc`.
  package var passwordCommand: String?
  /// Whether the stories of the feeds that it follows come from it, and these feeds are not asked.
  package var fetchesStories: Bool
  /// The name of its interface; nil for the usual one.
  package var interface: String?
  /// As its remote has it.
  package var allowsPrivate = false

  package init(
    name: String,
    url: String,
    user: String,
    passwordCommand: String? = nil,
    fetchesStories: Bool = false,
    interface: String? = nil,
  ) {
    (self.name, self.url, self.user) = (name, url, user)
    (self.passwordCommand, self.fetchesStories) = (passwordCommand, fetchesStories)
    self.interface = interface
  }

  /// What tells one account from another, whatever it is called.
  package var account: String {
    SHA256.prefix(joining: ["server", WebURL.canonical(url), user]).hexadecimal
  }
}

/// A story as a server numbers it: 64 bits, or 96 as The Old Reader has them.
package struct ServerItemID: Hashable, Comparable, Sendable {
  package var high: UInt32
  package var low: UInt64

  package init(high: UInt32 = 0, low: UInt64) {
    (self.high, self.low) = (high, low)
  }

  package static func < (one: ServerItemID, other: ServerItemID) -> Bool {
    (one.high, one.low) < (other.high, other.low)
  }
}
