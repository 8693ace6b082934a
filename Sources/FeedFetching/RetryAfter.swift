package import System

/// When a busy server wants to be asked again (RFC 9110 §10.2.3).
package enum RetryAfter: Hashable, Sendable {
  /// Seconds from the answer on; not negative, as large as the server said.
  case delay(Int)
  case instant(Date)

  /// The longest time that a server is obeyed for: seven days.
  package static let maximumDelay: TimeInterval = 7 * 24 * 60 * 60

  /// Reads the field's value: digits, or an HTTP date.
  package init?(_ value: String) {
    if value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !value.isEmpty {
      self = .delay(Int(value) ?? .max)
    } else if let date = HTTPDate.date(value) {
      self = .instant(date)
    } else {
      return nil
    }
  }

  /// Not to ask before this: between `now`, when the answer came, and seven days later.
  package func date(now: Date) -> Date {
    let delay =
      switch self {
      case .delay(let seconds): TimeInterval(seconds)
      case .instant(let date): date.timeIntervalSince(now)
      }
    return now.addingTimeInterval(min(max(delay, 0), Self.maximumDelay))
  }
}
