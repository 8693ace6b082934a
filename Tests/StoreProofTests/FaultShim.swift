import TestSupport

/// `Fixtures/store/faultshim.c`, compiled once: loaded into a program, it makes one of its file
/// operations fail.
enum FaultShim {
  private static let library = Result { try Library() }

  struct Fault: Hashable, CustomStringConvertible {
    /// The number of the operation, from 1.
    let operation: Int
    /// The kind by the C source's names: `kill`, `cut`, an errno and so on.
    let kind: String

    var description: String { "\(kind) at operation \(operation)" }
  }

  static func environment(
    of folder: String,
    fault: Fault? = nil,
    log: String? = nil,
    leavingOut: String? = nil,
    mount: String? = nil,
    memory: String? = nil,
  ) throws -> [String: String?] {
    [
      "LD_PRELOAD": try library.get().path, "FS_DIR": folder, "FS_LOG": log,
      "FS_AT": fault.map { String($0.operation) }, "FS_DO": fault?.kind,
      "FS_NOOP": leavingOut, "FS_MOUNT": mount, "FS_MEMORY": memory,
      "SWIFT_BACKTRACE": "enable=no",
    ]
  }

  static func operations(inLog path: String) throws -> [Operation] {
    try readText(path).split(separator: "\n").map { line in
      let words = line.split(separator: " ", maxSplits: 2)
      return Operation(name: String(words[1]), path: words.count > 2 ? String(words[2]) : "")
    }
  }

  struct Operation: Hashable {
    let name: String
    let path: String
  }

  private final class Library: Sendable {
    private let folder: TemporaryFolder
    let path: String

    init() throws {
      folder = try TemporaryFolder()
      path = folder.path("faultshim.so")
      let source = BuiltProduct.fixture("store/faultshim.c")
      try Shell.run(
        "cc -shared -fPIC -O1 -Wall -Wextra -o \"$0\" \"$1\" -ldl",
        [path, source],
      )
    }
  }
}
