import TestSupport
import Testing

@Suite("A power cut at every operation of a save", .serialized)
struct PowerCutTests {
  private static let reason: Comment =
    "cutting the power of a file system needs root, loop devices and a kernel that knows it"

  @Test(
    "leaves the old version or the new one on ext4, and never loses an acknowledged save",
    .enabled(if: DiskImage.Kind.ext4.isMountable, reason),
  )
  func ext4() throws { try prove(.ext4) }

  @Test(
    "leaves the old version or the new one on xfs, and never loses an acknowledged save",
    .enabled(if: DiskImage.Kind.xfs.isMountable, reason),
  )
  func xfs() throws { try prove(.xfs) }

  private func prove(_ kind: DiskImage.Kind) throws {
    let mark = try PowerCutTrial(kind, stories: 40, command: ["read", "1"])
    let first = try PowerCutTrial(kind, stories: nil, command: ["refresh", "FEED"])
    var cuts = try everyOperation(of: mark, ["cut", "cutafter", "cutcommitted"])
    cuts += try everyOperation(of: first, ["cut"])
    cuts += try chance(kind)
    var acknowledged = 0
    for trial in [mark, first] {
      for _ in 0..<10 * ProofScale.factor {
        let listed = try trial.listedAfterAcknowledgement()
        #expect(listed == trial.new)
        acknowledged += 1
      }
    }
    print("power cuts on \(kind): \(cuts) in saves, \(acknowledged) behind acknowledged ones")
    #expect(cuts + acknowledged >= 100)
    try proveTheProof(mark)
  }

  private func everyOperation(of trial: PowerCutTrial, _ kinds: [String]) throws -> Int {
    #expect(trial.old != trial.new)
    var cuts = 0
    for operation in 1...trial.operations {
      for kind in kinds {
        let fault = FaultShim.Fault(operation: operation, kind: kind)
        let problem = try trial.problem(with: fault)
        #expect(problem == nil)
        cuts += 1
      }
    }
    return cuts
  }

  private static let commands = [
    ["read", "--all"], ["star", "1-3"], ["refresh", "FEED"], ["clear", "--yes"],
  ]

  /// Stores of any size, commands of any kind, in a longer run.
  private func chance(_ kind: DiskImage.Kind) throws -> Int {
    var cuts = 0
    for round in 1..<max(ProofScale.factor, 1) {
      var chance = Chance(seed: UInt64(round))
      let command = Self.commands[chance.below(Self.commands.count)]
      let trial = try PowerCutTrial(kind, stories: 5 + chance.below(2_000), command: command)
      for _ in 0..<50 {
        let operation = 1 + chance.below(trial.operations)
        let how = ["cut", "cutafter", "cutcommitted"][chance.below(3)]
        #expect(try trial.problem(with: .init(operation: operation, kind: how)) == nil)
        cuts += 1
      }
    }
    return cuts
  }

  /// The same tests fail without the steps of the protocol.
  private func proveTheProof(_ trial: PowerCutTrial) throws {
    #expect(try trial.listedAfterAcknowledgement(leavingOut: "fsync-folder") == trial.old)
    let torn = try trial.listedAfterAcknowledgement(leavingOut: "fsync-file")
    #expect(torn != trial.old && torn != trial.new)
    let neither = try trial.listedAfterAcknowledgement(leavingOut: "fsync-file,fsync-folder")
    #expect(neither == trial.old)
  }
}
