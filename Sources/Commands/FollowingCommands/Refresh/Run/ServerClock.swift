package import CommandSupport

package enum ServerClock {
  package static let advice = "set the clock: timedatectl set-ntp true, or the like"

  /// Seconds that are no fault: dates of answers are rounded, and answers take time.
  private static let tolerance = 300.0

  /// Returns a finding from the seconds by which this clock is ahead of each server's; nil without
  /// any.
  package static func finding(_ differences: [Double]) -> Finding? {
    guard let least = least(differences) else { return nil }
    guard abs(least) > tolerance else {
      return .ok("clock", "agrees with \(Count.of(differences.count, "server"))")
    }
    return .wrong("clock", text(least), advice)
  }

  /// Returns a complaint about a clock that is a day or more wrong; nil if a server's agrees.
  static func complaint(_ differences: [Double]) -> String? {
    guard let least = least(differences), abs(least) >= 86_400 else { return nil }
    return "the clock of this machine is \(text(least)); \(advice)"
  }

  /// Returns the least difference: one server may be wrong, but where none agrees, it is this
  /// machine.
  private static func least(_ differences: [Double]) -> Double? {
    differences.min { abs($0) < abs($1) }
  }

  private static func text(_ difference: Double) -> String {
    let direction = difference > 0 ? "ahead of" : "behind"
    return "\(duration(abs(difference))) \(direction) the servers' clocks"
  }

  private static func duration(_ seconds: Double) -> String {
    switch Int(clamping: seconds) {
    case let value where value < 7_200: Count.of(value / 60, "minute")
    case let value where value < 172_800: Count.of(value / 3_600, "hour")
    case let value: Count.of(value / 86_400, "day")
    }
  }
}
