#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The system's clock and its idea of local time (`TZ`, `/etc/localtime`).
extension SystemCalls {
  /// Seconds since 1970.
  static func secondsSince1970() -> Double {
    var time = timespec()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// A point in time on the wall clock here.
  static func civilTime(_ seconds: Int) -> CivilTime {
    var instant = time_t(seconds)
    var parts = tm()
    guard localtime_r(&instant, &parts) != nil else { return CivilTime() }
    return CivilTime(
      year: Int(parts.tm_year) + 1900,
      month: Int(parts.tm_mon) + 1,
      day: Int(parts.tm_mday),
      hour: Int(parts.tm_hour),
      minute: Int(parts.tm_min),
      second: Int(parts.tm_sec),
    )
  }

  /// The short name of the time zone here at a point in time, such as `CET`.
  static func zone(_ seconds: Int) -> String {
    var instant = time_t(seconds)
    var parts = tm()
    guard localtime_r(&instant, &parts) != nil, let name = parts.tm_zone else { return "" }
    return String(cString: name)
  }

  /// Seconds since 1970 of a time on the wall clock here; days and months may overflow.
  static func seconds(of time: CivilTime) -> Int? {
    var parts = tm()
    guard let year = Int32(exactly: time.year), (1...9999).contains(year) else { return nil }
    parts.tm_year = year - 1900
    parts.tm_mon = Int32(truncatingIfNeeded: time.month - 1)
    parts.tm_mday = Int32(truncatingIfNeeded: time.day)
    parts.tm_hour = Int32(truncatingIfNeeded: time.hour)
    parts.tm_min = Int32(truncatingIfNeeded: time.minute)
    parts.tm_sec = Int32(truncatingIfNeeded: time.second)
    parts.tm_isdst = -1
    let instant = mktime(&parts)
    return instant == -1 ? nil : Int(instant)
  }
}
