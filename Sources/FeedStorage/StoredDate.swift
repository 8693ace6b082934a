/// Dates of the data file, in seconds since 2001.
enum StoredDate {
  /// Whether a calendar holds it: years beyond ±9999 do not print, and cannot be calculated with.
  static func isInCalendar(_ seconds: Double) -> Bool {
    abs(seconds) < 400_000_000_000
  }
}
