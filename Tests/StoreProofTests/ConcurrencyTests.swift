import Synchronization
import TestSupport
import Testing

@Suite("Eight writers and four readers, three in ten writers killed", .serialized)
struct ConcurrencyTests {
  @Test("lose nothing that was acknowledged, double nothing, and never see less than before")
  func soak() throws {
    var all = SoakResult()
    // Each soak has a store of its own, for a save takes longer the more stories there are.
    for number in 0..<3 * ProofScale.factor {
      let soak = try Soak(number, rounds: 2, saves: 3, stories: 1_200)
      all.add(try soak.run(readers: 4))
    }
    print("concurrency: \(all)")
    #expect(all.problems == [])
    #expect(all.acknowledged >= 100_000)
    #expect(all.killed > 10)
    #expect(all.reads > 8)
  }

  @Test("wait for one that stands still in a save, and lose nothing")
  func oneIsStopped() throws {
    #expect(try storiesOfTwo() == 20)
  }

  @Test("lose stories without the lock: the proof of the proof")
  func withoutLock() throws {
    #expect(try storiesOfTwo(leavingOut: "flock") == 10)
  }

  @Test("lose stories where what is read under the lock is what was read before it")
  func staleReads() throws {
    let soak = try Soak(rounds: 2, saves: 10, stories: 10, leavingOut: "reread")
    let result = try soak.run(readers: 0)
    #expect(!result.problems.isEmpty)
  }

  /// Returns the number of stories after two writers of ten each.
  ///
  /// The second starts while the first stands still between reading and writing; without the lock
  /// it does not wait.
  private func storiesOfTwo(leavingOut: String? = nil) throws -> Int {
    let folder = try TemporaryFolder()
    let writing = try operationOfWriting(folder, leavingOut)
    let (home, log) = (folder.path("home"), folder.path("log of the second"))
    let probe = try BuiltProduct.path("StoreProbe")
    let stop = FaultShim.Fault(operation: writing, kind: "stop")
    let first = try Subprocess(
      [probe, "add", home, "first", "1", "10"],
      environment: FaultShim.environment(of: home, fault: stop, leavingOut: leavingOut),
    )
    waitUntil { first.isStopped }
    let second = try Subprocess(
      [probe, "add", home, "second", "1", "10"],
      environment: FaultShim.environment(of: home, log: log, leavingOut: leavingOut),
    )
    waitUntil { second.hasEnded || (try? readText(log).contains(" flock ")) == true }
    first.goOn()
    #expect(try first.wait().status == 0)
    #expect(try second.wait().status == 0)
    return try Subprocess.run([probe, "list", home]).text.split(separator: "\n").count
  }

  private func operationOfWriting(
    _ folder: TemporaryFolder,
    _ leavingOut: String?,
  ) throws -> Int {
    let home = folder.path("counted")
    let shim = try FaultShim.environment(of: home, log: folder.path("log"), leavingOut: leavingOut)
    _ = try Subprocess.run(
      [BuiltProduct.path("StoreProbe"), "add", home, "w", "1", "10"],
      environment: shim,
    )
    let operations = try FaultShim.operations(inLog: folder.path("log"))
    let index = operations.firstIndex { $0.path.hasSuffix(".newsdata.plist.new") }
    return try #require(index) + 1
  }
}

struct Soak {
  /// The number by which the places differ at which writers are killed.
  let number: Int
  let rounds: Int
  /// The saves of one start, and the stories of one save.
  let saves: Int
  let stories: Int
  let leavingOut: String?
  private let folder: TemporaryFolder
  private let probe: String
  private let state = SoakState()

  static let writers = 8

  init(
    _ number: Int = 0,
    rounds: Int,
    saves: Int,
    stories: Int,
    leavingOut: String? = nil,
  ) throws {
    self.number = number
    self.rounds = rounds
    self.saves = saves
    self.stories = stories
    self.leavingOut = leavingOut
    folder = try TemporaryFolder()
    probe = try BuiltProduct.path("StoreProbe")
  }

  private var home: String { folder.path("home") }

