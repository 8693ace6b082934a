package import System

/// A home among those that are kept alike.
package struct MachineID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let number: UInt64

  package init(_ number: UInt64) {
    self.number = number
  }

  /// nil for anything but sixteen lower-case hexadecimal digits.
  package init?(_ digits: String) {
    guard let number = ItemID.number(of: digits.utf8) else { return nil }
    self.number = number
  }

  /// That of a home that has none yet: no two are made at one place at one time.
  package static func new(at origin: String, on date: Date) -> MachineID {
    let seconds = "\(date.timeIntervalSince1970)"
    return MachineID(SHA256.prefix(joining: ["machine", origin, seconds]))
  }

  package var description: String { number.hexadecimal }

  package static func < (one: MachineID, other: MachineID) -> Bool { one.number < other.number }
}

/// When a value was set, and by whom: a hybrid logical clock.
///
/// Whoever sets a value that is there already gives it a later stamp, whatever the clock says.
package struct SyncStamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970, times 65,536: what is below counts changes of one millisecond, 256 apart.
  ///
  /// What lies between two of them is of copies, which come before whatever anyone does next.
  package let time: UInt64
  package let machine: MachineID

  package init(time: UInt64, machine: MachineID) {
    (self.time, self.machine) = (time, machine)
  }

  package var date: Date { Date(timeIntervalSince1970: Double(time >> 16) / 1000) }

  package static func time(of date: Date) -> UInt64 {
    let milliseconds = max(date.timeIntervalSince1970 * 1000, 0)
    return UInt64(min(milliseconds, 0x7FFF_FFFF_FFFF)) << 16
  }

  /// The time of a change that somebody makes: no earlier than a time, and later than another one and all
  /// its copies.
  package static func time(ofChange time: UInt64, after other: UInt64) -> UInt64 {
    let next = (other | 0xFF).addingReportingOverflow(1)
    return max(time, next.overflow ? .max : next.partialValue)
  }

  /// The time of what says again, under another name, what was said at a time.
  package static func time(ofCopy time: UInt64) -> UInt64 { time == .max ? .max : time + 1 }

  package static func < (one: SyncStamp, other: SyncStamp) -> Bool {
    (one.time, one.machine) < (other.time, other.machine)
  }
}
