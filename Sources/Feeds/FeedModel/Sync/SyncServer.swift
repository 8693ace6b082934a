import System

package struct SyncServer: Hashable, Sendable {
  package var name: String
  /// The URL as typed, without user and password.
  package var url: String
  package var user: String
  /// A command that prints the password; without one it is in `~/.netrc`.
  package var passwordCommand: String?
  /// Takes the stories of its feeds from the server, and does not ask those feeds.
  package var fetchesStories = false
  /// The name of its interface; nil for the usual one.
  package var interface: String?
  package var allowsPrivate = false

  package init(name: String, url: String, user: String, passwordCommand: String? = nil) {
    (self.name, self.url, self.user) = (name, url, user)
    self.passwordCommand = passwordCommand
  }

  package var account: String {
    SHA256.prefix(joining: ["server", WebURL.canonical(url), user]).hexadecimal
  }
}

/// A server's number for a story: 64 bits, or 96 at The Old Reader.
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
