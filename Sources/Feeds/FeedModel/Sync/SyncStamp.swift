package import System

package struct MachineID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let number: UInt64

  package init(_ number: UInt64) {
    self.number = number
  }

  package init?(_ digits: String) {
    guard let number = ItemID.number(of: digits.utf8) else { return nil }
    self.number = number
  }

  /// Returns an id for a new home; no two are made at one place at one time.
  package static func new(at origin: String, on date: Date) -> MachineID {
    let seconds = "\(date.timeIntervalSince1970)"
    return MachineID(SHA256.prefix(joining: ["machine", origin, seconds]))
  }

  package var description: String { number.hexadecimal }

  package static func < (one: MachineID, other: MachineID) -> Bool { one.number < other.number }
}

/// The time and the author of a value: a hybrid logical clock.
///
/// A new value gets a later stamp than the one that it replaces, whatever the clock says.
package struct SyncStamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970 times 65,536; changes of one millisecond are 256 apart.
  ///
  /// The times between are those of copies, which come before any next change.
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

  /// Returns a time no earlier than `time`, and later than `other` and all its copies.
  package static func time(ofChange time: UInt64, after other: UInt64) -> UInt64 {
    let next = (other | 0xFF).addingReportingOverflow(1)
    return max(time, next.overflow ? .max : next.partialValue)
  }

  /// Returns the time of a value that repeats, under another key, one of a time.
  package static func time(ofCopy time: UInt64) -> UInt64 { time == .max ? .max : time + 1 }

  package static func < (one: SyncStamp, other: SyncStamp) -> Bool {
    (one.time, one.machine) < (other.time, other.machine)
  }
}
