internal import System
internal import TestSupport

/// Files as the benchmark needs them.
enum Files {
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ action: String, _ path: String) {
      description = "cannot \(action) \(path): \(String(cString: strerror(errno)))"
    }
  }

  static func read(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw Failure("open", path) }
    defer { close(file) }
    let size = Int(lseek(file, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: size)
    guard pread(file, &bytes, size, 0) == size else { throw Failure("read", path) }
    return bytes
  }

  /// Makes a folder a copy of another, whatever it was.
  static func copy(_ folder: String, to copy: String) throws {
    try Subprocess.expectSuccess(
      ["sh", "-c", "rm -rf \"$1\" && cp -Rp \"$0\" \"$1\"", folder, copy]
    )
  }

  /// Writes a line to standard error.
  static func complain(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(2, bytes, bytes.count)
  }

  /// What the disk takes for so many bytes: create, write, fsync, close.
  static func writeDurably(_ bytes: [UInt8], to path: String) throws {
    unlink(path)
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { throw Failure("create", path) }
    defer { close(file) }
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Failure("write", path) }
      start += count
    }
    guard fsync(file) == 0 else { throw Failure("synchronize", path) }
  }
}
