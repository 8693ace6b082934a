/// How this machine's clock and those of servers differ.
enum ServerClock {
  static let advice = "set the clock: timedatectl set-ntp true, or the like"

  /// Seconds that are no fault: dates of answers are rounded, and answers take time.
  private static let tolerance = 300.0

  /// What the clocks tell; nil without any, from the seconds by which this one is ahead of each.
  static func finding(_ differences: [Double]) -> Finding? {
    // One server may be wrong; where none agrees, it is this machine.
    guard let least = differences.min(by: { abs($0) < abs($1) }) else { return nil }
    guard abs(least) > tolerance else {
      return .ok("clock", "agrees with \(Count.of(differences.count, "server"))")
    }
    let amount = duration(abs(least))
    let place = least > 0 ? "ahead of" : "behind"
    return .wrong("clock", "\(amount) \(place) the servers' clocks", advice)
  }

  private static func duration(_ seconds: Double) -> String {
    switch Int(clamping: seconds) {
    case let value where value < 7_200: Count.of(value / 60, "minute")
    case let value where value < 172_800: Count.of(value / 3_600, "hour")
    case let value: Count.of(value / 86_400, "day")
    }
  }
}
