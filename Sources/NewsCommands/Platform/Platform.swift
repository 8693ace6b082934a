/// Every system call of the commands, each result checked; failures are `errno` values.
enum Platform {
  /// Writes all of `bytes`, as often as `write` needs; 0 or the `errno` of the failure.
  static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = write(
        descriptor,
        UnsafeRawBufferPointer(rebasing: rest).baseAddress,
        rest.count,
      )
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if written < 0, errno == EAGAIN {
        // Somebody else made it non-blocking.
        wait(for: POLLOUT, on: descriptor)
      } else if written < 0, errno != EINTR {
        return errno
      }
    }
    return 0
  }

  private static func wait(for events: some BinaryInteger, on descriptor: Int32) {
    var wait = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    _ = poll(&wait, 1, -1)
  }

  /// One line of a descriptor without its line feed; nil at the end of the input.
  ///
  /// Reads byte by byte, so that nothing of the next line is swallowed.
  static func readLine(from descriptor: Int32, maximumBytes: Int = 4096) -> String? {
    var line: [UInt8] = []
    while line.count < maximumBytes {
      var byte: UInt8 = 0
      let count = read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
      if byte == UInt8(ascii: "\n") { break }
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
  }

  static func readFile(_ path: String, maximumBytes: Int) throws(FileReadingError) -> [UInt8] {
    // So that a FIFO does not block.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .system(errno) }
    defer { _ = close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
    if status.st_mode & S_IFMT == S_IFDIR { throw .system(EISDIR) }
    return try readAll(descriptor, maximumBytes: maximumBytes)
  }

  static func readAll(_ descriptor: Int32, maximumBytes: Int) throws(FileReadingError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        // A pipe that a shell made of another command (`<(command)`) has nothing to say yet.
        wait(for: POLLIN, on: descriptor)
        continue
      }
      guard count >= 0 else { throw .system(errno) }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
      guard bytes.count <= maximumBytes else { throw .tooLarge(maximumBytes) }
    }
  }

  /// What is at a path, symbolic links followed; nil when nothing is.
  static func kind(ofPath path: String) -> FileKind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .other
    }
  }

  /// Deletes a file; a missing one is as good.
  static func remove(_ path: String) {
    _ = unlink(path)
  }

  /// Deletes a folder if nothing is in it.
  static func removeFolder(_ path: String) {
    _ = rmdir(path)
  }

  /// Writes a new file for its owner alone, in a folder that is made if need be.
  ///
  /// A file that could not be written whole is deleted again; nobody depends on it.
  static func createFile(_ path: String, in folder: String, bytes: [UInt8]) {
    _ = mkdir(folder, 0o700)
    remove(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    let failure = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
    if close(descriptor) != 0 || failure != 0 { remove(path) }
  }

  static func currentFolder() -> String? {
    guard let buffer = getcwd(nil, 0) else { return nil }
    defer { free(buffer) }
    return String(cString: buffer)
  }

  static func environmentVariable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    return String(cString: value)
  }

  /// The system's words for an `errno`, begun with a small letter.
  static func message(_ code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    let words = String(cString: text)
    return words.prefix(1).lowercased() + words.dropFirst()
  }

  /// The reader of a pipe went away (`EPIPE`).
  static func isClosedPipe(_ code: Int32) -> Bool {
    code == EPIPE
  }
}

enum FileKind: Hashable, Sendable {
  case file
  case folder
  case other
}

enum FileReadingError: Error, Hashable, Sendable, CustomStringConvertible {
  case system(Int32)
  case tooLarge(Int)

  var description: String {
    switch self {
    case .system(let code): Platform.message(code)
    case .tooLarge(let limit): "larger than \(limit) bytes"
    }
  }
}
