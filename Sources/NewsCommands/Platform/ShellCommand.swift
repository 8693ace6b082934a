#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A command of the user's, run by a shell for what it prints.
///
/// It reads nothing of our standard input, and nobody sees what it says on standard error, which
/// may be the password just as well.
struct ShellCommand: Sendable {
  /// What came of it.
  struct Answer: Hashable, Sendable {
    /// Without its end.
    let firstLine: String
    /// 128 and the number of the signal that ended it; 127 where there is no such program.
    let status: Int32
  }

  private static let maximumBytes = 4_096

  private let process: pid_t
  private let output: Int32
  private let isGroup: Bool

  /// Starts it; nil where that cannot be done.
  init?(_ command: String) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    let null = open("/dev/null", O_RDWR)
    defer { for end in [ends[1], null] where end >= 0 { _ = close(end) } }
    for end in ends + [null] where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // With a terminal it stays in our process group, without which it could not ask there.
    isGroup = isatty(0) == 0
    let process = SystemCalls.spawn(
      ["/bin/sh", "-c", command],
      copying: [(null, 0), (ends[1], 1), (null, 2)],
      isGroup: isGroup,
    )
    guard null >= 0, let process else {
      _ = close(ends[0])
      return nil
    }
    (self.process, output) = (process, ends[0])
  }

  /// Reads all that it prints, and waits for its end; to be called once.
  func answer() -> Answer {
    var first: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: Self.maximumBytes)
    while true {
      let count = read(output, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      first += piece[..<min(count, Self.maximumBytes - first.count)]
    }
    _ = close(output)
    let line = first.prefix { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
    return Answer(
      firstLine: String(decoding: line, as: UTF8.self),
      status: SystemCalls.wait(for: process),
    )
  }

  /// Ends it, with all that it has started where that is known.
  func kill() {
    #if canImport(Glibc)
    _ = Glibc.kill(isGroup ? -process : process, SIGKILL)
    #else
    _ = Darwin.kill(isGroup ? -process : process, SIGKILL)
    #endif
  }
}
