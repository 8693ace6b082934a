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

  /// Cuts three at a time: a cut waits for the kernel most of its time.
  private func check(_ kind: DiskImage.Kind) throws {
    let work = try MountNamespace.run { try PowerCutBench(kind).work }
    let bench: @Sendable () throws -> PowerCutBench = {
      try MountNamespace.enter()
      return try PowerCutBench(kind)
    }
    var problems = try Parallel.map(work, workers: bench) { try $0.problem(with: $1) }
    problems += try MountNamespace.run {
      try PowerCutBench(kind).proveTheProof() + PowerCutBench.cutByChance(kind)
    }
    print("power cuts on \(kind): \(work.count)")
    #expect(problems.compactMap(\.self) == [])
    #expect(work.count >= 100)
  }
}

/// The commands whose power is cut on one kind of file system, each on its own disks.
private struct PowerCutBench {
  /// A cut at an operation of a command, or behind its end where there is no fault.
  struct Work {
    let trial: Int
    let fault: FaultShim.Fault?
  }

  private let trials: [PowerCutTrial]

  init(_ kind: DiskImage.Kind) throws {
    trials = [
      try PowerCutTrial(kind, stories: 40, command: ["read", "1"]),
      try PowerCutTrial(kind, stories: nil, command: ["refresh", "FEED"]),
    ]
  }

  var work: [Work] {
    zip(trials.indices, [["cut", "cutafter", "cutcommitted"], ["cut"]]).flatMap { index, kinds in
      let faults = (1...trials[index].operations).flatMap { operation in
        kinds.map { FaultShim.Fault(operation: operation, kind: $0) }
      }
      let ends = [FaultShim.Fault?](repeating: nil, count: 10 * ProofScale.factor)
      return (faults + ends).map { Work(trial: index, fault: $0) }
    }
  }

  func problem(with work: Work) throws -> String? {
    let trial = trials[work.trial]
    if let fault = work.fault { return try trial.problem(with: fault) }
    let listed = try trial.listedAfterAcknowledgement()
    return listed == trial.new ? nil : "\(trial.command), acknowledged: \(listed)"
  }

  private static let commands = [
    ["read", "--all"], ["star", "1-3"], ["refresh", "FEED"], ["clear", "--yes"],
  ]

  /// Returns the harm of cuts with stores of any size and any command, in a longer run.
  static func cutByChance(_ kind: DiskImage.Kind) throws -> [String?] {
    try (1..<max(ProofScale.factor, 1)).flatMap { round in
      var chance = Chance(seed: UInt64(round))
      let command = commands[chance.below(commands.count)]
      let trial = try PowerCutTrial(kind, stories: 5 + chance.below(2_000), command: command)
      return try (0..<50).map { _ in
        let operation = 1 + chance.below(trial.operations)
        let how = ["cut", "cutafter", "cutcommitted"][chance.below(3)]
        return try trial.problem(with: FaultShim.Fault(operation: operation, kind: how))
      }
    }
  }

  /// Expects harm from cuts without the steps of the protocol, and returns those that do none.
  func proveTheProof() throws -> [String] {
    let mark = trials[0]
    let unnamed = try mark.listedAfterAcknowledgement(leavingOut: "fsync-folder")
    let torn = try mark.listedAfterAcknowledgement(leavingOut: "fsync-file")
    let neither = try mark.listedAfterAcknowledgement(leavingOut: "fsync-file,fsync-folder")
    return [
      unnamed == mark.old ? nil : "without the folder's fsync: \(unnamed)",
      torn != mark.old && torn != mark.new ? nil : "without the file's fsync: \(torn)",
      neither == mark.old ? nil : "without either fsync: \(neither)",
    ].compactMap(\.self)
      + trials.filter { $0.old == $0.new }.map { "\($0.command) changes nothing" }
  }
}
