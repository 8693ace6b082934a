/// How much one machine tells the others at most, so that all of them read it.
package struct ReplicaLimits: Sendable {
  package var (marks, settings, machines) = (1_000_000, 50_000, 1_000)
  /// Of the settings with their keys.
  package var settingBytes = 16 << 20

  package static let sent = ReplicaLimits()
}

extension Replica {
  /// Drops what is more than others read.
  ///
  /// What is of stories, feeds and rules that are here (`isHere`) stays before everything else, then what
  /// was changed here, then the latest: what a file makes up keeps nothing of this machine from
  /// the others. `others` are the machines that are there now.
  package mutating func fit(
    of machine: MachineID,
    besides others: Set<MachineID>,
    within limits: ReplicaLimits = .sent,
    isHere: (SyncKey) -> Bool,
  ) {
    guard !ReplicaRoom(self, limits).isWithinLimits else { return }
    let ranked = registers.map { key, register in
      let isOwn = register.stamp.machine == machine
      return Ranked(rank: (isHere(key) ? 2 : 0) + (isOwn ? 1 : 0), key: key, register: register)
    }
    registers = [:]
    var room = ReplicaRoom(machine, others, limits)
    for one in ranked.sorted(by: { $1 < $0 })
    where room.takes(one.key, one.register, orAnyMachine: one.rank > 1) {
      registers[one.key] =
        room.machines.contains(one.register.stamp.machine)
        ? one.register : one.register.sent(by: machine, serial: seen[machine] ?? 1)
    }
    for id in seen.keys.sorted() { room.take(id) }
    seen = seen.filter { room.machines.contains($0.key) }
  }
}

private struct Ranked: Comparable {
  let rank: Int
  let key: SyncKey
  let register: Replica.Register

  static func < (one: Ranked, other: Ranked) -> Bool {
    (one.rank, one.register.stamp) < (other.rank, other.register.stamp)
  }
}

extension Replica.Register {
  /// The same as another machine's word: that of one for which there is no room.
  fileprivate func sent(by machine: MachineID, serial: UInt32) -> Replica.Register {
    Replica.Register(value, SyncStamp(time: stamp.time, machine: machine), serial: serial)
  }
}

/// What is told, and whether there is room for more.
private struct ReplicaRoom {
  private(set) var machines: Set<MachineID>
  private var (marks, settings, bytes) = (0, 0, 0)
  private let limits: ReplicaLimits

  init(_ machine: MachineID, _ others: Set<MachineID>, _ limits: ReplicaLimits) {
    self.limits = limits
    machines = Set([machine] + others.sorted().prefix(limits.machines - 1))
  }

  /// All that there is.
  init(_ replica: Replica, _ limits: ReplicaLimits) {
    self.limits = limits
    machines = Set(replica.seen.keys)
    for (key, register) in replica.registers {
      machines.insert(register.stamp.machine)
      add(key, register.value)
    }
  }

  var isWithinLimits: Bool {
    marks <= limits.marks && settings <= limits.settings
      && bytes <= limits.settingBytes && machines.count <= limits.machines
  }

  /// Takes a value where there is room for it; that of a machine for which there is none only with
  /// `orAnyMachine`.
  mutating func takes(
    _ key: SyncKey,
    _ register: Replica.Register,
    orAnyMachine isFree: Bool,
  ) -> Bool {
    let machine = register.stamp.machine
    let isKnown = machines.contains(machine)
    guard isKnown || isFree || machines.count < limits.machines else { return false }
    var next = self
    next.add(key, register.value)
    guard next.isWithinLimits else { return false }
    self = next
    take(machine)
    return true
  }

  mutating func take(_ machine: MachineID) {
    if machines.count < limits.machines { machines.insert(machine) }
  }

  private mutating func add(_ key: SyncKey, _ value: SyncValue) {
    if case .story = key {
      marks += 1
    } else {
      settings += 1
      bytes += key.bytes + value.bytes
    }
  }
}

extension SyncKey {
  /// About how much a setting takes in a file, without its value.
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
  /// About how much it takes in a file, which has a character in two bytes where it must.
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
