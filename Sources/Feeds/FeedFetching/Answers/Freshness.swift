package import System

/// The time for which an answer says that it stays good (RFC 9111 §5).
package struct Freshness: Hashable, Sendable {
  /// `Cache-Control: max-age`, in seconds; `s-maxage` is for shared caches and not read.
  package var maximumAge: Int?
  package var isNoStore = false
  package var isNoCache = false
  package var expires: Date?
  package var date: Date?
  package var age = 0

  package init() {}

  /// Returns the seconds by which this machine's clock, which said `now` when the answer came, is
  /// ahead of the server's.
  package func clockLead(at now: Date) -> Double? {
    date.map { now.timeIntervalSince($0) - Double(age) }
  }

  /// Returns the seconds for which the answer stays fresh, counted from its arrival; nil when it
  /// does not say.
  ///
  /// `max-age` goes before `Expires`, `Age` is taken off, `no-cache` and `no-store` are 0. Never
  /// negative. `now`, when the answer came, stands in for a missing `Date`.
  package func lifetime(now: Date) -> TimeInterval? {
    if isNoStore || isNoCache { return 0 }
    if let maximumAge {
      return max(TimeInterval(maximumAge) - TimeInterval(age), 0)
    }
    guard let expires else { return nil }
    return max(expires.timeIntervalSince(date ?? now) - TimeInterval(age), 0)
  }

  package mutating func readCacheControl(_ value: String) {
    for directive in value.split(separator: ",") {
      let parts = directive.split(separator: "=", maxSplits: 1)
      guard let name = parts.first else { continue }
      switch HTTPField.trimmed(name).lowercased() {
      case "max-age": maximumAge = Self.seconds(parts.dropFirst().first)
      case "no-store": isNoStore = true
      case "no-cache": isNoCache = true
      default: break
      }
    }
  }

  /// Reads `Expires`; a value that is not a date has already passed (RFC 9111 §5.3).
  package mutating func readExpires(_ value: String) {
    expires = HTTPDate.date(value) ?? Date(timeIntervalSince1970: 0)
  }

  package mutating func readAge(_ value: String) {
    age = Self.seconds(value[...]) ?? 0
  }

  /// Reads a number of seconds, quoted or not; too large a one counts as 2^31 (RFC 9111 §1.2.2).
  private static func seconds(_ text: Substring?) -> Int? {
    let seconds = text.flatMap { HTTPField.trimmed($0.filter { $0 != "\"" }).utf8.decimalValue }
    return seconds.map { min($0, 1 << 31) }
  }
}

/// The time when a busy server wants to be asked again (RFC 9110 §10.2.3).
package enum RetryAfter: Codable, Hashable, Sendable {
  /// The seconds from the answer on; not negative, as large as the server said.
  case delay(Int)
  case instant(Date)

  /// The longest time that a server is obeyed for.
  package static let maximumDelay: TimeInterval = 7 * 24 * 60 * 60

  /// Returns the wait until a date by the clock of the server that said it, where that is known.
  func counted(from freshness: Freshness) -> RetryAfter {
    guard case .instant(let date) = self, let sent = freshness.date else { return self }
    let seconds = date.timeIntervalSince(sent) - Double(freshness.age)
    return .delay(Int(min(max(seconds, 0), Self.maximumDelay)))
  }

  package init?(_ value: String) {
    if let seconds = value.utf8.decimalValue {
      self = .delay(seconds)
    } else if let date = HTTPDate.date(value) {
      self = .instant(date)
    } else {
      return nil
    }
  }

  /// Returns the earliest time to ask again: from `now`, when the answer came, to seven days later.
  package func date(now: Date) -> Date {
    let delay =
      switch self {
      case .delay(let seconds): TimeInterval(seconds)
      case .instant(let date): date.timeIntervalSince(now)
      }
    return now.addingTimeInterval(min(max(delay, 0), Self.maximumDelay))
  }
}
