import TestSupport
import Testing

@testable import FeedModel

@Suite("What machines know of the same changes comes to the same, in any order")
struct ReplicaTests {
  /// Up to five machines, with clocks that are years off, that change values, tell and hear.
  private struct History {
    var random: Chance
    var machines: [Machine] = []
    var told: [Int: Replica] = [:]
    var now = 1_793_534_400.0

    struct Machine {
      let id: MachineID
      let clock: Double
      var replica = Replica()
    }

    init(seed: UInt64) {
      random = Chance(state: seed)
      for number in 0..<Int.random(in: 2...5, using: &random) {
        let clocks: [Double] = [0, 0, 0.001, -40, 30, -3]
        let years = clocks.randomElement(using: &random) ?? 0
        machines.append(Machine(id: MachineID(UInt64(number)), clock: years * 31_557_600))
        machines[number].replica.seen[machines[number].id] = 0
      }
    }

    mutating func step() {
      now += Double.random(in: 0...100, using: &random)
      let number = machines.indices.randomElement(using: &random) ?? 0
      if Int.random(in: 0..<3, using: &random) > 0 { change(number) } else { sync(number) }
    }

    mutating func change(_ number: Int) {
      let machine = machines[number]
      let isNote = Bool.random(using: &random)
      let key = SyncKey.story(UInt64.random(in: 0..<6, using: &random), isNote ? .note : .read)
      let set: SyncValue = isNote ? .text("by \(number)") : .yes
      let value: SyncValue = Bool.random(using: &random) ? set : .none
      let old = machine.replica.registers[key]
      let date = Date(timeIntervalSince1970: now + machine.clock)
      let serial = (machine.replica.seen[machine.id] ?? 0) + 1
      let time = old?.stamp.time ?? machine.replica.collected
      let stamp = SyncStamp(of: date, after: time, by: machine.id)
      let new = Replica.Register(value, stamp, serial: serial)
      machines[number].replica.registers[key] = new
      machines[number].replica.seen[machine.id] = serial
      #expect(old.map { $0.stamp < new.stamp } ?? true)
    }

    mutating func sync(_ number: Int) {
      let others = told.filter { $0.key != number }.sorted { _, _ in Bool.random(using: &random) }
      for (_, other) in others { machines[number].replica.merge(other) }
      var seen = [machines[number].id: machines[number].replica.seen]
      for (other, replica) in others { seen[machines[other].id] = replica.seen }
      machines[number].replica.drop(seenBy: seen, before: 0)
      told[number] = machines[number].replica
    }

    func all(_ machine: Machine) -> [SyncKey: Replica.Register] {
      Dictionary(uniqueKeysWithValues: machine.replica.registers.map { ($0.key, $0.value) })
    }

    mutating func settle() {
      for number in machines.indices.shuffled(using: &random) { sync(number) }
    }
  }

  @Test("merging is commutative, associative and idempotent", arguments: 0..<200)
  func laws(seed: Int) {
    var history = History(seed: UInt64(seed))
    for number in history.machines.indices { history.sync(number) }
    for _ in 0..<60 {
      history.step()
      let replicas = history.machines.map(\.replica)
      let chosen = (0..<3).map { _ in replicas.randomElement(using: &history.random) ?? replicas[0]
      }
      #expect(merged(chosen[0], chosen[1]) == merged(chosen[1], chosen[0]))
      #expect(merged(chosen[0], chosen[0]).isSame(as: chosen[0]))
      #expect(
        merged(merged(chosen[0], chosen[1]), chosen[2])
          == merged(chosen[0], merged(chosen[1], chosen[2]))
      )
    }
  }

  @Test("all come to the last change of each value, and forget what is gone", arguments: 0..<200)
  func convergence(seed: Int) {
    var history = History(seed: UInt64(seed))
    for number in history.machines.indices { history.sync(number) }
    for _ in 0..<80 { history.step() }
    var last: [SyncKey: Replica.Register] = [:]
    for machine in history.machines {
      for (key, register) in machine.replica.registers {
        last[key] = max(last[key] ?? register, register)
      }
    }
    for _ in 0..<5 { history.settle() }
    let expected = last.filter { !$0.value.isGone }
    let first = history.machines[0].replica
    for machine in history.machines {
      var known = Replica()
      for (key, register) in expected { known.registers[key] = register }
      #expect(machine.replica.registers == known.registers)
      #expect(machine.replica.isSame(as: first))
    }
  }

  @Test("a machine that was away for long takes back nothing that was changed meanwhile")
  func away() {
    var history = History(seed: 7)
    let key = SyncKey.feed("https://example.com/feed", .followed)
    let early = SyncStamp(of: Date(timeIntervalSince1970: 1), after: 0, by: MachineID(0))
    history.machines = (0..<3).map { History.Machine(id: MachineID($0), clock: 0) }
    history.machines[0].replica.registers[key] = Replica.Register(.yes, early, serial: 1)
    history.machines[0].replica.seen[MachineID(0)] = 1
    for _ in 0..<2 { history.settle() }
    let date = Date(timeIntervalSince1970: 0)
    let late = SyncStamp(of: date, after: early.time, by: MachineID(1))
    history.machines[1].replica.registers[key] = Replica.Register(.none, late, serial: 1)
    history.machines[1].replica.seen[MachineID(1)] = 1
    for _ in 0..<50 {
      history.sync(1)
      history.sync(2)
    }
    #expect(history.machines[2].replica.registers[key]?.isGone == true)
    for _ in 0..<3 { history.settle() }
    #expect(history.machines.allSatisfy { $0.replica.registers.isEmpty })
  }

  @Test("no stamp is so late that none comes behind it")
  func stamps() {
    let far = SyncStamp.time(of: Date(timeIntervalSince1970: 1e18))
    #expect(far < SyncStamp.time(ofChange: 5, after: far))
    #expect(SyncStamp.time(ofChange: 0, after: .max) == .max)
    #expect(SyncStamp.time(ofCopy: .max) == .max)
  }

  private func merged(_ one: Replica, _ other: Replica) -> Replica {
    var all = one
    all.merge(other)
    // The record of what was collected is each replica's own.
    all.collected = 0
    return all
  }
}

extension SyncStamp {
  fileprivate init(of date: Date, after time: UInt64, by machine: MachineID) {
    let time = Self.time(ofChange: Self.time(of: date), after: time)
    self.init(time: time, machine: machine)
  }
}
