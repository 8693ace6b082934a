/// A program that a test runs on a terminal of its own, as a user would see it.
package final class PseudoTerminal {
  private let master: Int32
  private let pid: Int32
  private var isReaped = false
  private var bytes: [UInt8] = []
  private var seen = 0
  private let line: Line

  package enum Line {
    case local
    /// 9,600 baud and 50 ms, for the screen and for keys.
    case slow
  }

  /// The text that the terminal was sent so far, line feeds as `\r\n`.
  package var screen: String { String(decoding: bytes, as: UTF8.self) }

  /// Starts `arguments[0]` (looked up in PATH) with the terminal as its controlling one.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments.
  ///   - columns: the width; 0 for a terminal that does not know its size.
  ///   - rows: the height.
  ///   - environment: variables set over this process's own; nil removes one.
  ///   - line: the line over which output and keys travel.
  /// - Throws: when there is no terminal to be had, or no such program.
  package init(
    _ arguments: [String],
    columns: Int = 80,
    rows: Int = 24,
    environment: [String: String?] = [:],
    line: Line = .local,
  ) throws {
    self.line = line
    let name: String
    (master, name) = try Self.open()
    var size = winsize()
    (size.ws_col, size.ws_row) = (UInt16(columns), UInt16(rows))
    guard ioctl(master, UInt(TIOCSWINSZ), &size) == 0 else { throw POSIXFailure("ioctl", "") }
    pid = try Self.spawn(arguments, on: name, environment)
  }

  deinit {
    if !isReaped {
      kill(-pid, SIGKILL)
      kill(pid, SIGKILL)
      var status: Int32 = 0
      waitpid(pid, &status, 0)
    }
    close(master)
  }

  package func type(_ text: String) {
    travel()
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Reads until the terminal was sent `text`, after the text that an earlier call found.
  ///
  /// - Parameters:
  ///   - text: the expected text.
  ///   - key: typed again whenever the terminal is quiet for a while: Ctrl-C makes the terminal
  ///       forget what was typed at the same time.
  /// - Throws: when the program ends before.
  package func wait(for text: String, retyping key: String? = nil) throws {
    while true {
      if let end = Self.end(of: Array(text.utf8), in: bytes, from: seen) {
        seen = end
        return
      }
      var quiet = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      while let key, poll(&quiet, 1, 200) == 0 { type(key) }
      guard read() else {
        errno = EPIPE
        throw POSIXFailure("wait for \(text) in", screen)
      }
    }
  }

  private static func end(of text: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count - start >= text.count else { return nil }
    let place = (start...(bytes.count - text.count)).first { bytes[$0...].starts(with: text) }
    return place.map { $0 + text.count }
  }

  /// Reads everything and waits until the program has ended.
  ///
  /// - Returns: its exit status; 128 + N when signal N ended it.
  package func end() -> Int32 {
    while read() {}
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    isReaped = true
    return ChildProcess.exitStatus(status)
  }

  private func travel() {
    if line == .slow { poll(nil, 0, 50) }
  }

  /// Reads a piece, and returns false if no process has the terminal open any more.
  private func read() -> Bool {
    travel()
    var chunk = [UInt8](repeating: 0, count: line == .slow ? 48 : 65_536)
    while true {
      let count = Self.read(master, &chunk)
      if count > 0 {
        bytes += chunk[..<count]
        return true
      }
      // Linux answers EIO when the last process has closed the terminal.
      guard count < 0, errno == EINTR else { return false }
    }
  }

  /// Opens the terminal's other side, and returns the path by which programs open it.
  private static func open() throws -> (master: Int32, path: String) {
    #if canImport(Glibc)
    // `posix_openpt` and `unlockpt` do the same; the module of the C library hides them.
    let master = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (number, unlocked) = (UInt32(0), Int32(0))
    guard master >= 0, ioctl(master, setLock, &unlocked) == 0,
      ioctl(master, getNumber, &number) == 0
    else { throw POSIXFailure("open", "/dev/ptmx") }
    return (master, "/dev/pts/\(number)")
    #else
    let master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master)
    else { throw POSIXFailure("posix_openpt", "") }
    return (master, String(cString: name))
    #endif
  }

  private static func read(_ descriptor: Int32, _ chunk: inout [UInt8]) -> Int {
    #if canImport(Glibc)
    Glibc.read(descriptor, &chunk, chunk.count)
    #else
    Darwin.read(descriptor, &chunk, chunk.count)
    #endif
  }

  private static func spawn(
    _ arguments: [String],
    on terminal: String,
    _ changes: [String: String?],
  ) throws -> Int32 {
    try ChildProcess.start(arguments, environment: changes, flags: newSession) { actions in
      // The first terminal that the leader of a session opens becomes the session's.
      posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
    }
  }
}

#if canImport(Glibc)
/// `TIOCSPTLCK`, `TIOCGPTN` and `POSIX_SPAWN_SETSID`, which the module of the C library hides.
private let setLock: UInt = 0x4004_5431
private let getNumber: UInt = 0x8004_5430
private let newSession: Int16 = 0x80
#else
private let newSession = Int16(POSIX_SPAWN_SETSID)
#endif
