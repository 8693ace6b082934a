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
  func ext4() throws { try check(.ext4) }

  @Test(
    "leaves the old version or the new one on xfs, and never loses an acknowledged save",
    .enabled(if: DiskImage.Kind.xfs.isMountable, reason),
  )
  func xfs() throws { try check(.xfs) }

  private func check(_ kind: DiskImage.Kind) throws {
    let proof = try MountNamespace.run { try PowerCutProof(kind) }
    let counts = "\(proof.cuts) in saves, \(proof.acknowledged) behind acknowledged ones"
    print("power cuts on \(kind): \(counts)")
    #expect(proof.problems == [])
    #expect(proof.cuts + proof.acknowledged >= 100)
  }
}

/// Many power cuts on one kind of file system, and what was wrong after them.
private struct PowerCutProof {
  private(set) var cuts = 0
  private(set) var acknowledged = 0
  private(set) var problems: [String] = []

  init(_ kind: DiskImage.Kind) throws {
    let mark = try PowerCutTrial(kind, stories: 40, command: ["read", "1"])
    let first = try PowerCutTrial(kind, stories: nil, command: ["refresh", "FEED"])
    try cutEveryOperation(of: mark, ["cut", "cutafter", "cutcommitted"])
    try cutEveryOperation(of: first, ["cut"])
    try cutByChance(kind)
    for trial in [mark, first] {
      for _ in 0..<10 * ProofScale.factor {
        let listed = try trial.listedAfterAcknowledgement()
        check(listed == trial.new, "\(trial.command), acknowledged: \(listed)")
        acknowledged += 1
      }
    }
    try proveTheProof(mark)
  }

  private mutating func check(_ isTrue: Bool, _ problem: String) {
    if !isTrue { problems.append(problem) }
  }

  private mutating func cutEveryOperation(
    of trial: PowerCutTrial,
    _ kinds: [String],
  ) throws {
    check(trial.old != trial.new, "\(trial.command) changes nothing")
    for operation in 1...trial.operations {
      for kind in kinds { try cut(trial, FaultShim.Fault(operation: operation, kind: kind)) }
    }
  }

  private mutating func cut(_ trial: PowerCutTrial, _ fault: FaultShim.Fault) throws {
    if let problem = try trial.problem(with: fault) { problems.append(problem) }
    cuts += 1
  }

  private static let commands = [
    ["read", "--all"], ["star", "1-3"], ["refresh", "FEED"], ["clear", "--yes"],
  ]

  /// Stores of any size, commands of any kind, in a longer run.
  private mutating func cutByChance(_ kind: DiskImage.Kind) throws {
    for round in 1..<max(ProofScale.factor, 1) {
      var chance = Chance(seed: UInt64(round))
      let command = Self.commands[chance.below(Self.commands.count)]
      let trial = try PowerCutTrial(kind, stories: 5 + chance.below(2_000), command: command)
      for _ in 0..<50 {
        let operation = 1 + chance.below(trial.operations)
        let how = ["cut", "cutafter", "cutcommitted"][chance.below(3)]
        try cut(trial, FaultShim.Fault(operation: operation, kind: how))
      }
    }
  }

  /// The same cuts do harm without the steps of the protocol.
  private mutating func proveTheProof(_ trial: PowerCutTrial) throws {
    let unnamed = try trial.listedAfterAcknowledgement(leavingOut: "fsync-folder")
    check(unnamed == trial.old, "without the folder's fsync: \(unnamed)")
    let torn = try trial.listedAfterAcknowledgement(leavingOut: "fsync-file")
    check(torn != trial.old && torn != trial.new, "without the file's fsync: \(torn)")
    let neither = try trial.listedAfterAcknowledgement(leavingOut: "fsync-file,fsync-folder")
    check(neither == trial.old, "without either fsync: \(neither)")
  }
}
