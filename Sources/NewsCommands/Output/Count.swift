/// Numbers of things, with the right form of the word.
enum Count {
  static func of(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number) " + (number == 1 ? one : many ?? one + "s")
  }
}

/// Seconds as the output has them: three decimals, whatever the locale.
enum Seconds {
  static func text(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds > 0 else { return "0.000" }
    let milliseconds = Int(min(seconds, 1e12) * 1000 + 0.5)
    return "\(milliseconds / 1000).\((milliseconds % 1000).padded(to: 3))"
  }

  static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return text(Double(seconds) + Double(attoseconds) / 1e18)
  }
}
