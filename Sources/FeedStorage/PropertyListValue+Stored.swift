internal import PropertyLists
internal import System

/// The values that the store's own files hold, to and from property lists.
extension PropertyListValue {
  var asDate: Date? {
    date.flatMap { Date(storedSeconds: $0) }
  }

  static func date(_ date: Date?) -> PropertyListValue? {
    date.map { .date($0.timeIntervalSinceReferenceDate) }
  }

  var asInt: Int? {
    integer.map { Int($0) }
  }

  /// An integer that others may calculate with, whatever the file holds: from 0 to 2^40.
  var asCount: Int? {
    integer.map { Int(min(max($0, 0), 1 << 40)) }
  }

  var asStrings: [String]? {
    array?.compactMap(\.string)
  }

  /// Whole seconds.
  var asDuration: Duration? {
    integer.map { .seconds(min(max($0, 0), 1 << 40)) }
  }

  static func seconds(_ duration: Duration?) -> PropertyListValue? {
    duration.map { .integer($0.components.seconds) }
  }

  static func integers(_ numbers: Set<Int>) -> PropertyListValue? {
    numbers.isEmpty ? nil : .array(numbers.sorted().map { .integer(Int64($0)) })
  }

  /// Hashes are kept as data, eight bytes each, most significant first.
  var asHashes: [UInt64]? {
    guard case .data(let bytes) = self else { return nil }
    return stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
      bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  static func hashes(_ hashes: [UInt64]) -> PropertyListValue? {
    guard !hashes.isEmpty else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 * hashes.count)
    for hash in hashes {
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: hash >> shift))
      }
    }
    return .data(bytes)
  }
}

extension Date {
  /// A date of the data file; nil for one that no calendar holds (beyond the years ±9999).
  init?(storedSeconds seconds: Double) {
    guard StoredDate.isInCalendar(seconds) else { return nil }
    self.init(timeIntervalSinceReferenceDate: seconds)
  }
}

/// Dates of the data file, in seconds since 2001.
enum StoredDate {
  /// Whether a calendar holds it: years beyond ±9999 do not print, and cannot be calculated with.
  static func isInCalendar(_ seconds: Double) -> Bool {
    abs(seconds) < 400_000_000_000
  }
}
