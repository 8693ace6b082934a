import TestSupport
import Testing

@Suite("A process in a cage")
struct CageTests {
  private let folder: TemporaryFolder
  private let library: String

  init() throws {
    folder = try TemporaryFolder()
    library = folder.path("attempts.so")
    mkdir(folder.path("user"), 0o700)
    try folder.write("secret\n", to: "user/key")
    let source = BuiltProduct.fixture("confinement/attempts.c")
    let words = ["cc", "-Wall", "-shared", "-fPIC", "-o", library, source, "-ldl", "-lpthread"]
    let compiled = try Subprocess.run(words)
    #expect(compiled.status == 0, Comment(rawValue: compiled.errorText))
  }

  /// Returns the end of each attempt as seen from inside; "outcome" names the walls that stand.
  private func answers(_ cage: String, _ attempts: [String]) throws -> [String: String] {
    let other = try Subprocess(["sleep", "1000"])
    let result = try Subprocess.run(
      [try BuiltProduct.path("StoreProbe"), "caged", cage, library] + attempts,
      environment: [
        "ATTEMPT_FOLDER": folder.path("user"), "ATTEMPT_PROCESS": String(other.pid),
        "ATTEMPT_PORT": String(try freePort()),
      ],
    )
    let lines = result.text.split(separator: "\n").map {
      $0.split(separator: ": ").map(String.init)
    }
    return Dictionary(lines.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { $1 }
  }

  static let closedByLandlock = [
    "read a key", "list a folder", "read the environment of another",
  ]

  static let killed = [
    "chmod", "fchmod", "chown", "setxattr", "removexattr", "utimes", "truncate", "unlink", "rename",
    "link", "symlink", "mkdir", "mkfifo", "run a shell", "queue a signal", "trace another",
    "read memory of another", "make a user namespace", "enter a namespace", "mount", "count events",
    "load a kernel's program", "read the kernel's keys",
  ]

  static let denied = [
    "write a file", "append to a file", "cut a file by opening it", "make a file without a name",
    "open its own memory", "connect to a socket of a path", "send to a socket of a path",
  ]

  static let notPermitted = [
    "signal another", "signal all", "signal its parent", "signal a thread of another",
  ]

  static let unknown = [
    "fork", "clone into a user namespace", "have input signal another", "read limits of another",
    "make a ring", "type in the terminal", "make a pair for datagrams",
  ]

  @Test(
    "writes, runs, signals, traces and mounts nothing, reads no key, and calls nobody on this machine",
    arguments: ["offline", "online"],
  )
  func refused(cage: String) throws {
    let attempts =
      Self.closedByLandlock + Self.killed + Self.denied + Self.notPermitted + Self.unknown
    let answers = try answers(cage, attempts)
    let walls = try #require(answers["outcome"])
    if walls.contains("landlock") {
      for attempt in Self.closedByLandlock {
        #expect(answers[attempt] == "permission denied", "\(attempt)")
      }
    }
    guard walls.contains("seccomp") else { return }
    let ends = [
      ("killed by \(SIGSYS)", Self.killed), ("permission denied", Self.denied),
      ("operation not permitted", Self.notPermitted), ("function not implemented", Self.unknown),
    ]
    for (end, attempts) in ends {
      for attempt in attempts { #expect(answers[attempt] == end, "\(attempt)") }
    }
    print("the walls of a cage (\(walls)): \(answers["microseconds"] ?? "-") microseconds")
  }

  private static let work = [
    "start a thread", "load libraries", "use memory", "use a file in memory", "read settings",
    "make a pair of streams", "ask for a terminal", "signal itself",
  ]

  @Test("does what reading needs", arguments: ["offline", "online"])
  func allowed(cage: String) throws {
    let answers = try answers(cage, Self.work + ["abort"])
    for attempt in Self.work { #expect(answers[attempt] == "done", "\(attempt)") }
    #expect(answers["abort"] == "killed by \(SIGABRT)")
  }

  @Test("connects to servers where it is to, and serves nobody")
  func network() throws {
    let attempts = [
      "open a raw socket", "open a packet socket", "talk with the kernel's audit", "connect by TCP",
      "bind a port of TCP", "bind a port of UDP", "listen",
    ]
    let offline = try answers("offline", attempts)
    for attempt in attempts where offline["outcome"] == "landlock seccomp" {
      #expect(offline[attempt] == "permission denied", "\(attempt)")
    }
    let online = try answers("online", attempts + ["look up a host"])
    #expect(online["look up a host"] == "done")
    #expect(online["connect by TCP"] == "connection refused")
    guard online["outcome"]?.contains("seccomp") == true else { return }
    for attempt in attempts.prefix(3) + attempts[4...5] {
      #expect(online[attempt] == "function not implemented", "\(attempt)")
    }
    #expect(online["listen"] == "killed by \(SIGSYS)")
  }
}
