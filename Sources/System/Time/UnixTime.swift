/// Seconds since 1970 as other programs keep them.
package enum UnixTime {
  /// nil for what is no date from 1970 to 9999.
  package static func date(_ seconds: Double) -> Date? {
    seconds > 0 && seconds < 253_402_300_800 ? Date(timeIntervalSince1970: seconds) : nil
  }

  package static func text(_ seconds: Double) -> String? {
    date(seconds).map(RFC3339.string)
  }
}
