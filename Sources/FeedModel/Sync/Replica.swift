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
  package var sight = Sight()
  /// The latest time of what was dropped: a change of what is not there comes behind that.
  ///
  /// Others may not have dropped it yet, and clocks may be behind. It is not told to them.
  package var collected: UInt64 = 0

  package init() {}

  /// The number of the last change of each machine that has been seen, with all before it.
  package var seen: [MachineID: UInt32] {
    get { sight.all }
    set { sight.all = newValue }
  }

  /// Whether others are told just the same.
  package func isSame(as other: Replica) -> Bool {
    registers == other.registers && sight == other.sight
  }

  /// The tags and texts, taken away ones too, of which anything is known, by the stories' hashes.
  package var otherMarks: [UInt64: [SyncKey.StoryMark]] {
    var marks: [UInt64: [SyncKey.StoryMark]] = [:]
    for case .story(let story, let mark) in registers.others.keys {
      marks[story, default: []].append(mark)
    }
    return marks
  }

  /// Takes what another knows.
  package mutating func merge(_ other: Replica) {
    var dropped = max(collected, other.collected)
    merge(\.marks, of: nil, in: other, &dropped)
    for flag in SyncKey.StoryMark.flags { merge(\.[flag: flag], of: flag, in: other, &dropped) }
    let others = other.registers.others
    for (key, register) in registers.others where register.isGone && others[key] == nil {
      registers.others[key] = latest(register, nil, of: key.laterMark, in: other, &dropped) { $0 }
    }
    for (key, register) in others {
      let own = registers.others[key]
      registers.others[key] = latest(own, register, of: key.laterMark, in: other, &dropped) { $0 }
    }
    collected = dropped
    sight.merge(other.sight)
  }

  private mutating func merge(
    _ table: WritableKeyPath<SyncRegisters, MarkTable>,
    of kind: SyncKey.StoryMark?,
    in other: Replica,
    _ dropped: inout UInt64,
  ) {
    let others = other.registers[keyPath: table]
    var marks = registers[keyPath: table]
    guard !marks.isEmpty || !others.isEmpty else { return }
    registers[keyPath: table] = MarkTable()
    marks.merge(others) { latest($0, $1, of: kind, in: other, &dropped, \.register) }
    registers[keyPath: table] = marks
  }

  /// The later of a value here and in another replica, of a kind of marks that came later or of none.
  ///
  /// A value that is gone, and was dropped by one that had seen it, does not come back.
  private func latest<Value>(
    _ own: Value?,
    _ new: Value?,
    of kind: SyncKey.StoryMark?,
    in other: Replica,
    _ dropped: inout UInt64,
    _ register: (Value) -> Register,
  ) -> Value? {
    if let own, let new { return register(own) < register(new) ? new : own }
    guard let value = own ?? new else { return nil }
    let register = register(value)
    let sight = own == nil ? self.sight : other.sight
    guard register.isGone, sight.covers(register, of: kind) else { return value }
    dropped = max(dropped, register.stamp.time)
    return nil
  }

  /// Drops what is gone and every one of these machines has seen that knows its kind, each given by
  /// what it has seen.
  ///
  /// Where others are known of, which come by another way or no more, or servers (`hasOthers`), what is
  /// later than `time` stays.
  package mutating func drop(
    seenBy machines: [MachineID: Sight],
    before time: UInt64,
    hasOthers: Bool = false,
  ) {
    let isComplete = !hasOthers && seen.keys.allSatisfy { machines[$0] != nil }
    let machines = Array(machines.values)
    var dropped: UInt64 = 0
    registers.removeAll { key, register in
      guard register.isGone, isComplete || register.stamp.time < time else { return false }
      let kind = key.laterMark
      let isKnown = machines.allSatisfy { !$0.knows(kind) || $0.covers(register, of: kind) }
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

extension Replica {
  /// The changes of all machines that a machine has seen, its own among them.
  package struct Sight: Hashable, Sendable {
    /// The number of the last change of each machine, with all before it.
    package var all: [MachineID: UInt32] = [:]
    /// The numbers of the last changes of each kind of marks that came later and that the machine knows.
    ///
    /// One that does not passes nothing of that kind on, and has not seen that it is gone, whatever
    /// else it has seen.
    package var later: [SyncKey.StoryMark: [MachineID: UInt32]] = [:]

    package init() {}

    /// Returns true where a machine with it knows a kind of marks that came later.
    func knows(_ kind: SyncKey.StoryMark?) -> Bool { kind.map { later[$0] != nil } ?? true }

    /// Returns true for a change of which it is known what became, even where nothing of it is left.
    func covers(_ register: Register, of kind: SyncKey.StoryMark?) -> Bool {
      let seen = kind.map { later[$0] ?? [:] } ?? all
      return seen[register.stamp.machine, default: 0] >= register.serial
    }

    /// Notes the last change of a machine, which knows all kinds.
    package mutating func note(_ serial: UInt32, of machine: MachineID) {
      all[machine] = serial
      for mark in SyncKey.StoryMark.later { later[mark, default: [:]][machine] = serial }
    }

    mutating func merge(_ other: Sight) {
      all.merge(other.all, uniquingKeysWith: max)
      later.merge(other.later) { $0.merging($1, uniquingKeysWith: max) }
    }

    mutating func keep(_ machines: Set<MachineID>) {
      all = all.filter { machines.contains($0.key) }
      later = later.mapValues { seen in seen.filter { machines.contains($0.key) } }
    }
  }
}

extension SyncKey {
  /// The mark that it is of, where that came later.
  fileprivate var laterMark: StoryMark? {
    if case .story(_, let mark) = self, mark.isLater { mark } else { nil }
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
  /// The time from which on all marks were told.
  package var since: UInt64 = 0
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
