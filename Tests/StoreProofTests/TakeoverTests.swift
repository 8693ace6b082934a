import TestSupport
import Testing

/// The promises of the page on reliability about a process that was taken over, tried from inside
/// by a library that runs its code as soon as the cage is closed.
@Suite("The process that reads, taken over")
struct TakeoverTests {
  private let folder: TemporaryFolder
  private let library: String

  init() throws {
    folder = try TemporaryFolder()
    library = folder.path("taken-over.so")
    mkdir(folder.path("user"), 0o700)
    try folder.write("secret\n", to: "user/key")
    let source = BuiltProduct.fixture("confinement/taken-over.c")
    let words = ["cc", "-shared", "-fPIC", "-o", library, source, "-ldl", "-lpthread"]
    let compiled = try Subprocess.run(words)
    #expect(compiled.status == 0, Comment(rawValue: compiled.errorText))
  }

  /// Returns the end of each attempt; an attempt that ended the process has "begun" alone.
  private func answers(_ isOnline: Bool, _ attempts: [String]) throws -> [String: String] {
    let other = try Subprocess(["sleep", "1000"])
    let port = try freePort()
    let report = folder.path("report")
    _ = unlink(report)
    let file = BuiltProduct.fixture("reuters/technology.xml")
    let source = isOnline ? "http://127.0.0.1:\(port)/" : file
    _ = try Subprocess.run(
      [try BuiltProduct.path("news"), "parse", source],
      environment: [
        "LD_PRELOAD": library, "HOME": folder.path("user"), "ATTEMPT_REPORT": report,
        "ATTEMPTS": attempts.joined(separator: ";"), "ATTEMPT_FOLDER": folder.path("user"),
        "ATTEMPT_PROCESS": String(other.pid), "ATTEMPT_PORT": String(port),
      ],
    )
    let lines = try readText(report).split(separator: "\n").map { line in
      line.split(separator: ": ", maxSplits: 1).map(String.init)
    }
    return Dictionary(lines.map { ($0[0], $0[1]) }) { $1 }
  }

  @Test(
    "can read the system's files, see what is where, and use memory and threads",
    arguments: [false, true],
  )
  func left(isOnline: Bool) throws {
    let attempts = [
      "read settings", "see the size of a key", "use a file in memory", "start a thread",
      "signal itself",
    ]
    let answers = try answers(isOnline, attempts)
    for attempt in attempts { #expect(answers[attempt] == "done", "\(attempt)") }
  }

  @Test("can call any server where it asks some, and none where it reads texts alone")
  func network() throws {
    let online = try answers(true, ["connect by TCP", "send a datagram"])
    #expect(online["connect by TCP"] == "Connection refused")
    #expect(online["send a datagram"] == "done")
    let offline = try answers(false, ["connect by TCP", "send a datagram", "bind a port of UDP"])
    #expect(Set(offline.values) == ["Permission denied"])
  }

  @Test(
    "is refused files, other processes, sockets of this machine, the terminal, programs",
    arguments: [false, true],
  )
  func refused(isOnline: Bool) throws {
    let own = ["open the terminal", "read accounts"]
    let denied = CageTests.closedByLandlock + CageTests.denied + own
    let ends = [
      ("Permission denied", denied), ("Operation not permitted", CageTests.notPermitted),
      ("Function not implemented", CageTests.unknown),
    ]
    let answers = try answers(isOnline, ends.flatMap(\.1))
    for (end, attempts) in ends {
      for attempt in attempts { #expect(answers[attempt] == end, "\(attempt)") }
    }
  }

  @Test(
    "ends where it changes a file, runs a program, traces, mounts or makes a namespace",
    arguments: CageTests.killed,
  )
  func killed(attempt: String) throws {
    for isOnline in [false, true] {
      #expect(try answers(isOnline, [attempt]) == [attempt: "begun"])
    }
    #expect(try readText(folder.path("user/key")) == "secret\n")
  }
}
