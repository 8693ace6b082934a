internal import System

/// What one machine knows of the values that all have in common.
///
/// Of each value the latest that anyone has set. To merge two is commutative, associative and
/// idempotent, so that machines that have heard of the same changes, in any order and however often,
/// have the same.
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

    /// Two of one stamp are of machines that took themselves for one: any order will do that is the
    /// same everywhere.
    package static func < (one: Register, other: Register) -> Bool {
      if one.stamp != other.stamp { return one.stamp < other.stamp }
      if one.serial != other.serial { return one.serial < other.serial }
      return one.value != other.value && "\(one.value)" < "\(other.value)"
    }
  }

  package var registers = SyncRegisters()
  /// The number of the last change of each machine that has been seen, with all before it.
  package var seen: [MachineID: UInt32] = [:]
  /// The latest time of what was dropped: a change of what is not there comes behind that.
  ///
  /// Others may not have dropped it yet, and clocks may be behind. It is not told to them.
  package var collected: UInt64 = 0

  package init() {}

  /// Whether it knows what became of a change, even where there is nothing of it any more.
  package func covers(_ register: Register) -> Bool {
    seen[register.stamp.machine, default: 0] >= register.serial
  }

  /// Whether others are told just the same.
  package func isSame(as other: Replica) -> Bool {
    registers == other.registers && seen == other.seen
  }

  /// The tags, taken away ones too, of which anything is known, by the stories' hashes.
  package var tags: [UInt64: [SyncKey.StoryMark]] {
    var tags: [UInt64: [SyncKey.StoryMark]] = [:]
    for case .story(let story, let mark) in registers.others.keys {
      tags[story, default: []].append(mark)
    }
    return tags
  }

  /// Takes what another knows.
  package mutating func merge(_ other: Replica) {
    var dropped = max(collected, other.collected)
    if !registers.marks.isEmpty || !other.registers.marks.isEmpty {
      var marks = registers.marks
      registers.marks = MarkTable()
      marks.merge(other.registers.marks) { latest($0, $1, in: other, &dropped, \.register) }
      registers.marks = marks
    }
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

  /// The later of a value here and in another replica.
  ///
  /// What is gone, and was dropped by one that had seen it, does not come back.
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
    guard register.isGone, (own == nil ? self : other).covers(register) else { return value }
    dropped = max(dropped, register.stamp.time)
    return nil
  }

  /// Drops what is gone and every one of these machines has seen, each given by what it has seen.
  ///
  /// Where others are known of, which come by another way or no more, or servers (`hasOthers`), what is
  /// later than `time` stays.
  package mutating func drop(
    seenBy machines: [MachineID: [MachineID: UInt32]],
    before time: UInt64,
    hasOthers: Bool = false,
  ) {
    let isComplete = !hasOthers && seen.keys.allSatisfy { machines[$0] != nil }
    let machines = Array(machines.values)
    var dropped: UInt64 = 0
    registers.removeAll { key, register in
      guard register.isGone, isComplete || register.stamp.time < time else { return false }
      let isKnown = machines.allSatisfy {
        $0[register.stamp.machine, default: 0] >= register.serial
      }
      if isKnown { dropped = max(dropped, register.stamp.time) }
      return isKnown
    }
    collected = max(collected, dropped)
    // What belongs to a feed goes with it.
    registers.others = registers.others.filter { [others = registers.others] key, _ in
      guard case .feed(let url, let setting) = key, setting != .followed else { return true }
      return others[.feed(url, .followed)] != nil
    }
  }

  /// Drops the marks of stories that are nowhere among `stored`, and not of these times.
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

/// What a home remembers of merging.
package struct SyncState: Hashable, Sendable {
  package var machine: MachineID
  /// A hash of the machine and the folder that it belongs to: a copy is elsewhere.
  package var origin: String
  package var replica = Replica()
  /// The time of the last change of this home that was taken in (`RecordedChanges`).
  package var taken: UInt64 = 0
  /// When it was last merged with each server, by the servers' names.
  package var servers: [String: ServerAgreement] = [:]
  /// Whether nothing was remembered.
  package var isNew = false
  /// Whether the tags of stories have been told; versions before 1.0 told none.
  package var hasTags = false
  /// What the stories are known by that it has, and those that it had while another machine still has
  /// them; nil where it shares none.
  package var stories: StoryHashes?
  /// What the machines call themselves.
  package var names: [MachineID: String] = [:]

  package init(machine: MachineID, origin: String) {
    (self.machine, self.origin) = (machine, origin)
  }

  /// What tells one home from another, and from its copies.
  package static func origin(machine: String, home: String) -> String {
    SHA256.prefix(joining: ["place", machine, home]).hexadecimal
  }
}

/// By which a home and what it remembers of a server (`ServerState.merged`) know that they belong
/// together: neither was brought back from a backup alone.
package struct ServerAgreement: Hashable, Sendable {
  package let time: UInt64
  /// That of the merge before: who is stopped between two saves has that one.
  package let former: UInt64

  package init(time: UInt64, former: UInt64) {
    (self.time, self.former) = (time, former)
  }
}
