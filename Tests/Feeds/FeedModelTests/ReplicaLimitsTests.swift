import Testing

@testable import FeedModel

@Suite("What a file makes up is the first to go where there is not room for all")
struct ReplicaLimitsTests {
  private let own = MachineID(7)
  private let other = MachineID(3)
  private var limits = ReplicaLimits()

  init() {
    (limits.marks, limits.settings, limits.machines, limits.settingBytes) = (20, 20, 10, 20_000)
  }

  private func register(
    _ value: SyncValue,
    _ time: UInt64,
    by machine: MachineID,
  ) -> Replica.Register {
    Replica.Register(value, SyncStamp(time: time, machine: machine), serial: 4)
  }

  private func fitted(_ replica: Replica, machines: Int? = nil) -> Replica {
    var (replica, limits) = (replica, limits)
    limits.machines = machines ?? limits.machines
    replica.fit(of: own, besides: [other], within: limits) { key in
      switch key {
      case .story(let story, _): story < 5
      case .feed(let url, _): url == "https://example.com/feed"
      case .rule, .ruleOrder: false
      }
    }
    return replica
  }

  @Test("what fits stays as it is")
  func small() {
    var replica = Replica()
    replica.registers[.story(9, .read)] = register(.yes, 5, by: other)
    replica.seen = [own: 4, other: 4, MachineID(5): 1]
    #expect(fitted(replica) == replica)
  }

  @Test("marks of stories that are here stay, and those that were made here")
  func marks() {
    var replica = Replica()
    for story in UInt64(100)..<1100 {
      replica.registers[.story(story, .read)] = register(.yes, 90, by: other)
    }
    for story in 0..<5 {
      replica.registers[.story(UInt64(story), .read)] = register(.none, 1, by: other)
    }
    for story in 10..<15 {
      replica.registers[.story(UInt64(story), .read)] = register(.yes, 1, by: own)
    }
    let rest = fitted(replica).registers
    #expect(rest.count == limits.marks)
    for story in Array(0..<5) + Array(10..<15) {
      let key = SyncKey.story(UInt64(story), .read)
      #expect(rest[key] == replica.registers[key])
    }
  }

  @Test("marks of stories that are not here have less room than all, and the newest of them stay")
  func otherMarks() {
    var (replica, limits) = (Replica(), limits)
    limits.otherMarks = 4
    for story in UInt64(0)..<12 {
      replica.registers[.story(story, .read)] = register(.yes, story, by: other)
    }
    replica.fit(of: own, besides: [other], within: limits) { key in
      if case .story(let story, _) = key { story < 5 } else { false }
    }
    #expect(replica.registers.marks.rows.map(\.story) == [0, 1, 2, 3, 4, 8, 9, 10, 11])
  }

  @Test("marks of stories that are not here are dropped when they are old, or of no time near this")
  func dropped() {
    var replica = Replica()
    for story in UInt64(0)..<10 {
      replica.registers[.story(story, .read)] = register(.yes, story * 10, by: other)
      replica.registers[.story(story, .tag("a"))] = register(.text("a"), story * 10, by: other)
    }
    replica.dropMarks(outside: 30...60, except: [1, 9])
    let stories = replica.registers.marks.rows.map(\.story)
    #expect(stories == [1, 3, 4, 5, 6, 9])
    #expect(replica.registers.others.count == stories.count)
  }

  @Test("settings that are long or many leave room for those of feeds that are here")
  func settings() {
    let long = SyncValue.texts((0..<10).map { String(repeating: "\($0)", count: 400) })
    var replica = Replica()
    for number in 0..<1000 {
      let key = SyncKey.feed("https://example.org/\(number)", .tags)
      replica.registers[key] = register(long, 90, by: other)
    }
    let title = SyncKey.feed("https://example.com/feed", .title)
    replica.registers[title] = register(.text("Mine"), 1, by: own)
    let rest = fitted(replica).registers
    #expect(rest[title] == replica.registers[title])
    #expect(rest.count == 3)
  }

  @Test(
    "machines that are made up go, and what they have marked here is told as if it were done here"
  )
  func machines() {
    var replica = Replica()
    for number in UInt64(100)..<1100 {
      replica.seen[MachineID(number)] = 1
      replica.registers[.story(number, .read)] = register(.yes, 90, by: MachineID(number))
    }
    replica.seen[own] = 4
    replica.seen[other] = 2
    for story in 0..<5 {
      let key = SyncKey.story(UInt64(story), .starred)
      replica.registers[key] = register(.yes, 50, by: MachineID(UInt64(2000 + story)))
    }
    let rest = fitted(replica, machines: 2)
    #expect(rest.seen == [own: 4, other: 2])
    for story in 0..<5 {
      #expect(rest.registers[.story(UInt64(story), .starred)] == register(.yes, 50, by: own))
    }
    #expect(fitted(replica).seen.count <= limits.machines)
  }
}
