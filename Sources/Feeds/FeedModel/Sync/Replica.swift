internal import System

/// The shared values as one machine knows them: of each the latest that anyone has set.
///
/// Merging is commutative, associative and idempotent, so that machines which have heard of the
/// same changes, in any order and however often, have the same values.
package struct Replica: Hashable, Sendable {
  package struct Register: Hashable, Comparable, Sendable {
    package let value: SyncValue
    package let stamp: SyncStamp
    /// The number of the change among those of the machine that the stamp names.
    package let serial: UInt32

    package init(_ value: SyncValue, _ stamp: SyncStamp, serial: UInt32) {
      (self.value, self.stamp, self.serial) = (value, stamp, serial)
    }

    package var isGone: Bool { value == .none }

    /// Orders by stamp, then by serial and text.
    ///
    /// Equal stamps come from homes that took themselves for one machine; any order will do that is
    /// the same everywhere.
    package static func < (one: Register, other: Register) -> Bool {
      if one.stamp != other.stamp { return one.stamp < other.stamp }
      if one.serial != other.serial { return one.serial < other.serial }
      return one.value != other.value && "\(one.value)" < "\(other.value)"
    }
  }

  package var registers = SyncRegisters()
  /// The last change of each machine, this one included, that is known here.
  package var seen: Seen = [:]
  /// The latest time of a dropped value; a new change of a missing value gets a later one.
  ///
  /// Others may not have dropped it yet, and clocks may be behind. Other machines are not told.
  package var collected: UInt64 = 0

  package init() {}

  package typealias Seen = [MachineID: UInt32]

  /// Compares everything that other machines are told; `collected` is not.
  package func isSame(as other: Replica) -> Bool {
    registers == other.registers && seen == other.seen
  }

  /// The tags and texts known of each story's hash, removed ones included.
  package var otherMarks: [UInt64: [SyncKey.StoryMark]] {
    var marks: [UInt64: [SyncKey.StoryMark]] = [:]
    for case .story(let story, let mark) in registers.others.keys {
      marks[story, default: []].append(mark)
    }
    return marks
  }

  package mutating func merge(_ other: Replica) {
    var dropped = max(collected, other.collected)
    var marks = registers.marks
    registers.marks = MarkTable()
    marks.merge(other.registers.marks) { latest($0, $1, in: other, &dropped, \.register) }
    registers.marks = marks
    let others = other.registers.others
    for (key, register) in registers.others where register.isGone && others[key] == nil {
      registers.others[key] = latest(register, nil, in: other, &dropped) { $0 }
    }
    for (key, register) in others {
      registers.others[key] = latest(registers.others[key], register, in: other, &dropped) { $0 }
    }
    collected = dropped
    seen.merge(other.seen, uniquingKeysWith: max)
  }

  /// Returns the later value.
  ///
  /// A removed value that is missing on the side which has seen the change was dropped there, and
  /// does not come back.
  private func latest<Value>(
    _ own: Value?,
    _ new: Value?,
    in other: Replica,
    _ dropped: inout UInt64,
    _ register: (Value) -> Register,
  ) -> Value? {
    if let own, let new { return register(own) < register(new) ? new : own }
    guard let value = own ?? new else { return nil }
    let register = register(value)
    let seen = own == nil ? self.seen : other.seen
    guard register.isGone, seen.covers(register) else { return value }
    dropped = max(dropped, register.stamp.time)
    return nil
  }

  /// Drops removed values that all machines have seen.
  ///
  /// `hasOthers` says that there are servers or machines that come by another way or no more; then,
  /// and where a machine is missing from `machines`, only values before `time` go.
  package mutating func drop(
    seenBy machines: [MachineID: Seen],
    before time: UInt64,
    hasOthers: Bool = false,
  ) {
    let isComplete = !hasOthers && seen.keys.allSatisfy { machines[$0] != nil }
    let machines = Array(machines.values)
    var dropped: UInt64 = 0
    registers.removeAll { _, register in
      guard register.isGone, isComplete || register.stamp.time < time else { return false }
      let isKnown = machines.allSatisfy { $0.covers(register) }
      if isKnown { dropped = max(dropped, register.stamp.time) }
      return isKnown
    }
    collected = max(collected, dropped)
    // Keys that belong to a feed go with it.
    registers.others = registers.others.filter { [others = registers.others] key, _ in
      guard case .feed(let url, let setting) = key, setting != .followed else { return true }
      return others[.feed(url, .followed)] != nil
    }
  }

  package mutating func dropMarks(
    outside times: ClosedRange<UInt64>,
    except stored: Set<UInt64>,
  ) {
    registers.removeAll { key, register in
      guard case .story(let story, _) = key, !times.contains(register.stamp.time) else {
        return false
      }
      return !stored.contains(story)
    }
  }
}

extension Replica.Seen {
  /// Returns true where the machine has seen the change, even if nothing of it is left.
  func covers(_ register: Replica.Register) -> Bool {
    self[register.stamp.machine, default: 0] >= register.serial
  }
}

package struct SyncState: Hashable, Sendable {
  package var machine: MachineID
  /// A hash of the machine and the folder; a copy of the home finds another one.
  package var origin: String
  package var replica = Replica()
  /// The time of the last recorded change that was merged (`RecordedChanges`).
  package var taken: UInt64 = 0
  /// The time from which on all marks were told.
  package var since: UInt64 = 0
  package var servers: [String: ServerAgreement] = [:]
  package var isNew = false
  package var names: [MachineID: String] = [:]

  package init(machine: MachineID, origin: String) {
    (self.machine, self.origin) = (machine, origin)
  }

  package static func origin(machine: String, home: String) -> String {
    SHA256.prefix(joining: ["place", machine, home]).hexadecimal
  }
}

/// Times of the last merges with a server.
///
/// `ServerState.merged` must equal one of them, else the home or its memory of the server was
/// brought back from a backup alone.
package struct ServerAgreement: Hashable, Sendable {
  package let time: UInt64
  /// The time of the merge before; a run that is stopped between the two saves leaves this one.
  package let former: UInt64

  package init(time: UInt64, former: UInt64) {
    (self.time, self.former) = (time, former)
  }
}
