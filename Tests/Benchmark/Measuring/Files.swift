internal import System
internal import TestSupport

enum Files {
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ action: String, _ path: String) {
      description = "cannot \(action) \(path): \(POSIX.errorMessage(errno))"
    }
  }

  static func read(_ path: String) throws -> [UInt8] {
    try POSIX.readFile(path, maximumBytes: .max)
  }

  static func copy(_ folder: String, to copy: String) throws {
    try Subprocess.expectSuccess(
      ["sh", "-c", "rm -rf \"$1\" && cp -Rp \"$0\" \"$1\"", folder, copy]
    )
  }

  static func complain(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(2, bytes, bytes.count)
  }

  /// Costs what the disk takes at the least: create, write, fsync, close.
  static func writeDurably(_ bytes: [UInt8], to path: String) throws {
    unlink(path)
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { throw Failure("create", path) }
    defer { close(file) }
    guard bytes.withUnsafeBytes({ POSIX.writeAll($0, to: file) }) == 0 else {
      throw Failure("write", path)
    }
    guard fsync(file) == 0 else { throw Failure("synchronize", path) }
  }
}