  func run(readers: Int) throws -> SoakResult {
    let writing = try (0..<Self.writers).map { writer in
      try TestThread { state.perform { try write(writer) } }
    }
    let reading = try (0..<readers).map { _ in try TestThread { state.perform(readAll) } }
    for thread in writing { thread.join() }
    state.stop()
    for thread in reading { thread.join() }
    return try judge()
  }

  private func write(_ writer: Int) throws {
    for round in 0..<rounds {
      // By a fixed pattern three starts of ten are killed, each at another operation.
      let start = (number * Self.writers + writer) * rounds + round
      let isKilled = leavingOut == nil && start % 10 < 3
      let fault = FaultShim.Fault(operation: 5 + start * 7 % (40 * saves), kind: "kill")
      let result = try Subprocess.run(
        [probe, "add", home, "w\(start)", "\(saves)", "\(stories)"],
        environment: FaultShim.environment(
          of: home,
          fault: isKilled ? fault : nil,
          leavingOut: leavingOut,
        ),
      )
      state.note(result, mayFail: leavingOut != nil)
    }
  }

  private func readAll() throws {
    var seen: Set<Substring> = []
    while !state.isStopped {
      let now = try links()
      let missing = seen.subtracting(now).count
      state.noteRead(missing: missing)
      seen = Set(now)
    }
  }

  private func links() throws -> [Substring] {
    let result = try Subprocess.run([probe, "list", home])
    guard result.status == 0 else {
      state.note(problem: "a reader failed: \(result.errorText)")
      return []
    }
    return result.text.split(separator: "\n")
  }

  private func judge() throws -> SoakResult {
    var counts: [Substring: Int] = [:]
    for link in try links() { counts[link, default: 0] += 1 }
    var result = try state.result()
    var missing = 0
    for save in result.saves {
      missing += (0..<stories).count { counts["\(save)-\($0)"] == nil }
    }
    if missing > 0 { result.problems.append("\(missing) acknowledged stories are lost") }
    let doubled = counts.values.count { $0 > 1 }
    if doubled > 0 { result.problems.append("\(doubled) stories are there twice") }
    if counts.count % stories != 0 { result.problems.append("a save is there in part") }
    result.acknowledged = result.saves.count * stories
    result.stored = counts.count
    return result
  }
}

struct SoakResult: CustomStringConvertible {
  var saves: [String] = []
  var acknowledged = 0
  var stored = 0
  var killed = 0
  var reads = 0
  var problems: [String] = []

  mutating func add(_ other: SoakResult) {
    saves += other.saves
    acknowledged += other.acknowledged
    stored += other.stored
    killed += other.killed
    reads += other.reads
    problems += other.problems
  }

  var description: String {
    "\(acknowledged) stories acknowledged in \(saves.count) saves, \(stored) stored, "
      + "\(killed) writers killed, \(reads) reads, \(problems.count) problems"
  }
}

final class SoakState: Sendable {
  private struct State {
    var result = SoakResult()
    var isStopped = false
    var error: (any Error)?
  }

  private let state = Mutex(State())

  var isStopped: Bool { state.withLock { $0.isStopped } }

  func stop() {
    state.withLock { $0.isStopped = true }
  }

  func perform(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      state.withLock { $0.error = $0.error ?? error }
    }
  }

  func note(_ run: Subprocess.Result, mayFail: Bool) {
    state.withLock { state in
      for line in run.text.split(separator: "\n") where line.hasPrefix("saved ") {
        state.result.saves.append(String(line.dropFirst(6)))
      }
      if run.status == 137 {
        state.result.killed += 1
      } else if run.status != 0, !mayFail {
        state.result.problems.append("a writer failed: \(run.errorText)")
      }
    }
  }

  func noteRead(missing: Int) {
    state.withLock { state in
      state.result.reads += 1
      if missing > 0 { state.result.problems.append("a reader saw \(missing) stories vanish") }
    }
  }

  func note(problem: String) {
    state.withLock { $0.result.problems.append(problem) }
  }

  func result() throws -> SoakResult {
    try state.withLock { state in
      if let error = state.error { throw error }
      return state.result
    }
  }
}
