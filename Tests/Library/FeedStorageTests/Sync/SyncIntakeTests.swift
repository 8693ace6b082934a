import FeedModel
import PropertyLists
import Testing

@testable import FeedStorage

@Suite("Of what another machine says there is room for a share, and for what is here")
struct SyncIntakeTests {
  private let other = MachineID(0xFF)
  private let share = ReplicaLimits.share

  private func register(_ value: SyncValue, _ time: Int) -> Replica.Register {
    Replica.Register(value, SyncStamp(time: UInt64(time), machine: other), serial: 1)
  }

  private func state(_ registers: SyncRegisters = SyncRegisters()) -> SyncState {
    var state = SyncState(machine: other, origin: "")
    state.replica.registers = registers
    state.replica.seen = [other: 9]
    return state
  }

  private func marks(_ stories: some Sequence<Int>) -> SyncRegisters {
    var registers = SyncRegisters()
    registers.marks = MarkTable(
      stories.map {
        MarkTable.Row(MarkTable.Key(UInt64($0), .flag(.read)), register(.yes, $0 + 1))
      }
    )
    return registers
  }

  private func intake(
    here: Set<UInt64> = [],
    own: SyncRegisters = SyncRegisters(),
  ) -> SyncIntake {
    SyncIntake(latest: .max >> 2, own: own) { here }
  }

  private func read(_ state: SyncState, _ intake: SyncIntake) throws -> SyncFile {
    try SyncFile(SyncFile(state).bytes(isShared: true), from: "x", intake)
  }

  @Test("marks of stories that are not here are the newest, as many as one may bring")
  func newest() throws {
    let extra = 1_000
    let all = marks(0..<share.otherMarks + extra)
    let file = try read(state(all), intake(here: [3, 5]))
    let taken = file.state.replica.registers.marks
    #expect(taken.count == share.otherMarks + 2)
    #expect(taken.rows.map(\.story).prefix(3) == [3, 5, UInt64(extra)])
    #expect(
      file.omissions
        == [
          "more than \(share.otherMarks) marks of stories that are not here: the newest are taken"
        ]
    )
    // A machine that has not taken all changes does not confirm them.
    let contents = SyncFolder.Contents(file, from: "peer")
    #expect(contents.known.seen.isEmpty && contents.machines[0].seen == [other: 9])
    #expect(contents.omissions[0].hasPrefix("peer: more than"))
  }

  @Test("what makes out of date what is known takes no room, however old it is")
  func outdated() throws {
    var own = SyncRegisters()
    own[.story(1, .read)] = register(.none, 1)
    own[.story(2, .read)] = register(.none, 7)
    let all = marks(0..<share.otherMarks + 10)
    let taken = try read(state(all), intake(own: own)).state.replica.registers
    #expect(taken[.story(1, .read)]?.value == .yes)
    #expect(taken[.story(2, .read)] == nil)
  }

  @Test("several have together no more room than the whole")
  func whole() throws {
    var intake = intake()
    let limit = ReplicaLimits.sent.otherMarks
    intake.known = marks(0..<limit - 100)
    let count = limit..<limit + 1_000
    let file = try read(state(marks(count)), intake)
    #expect(file.state.replica.registers.marks.count == 100)
    #expect(file.omissions.count == 1)
    let same = try read(state(marks(0..<limit - 100)), intake)
    #expect(same.state.replica.registers.marks.count == limit - 100)
  }

  @Test("tags and settings have room for a share, and what is known is taken in any case")
  func values() throws {
    var (all, own) = (SyncRegisters(), SyncRegisters())
    for story in 0..<share.tags + 100 {
      all[.story(UInt64(story), .tag("a"))] = register(.text("a"), story + 1)
    }
    own[.story(1, .tag("a"))] = register(.text("a"), 0)
    for number in 0..<share.settings + 100 {
      all[.feed("https://example.org/\(number)", .followed)] = register(.yes, 1)
    }
    own[.feed("https://example.org/1", .followed)] = register(.yes, 0)
    let file = try read(state(all), intake(own: own))
    let taken = file.state.replica.registers.others
    let tags = taken.keys.count { if case .story = $0 { true } else { false } }
    #expect(tags == share.tags + 1 && taken.count - tags <= share.settings + 1)
    #expect(taken[.story(1, .tag("a"))] != nil)
    #expect(taken[.feed("https://example.org/1", .followed)] != nil)
    #expect(file.omissions.count == 2)
  }

  @Test("settings that refer to one long list again and again end where there is no more room")
  func expansion() throws {
    let long = PropertyListValue.array(
      (0..<1_000).map { .string("\($0)" + String(repeating: "x", count: 190)) }
    )
    var dictionary: PropertyListDictionary = [
      "version": .integer(1), "machine": .string("\(other)"),
      "machines": .array([.string("\(other)")]), "seen": .array([.integer(1)]),
      "marks": .data([]),
    ]
    dictionary["settings"] = .array(
      (0..<100).map {
        .dictionary([
          "feed": .string("https://example.org/\($0)"), "what": .string("tags"), "value": long,
          "time": .integer(1), "machine": .integer(0), "serial": .integer(1),
        ])
      }
    )
    let bytes = PropertyList.encode(.dictionary(dictionary))
    let file = try SyncFile(bytes, from: "x", intake())
    #expect((1..<80).contains(file.state.replica.registers.others.count))
    #expect(
      file.omissions == ["more settings and rules than there is room for: the others are taken"]
    )
  }

  @Test("an XML list of another machine is small")
  func xml() {
    let bytes = Array("<plist><dict></dict></plist>".utf8) + [UInt8](repeating: 32, count: 1 << 20)
    #expect(throws: StorageError.tooLarge(path: "x", limit: 1 << 20)) {
      try SyncFile(bytes, from: "x", intake())
    }
  }
}
