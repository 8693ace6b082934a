package enum UnixTime {
  /// Returns the date of seconds since 1970; nil outside 1970 to 9999, and for 0.
  package static func date(_ seconds: Double) -> Date? {
    seconds > 0 && seconds < 253_402_300_800 ? Date(timeIntervalSince1970: seconds) : nil
  }

  package static func text(_ seconds: Double) -> String? {
    date(seconds).map(RFC3339.string)
  }
}
