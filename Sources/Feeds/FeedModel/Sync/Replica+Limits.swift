/// The most that one machine keeps and tells the others, in units of its memory.
///
/// It is all that it has heard together, so that each of the others can read it.
package struct ReplicaLimits: Sendable {
  /// Read and starred marks, and marks of deleted stories.
  package var marks = 900_000
  /// Marks of stories that are not here; they count among `marks`, too.
  package var otherMarks = 500_000
  /// Tags and typed texts of stories, and the bytes of those texts.
  package var tags = 100_000
  package var textBytes = 2 << 20
  package var settings = 50_000
  package var settingBytes = 16 << 20
  package var machines = 1_000

  package static let sent = ReplicaLimits()

  /// The most that each of several other machines may bring.
  ///
  /// Marks of stories that are here have only the limit of `marks`: there are as many as stories.
  package static let share = ReplicaLimits(
    otherMarks: 250_000,
    tags: 50_000,
    textBytes: 1 << 20,
    settings: 40_000,
    settingBytes: 12 << 20,
  )
}

extension Replica {
  /// Drops what exceeds the limits that others read by.
  ///
  /// Values of stories, feeds and rules that are here (`isHere`) come first, then changes made
  /// here, then the latest: what a file makes up displaces nothing of this machine. `others` are
  /// the machines that are there now.
  package mutating func fit(
    of machine: MachineID,
    besides others: Set<MachineID>,
    within limits: ReplicaLimits = .sent,
    isHere: (SyncKey) -> Bool,
  ) {
    guard !isWithin(limits, isHere) else { return }
    var ranks = [Ranks](repeating: Ranks(), count: 4)
    func rank(_ key: SyncKey, _ by: MachineID) -> Int {
      (isHere(key) ? 2 : 0) + (by == machine ? 1 : 0)
    }
    for row in registers.marks.rows {
      ranks[rank(.story(row.story, .read), row.machine)].marks.append(row)
    }
    for (key, register) in registers.others {
      ranks[rank(key, register.stamp.machine)].others.append((key, register))
    }
    registers = SyncRegisters()
    let serial = seen[machine] ?? 1
    var room = ReplicaRoom(machine, others, limits)
    var rows: [MarkTable.Row] = []
    for (rank, values) in ranks.enumerated().reversed() {
      room.isForHere = rank > 1
      for (key, register) in values.others.sorted(by: { $1.1 < $0.1 })
      where room.takes(key, register) {
        registers.others[key] = register.told(by: room.machines, else: machine, serial)
      }
      for row in values.marks.sorted(by: { ($1.time, $1.machine) < ($0.time, $0.machine) })
      where room.takesMark(of: row.machine) {
        let register = row.register.told(by: room.machines, else: machine, serial)
        rows.append(MarkTable.Row(row.key, register))
      }
    }
    registers.marks = MarkTable(rows)
    for id in seen.keys.sorted() { room.take(id) }
    seen = seen.filter { room.machines.contains($0.key) }
  }

  private func isWithin(_ limits: ReplicaLimits, _ isHere: (SyncKey) -> Bool) -> Bool {
    var machines = Set(seen.keys)
    var room = ReplicaRoom(limits)
    for (key, register) in registers.others {
      machines.insert(register.stamp.machine)
      room.add(key, register.value)
    }
    var (all, others) = (0, 0)
    for row in registers.marks.rows {
      machines.insert(row.machine)
      all += 1
      if !isHere(.story(row.story, .read)) { others += 1 }
    }
    return room.isWithinLimits && all <= limits.marks
      && others <= limits.otherMarks && machines.count <= limits.machines
  }
}

private struct Ranks {
  var marks: [MarkTable.Row] = []
  var others: [(SyncKey, Replica.Register)] = []
}

extension Replica.Register {
  /// Returns the value under this machine's name where there is no room for the one that set it.
  fileprivate func told(
    by machines: Set<MachineID>,
    else machine: MachineID,
    _ serial: UInt32,
  ) -> Replica.Register {
    guard !machines.contains(stamp.machine) else { return self }
    return Replica.Register(value, SyncStamp(time: stamp.time, machine: machine), serial: serial)
  }
}

package struct ReplicaRoom {
  private(set) var machines: Set<MachineID> = []
  private var (marks, otherMarks, tags, textBytes, settings, bytes) = (0, 0, 0, 0, 0, 0)
  private let limits: ReplicaLimits
  /// True while values of stories and feeds of this home are counted, which any machine may set.
  var isForHere = false

  fileprivate init(_ machine: MachineID, _ others: Set<MachineID>, _ limits: ReplicaLimits) {
    self.limits = limits
    machines = Set([machine] + others.sorted().prefix(limits.machines - 1))
  }

  package init(_ limits: ReplicaLimits) { self.limits = limits }

  var isWithinLimits: Bool {
    tags <= limits.tags && textBytes <= limits.textBytes && settings <= limits.settings
      && bytes <= limits.settingBytes
  }

  fileprivate mutating func takes(_ key: SyncKey, _ register: Replica.Register) -> Bool {
    guard hasRoom(for: register.stamp.machine), takes(key, register.value) else { return false }
    take(register.stamp.machine)
    return true
  }

  /// Takes a value, and returns false where there is no room for it.
  package mutating func takes(_ key: SyncKey, _ value: SyncValue) -> Bool {
    var next = self
    next.add(key, value)
    guard next.isWithinLimits else { return false }
    self = next
    return true
  }

  fileprivate mutating func takesMark(of machine: MachineID) -> Bool {
    guard hasRoom(for: machine), marks < limits.marks,
      isForHere || otherMarks < limits.otherMarks
    else { return false }
    marks += 1
    otherMarks += isForHere ? 0 : 1
    take(machine)
    return true
  }

  private func hasRoom(for machine: MachineID) -> Bool {
    isForHere || machines.count < limits.machines || machines.contains(machine)
  }

  fileprivate mutating func take(_ machine: MachineID) {
    if machines.count < limits.machines { machines.insert(machine) }
  }

  fileprivate mutating func add(_ key: SyncKey, _ value: SyncValue) {
    if case .story(_, let mark) = key {
      tags += 1
      if !mark.isTag { textBytes += value.bytes }
    } else {
      settings += 1
      bytes += key.bytes + value.bytes
    }
  }
}

extension SyncKey {
  fileprivate var bytes: Int {
    switch self {
    case .story: 0
    case .feed(let url, _): 160 + url.utf8.count
    case .rule(let name): 160 + name.utf8.count
    case .ruleOrder: 160
    }
  }
}

extension SyncValue {
  /// An upper estimate of the bytes in a file, which has text in ASCII or UTF-16.
  fileprivate var bytes: Int {
    switch self {
    case .none, .yes, .number: 16
    case .text(let text): 16 + 2 * text.utf8.count
    case .texts(let texts): texts.reduce(16) { $0 + 16 + 2 * $1.utf8.count }
    case .rule(let rule):
      (rule.feeds + rule.grep + rule.actions.map(\.word) + [rule.name])
        .reduce(200) { $0 + 16 + 2 * $1.utf8.count }
    }
  }
}
