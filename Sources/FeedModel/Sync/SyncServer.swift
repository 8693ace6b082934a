import System

/// A server that speaks the Google Reader API.
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

  package init(
    name: String,
    url: String,
    user: String,
    passwordCommand: String? = nil,
    fetchesStories: Bool = false,
  ) {
    (self.name, self.url, self.user) = (name, url, user)
    (self.passwordCommand, self.fetchesStories) = (passwordCommand, fetchesStories)
  }

  /// What tells one account from another, whatever it is called.
  package var account: String {
    SHA256.prefix(joining: ["server", WebURL.canonical(url), user]).hexadecimal
  }
}

/// A story as a server numbers it: 64 bits, or 96 as The Old Reader has them.
package struct ServerItemID: Hashable, Comparable, Sendable {
  package let high: UInt32
  package let low: UInt64

  package init(high: UInt32 = 0, low: UInt64) {
    (self.high, self.low) = (high, low)
  }

  private static let prefix = "tag:google.com,2005:reader/item/"

  /// Reads `tag:google.com,2005:reader/item/` with 16 or 24 hexadecimal digits behind it, 24 of them
  /// alone, or a decimal number, which may be that of a signed one; nil for anything else.
  package init?(_ text: String) {
    let digits = text.hasPrefix(Self.prefix) ? text.dropFirst(Self.prefix.count) : text[...]
    let isNumber = digits.count == text.count && digits.utf8.count <= 20
    if isNumber, let number = UInt64(digits) ?? Int64(digits).map({ UInt64(bitPattern: $0) }) {
      self.init(low: number)
    } else if digits.utf8.allSatisfy({ $0.hexadecimalValue != nil }), !digits.isEmpty,
      let low = UInt64(digits.suffix(16), radix: 16)
    {
      guard digits.utf8.count != 24 else {
        self.init(high: UInt32(digits.prefix(8), radix: 16) ?? 0, low: low)
        return
      }
      guard digits.utf8.count <= 16 else { return nil }
      self.init(low: low)
    } else {
      return nil
    }
  }

  /// The form that every server takes.
  package var text: String {
    guard high > 0 else { return Self.prefix + low.hexadecimal }
    return Self.prefix + String(UInt64(high).hexadecimal.suffix(8)) + low.hexadecimal
  }

  package static func < (one: ServerItemID, other: ServerItemID) -> Bool {
    (one.high, one.low) < (other.high, other.low)
  }
}
