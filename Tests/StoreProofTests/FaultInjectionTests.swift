import TestSupport
import Testing

@Suite("Every file operation of a save, with every fault", .serialized)
struct FaultInjectionTests {
  /// The faults of each operation: being killed before and after; EINTR; a disk that stays full;
  /// short reads and writes.
  private static let kinds = ["kill", "killafter", "4", "28+", "short"]

  /// Errors that are answered alike: EIO, ENOSPC, EROFS, EDQUOT; a disk that breaks.
  ///
  /// Each operation meets one of them, in a longer run all.
  private static let errors = ["5", "28", "30", "122", "5+"]

  @Test("leaves the old version or the new one, whole", arguments: StoreShape.all)
  func everyFault(shape: StoreShape) throws {
    let (faults, operations) = try Self.faults(of: shape)
    let trial: @Sendable () throws -> FaultTrial = { try FaultTrial(ShapedStore(shape)) }
    let problems = try Parallel.map(faults, workers: trial) { trial, fault in
      try trial.problem(with: fault, operations[fault.operation - 1])
    }
    print("faults: \(shape): \(operations.count) operations, \(faults.count) faults")
    #expect(problems.compactMap(\.self) == [])
    #expect(faults.count > 150)
  }

  @Test(
    "leaves the old version or the new one of stores and commands that chance makes",
    .enabled(if: ProofScale.factor > 1, "a longer run has these: NEWS_PROOF_SCALE"),
  )
  func chance() throws {
    var count = 0
    for round in 1..<ProofScale.factor {
      var chance = Chance(seed: UInt64(round))
      let shape = StoreShape(&chance)
      let (all, operations) = try Self.faults(of: shape)
      let faults = (0..<200).map { _ in all[chance.below(all.count)] }
      let trial: @Sendable () throws -> FaultTrial = { try FaultTrial(ShapedStore(shape)) }
      let problems = try Parallel.map(faults, workers: trial) { trial, fault in
        try trial.problem(with: fault, operations[fault.operation - 1])
      }
      #expect(problems.compactMap(\.self) == [])
      count += faults.count
    }
    print("faults by chance: \(count) in \(ProofScale.factor - 1) stores")
  }

  @Test("fails where a short write counts as a whole one: the proof of the proof")
  func withoutTheLoop() throws {
    let trial = try FaultTrial(ShapedStore(StoreShape.oneStory))
    let nothing = FaultShim.Operation(name: "none", path: "")
    let problem = try trial.problem(
      with: FaultShim.Fault(operation: 0, kind: "short"),
      nothing,
      leavingOut: "short-write",
    )
    #expect(problem?.contains("neither the old nor the new version") == true)
  }

  @Test("goes to the disk in the right order: file, name, folder")
  func order() throws {
    let (_, operations) = try Self.faults(of: StoreShape.oneStory)
    #expect(Self.isDurable(operations))
    for missing in ["fsync-file", "fsync-folder"] {
      let (_, operations) = try Self.faults(of: StoreShape.oneStory, leavingOut: missing)
      #expect(!Self.isDurable(operations), "without \(missing)")
    }
  }

  /// Returns true if each file that gets another's name was synchronized before, and its folder
  /// after.
  private static func isDurable(_ operations: [FaultShim.Operation]) -> Bool {
    let renames = operations.indices.filter { operations[$0].name == "renameat" }
    return !renames.isEmpty
      && renames.allSatisfy { index in
        let temporary = ".\(operations[index].path).new"
        let last = operations[..<index].last { $0.path.hasSuffix(temporary) && $0.name != "close" }
        let next = operations[(index + 1)...].first { $0.name == "fsync" || $0.name == "close" }
        return last?.name == "fsync" && next?.name == "fsync"
      }
  }

  private static func faults(
    of shape: StoreShape,
    leavingOut: String? = nil,
  ) throws -> ([FaultShim.Fault], [FaultShim.Operation]) {
    let store = try ShapedStore(shape)
    let log = try TemporaryFolder()
    let result = try store.run(
      FaultShim.environment(of: store.home, log: log.path("log"), leavingOut: leavingOut)
    )
    try #require(result.status == 0, "\(result.errorText)")
    let operations = try FaultShim.operations(inLog: log.path("log"))
    var faults: [FaultShim.Fault] = []
    for (index, operation) in operations.enumerated() {
      let errors = ProofScale.factor > 1 ? Self.errors : [Self.errors[index % Self.errors.count]]
      for kind in kinds + errors where kind != "short" || operation.transfersBytes {
        faults.append(FaultShim.Fault(operation: index + 1, kind: kind))
      }
    }
    return (faults, operations)
  }
}

extension FaultShim.Operation {
  fileprivate var transfersBytes: Bool {
    ["read", "write", "pread", "pwrite"].contains { name.hasPrefix($0) }
  }
}
