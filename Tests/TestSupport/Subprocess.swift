import Synchronization

/// A program that a test runs as a process of its own.
package final class Subprocess {
  package struct Result: Sendable {
    package let output: [UInt8]
    package let errors: [UInt8]
    /// The exit status; 128 + N when signal N ended it.
    package let status: Int32
    /// The time that processors spent on it.
    package let processorTime: Duration

    package var text: String { String(decoding: output, as: UTF8.self) }
    package var errorText: String { String(decoding: errors, as: UTF8.self) }
  }

  package let pid: Int32
  private let streams: [Int32]
  private var isReaped = false

  /// Starts `arguments[0]` (looked up in PATH).
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments.
  ///   - environment: variables set over this process's own; nil removes one.
  ///   - folder: its working directory; nil for this process's.
  ///   - input: its standard input, at most a pipe's 64 KiB.
  ///   - output: a descriptor in place of the pipe for its standard output.
  /// - Throws: `POSIXFailure` when it cannot be started.
  package init(
    _ arguments: [String],
    environment: [String: String?] = [:],
    folder: String? = nil,
    input: String = "",
    output: Int32? = nil,
  ) throws {
    let line = folder.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0] + arguments }
    // A program that another thread starts in between would inherit the descriptors.
    (pid, streams) = try Self.starting.withLock { _ in
      try Self.start(line ?? arguments, environment: environment, input: input, output: output)
    }
  }

  private static let starting = Mutex(())

  private static func start(
    _ arguments: [String],
    environment: [String: String?],
    input: String,
    output: Int32?,
  ) throws -> (Int32, [Int32]) {
    let (stdin, stdout, stderr) = (try Pipe(), try Pipe(), try Pipe())
    defer { for end in [stdin.reader, stdout.writer, stderr.writer] { close(end) } }
    let child = try ChildProcess.start(arguments, environment: environment) { actions in
      posix_spawn_file_actions_adddup2(&actions, stdin.reader, 0)
      posix_spawn_file_actions_adddup2(&actions, output ?? stdout.writer, 1)
      posix_spawn_file_actions_adddup2(&actions, stderr.writer, 2)
    }
    _ = Array(input.utf8).withUnsafeBytes { write(stdin.writer, $0.baseAddress, $0.count) }
    close(stdin.writer)
    return (child, [stdout.reader, stderr.reader])
  }

  deinit {
    guard !isReaped else { return }
    kill(pid, SIGKILL)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    for stream in streams { close(stream) }
  }

  package func send(_ signal: Int32) {
    kill(pid, signal)
  }

  package func goOn() {
    send(SIGCONT)
  }

  /// True if only its exit status is left of it.
  package var hasEnded: Bool {
    var info = siginfo_t()
    return waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0
      && info.si_signo == SIGCHLD
  }

  package var isStopped: Bool {
    var info = siginfo_t()
    return waitid(P_PID, id_t(pid), &info, WSTOPPED | WNOHANG | WNOWAIT) == 0
      && info.si_signo == SIGCHLD
  }

  package func readLine() throws -> String {
    Self.readLine(streams[0])
  }

  package func readErrorLine() throws -> String {
    Self.readLine(streams[1])
  }

  private static func readLine(_ stream: Int32) -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(stream, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }

  /// Reads all its output and waits until it has ended.
  package func wait() throws -> Result {
    var collected: [[UInt8]] = [[], []]
    try drain(into: &collected)
    for stream in streams { close(stream) }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(pid, &status, 0, &usage) < 0, errno == EINTR {}
    isReaped = true
    return Result(
      output: collected[0],
      errors: collected[1],
      status: ChildProcess.exitStatus(status),
      processorTime: Self.duration(usage.ru_utime) + Self.duration(usage.ru_stime),
    )
  }

  private static func duration(_ time: timeval) -> Duration {
    .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
  }

  private func drain(into collected: inout [[UInt8]]) throws {
    var polled = streams.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while polled.contains(where: { $0.fd >= 0 }) {
      guard poll(&polled, nfds_t(polled.count), -1) >= 0 || errno == EINTR else {
        throw POSIXFailure("poll", "pipes")
      }
      for index in polled.indices where polled[index].fd >= 0 && polled[index].revents != 0 {
        let count = read(polled[index].fd, &chunk, chunk.count)
        if count > 0 { collected[index] += chunk[..<count] } else { polled[index].fd = -1 }
      }
    }
  }

  package static func run(
    _ arguments: [String],
    environment: [String: String?] = [:],
    folder: String? = nil,
    input: String = "",
    output: Int32? = nil,
  ) throws -> Result {
    try Subprocess(
      arguments,
      environment: environment,
      folder: folder,
      input: input,
      output: output,
    ).wait()
  }
}

private struct Pipe {
  let reader: Int32
  let writer: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw POSIXFailure("pipe", "") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reader = ends[0]
    writer = ends[1]
  }
}

/// Passes strings as C functions take the arguments and the environment of a program.
func withCStrings<R>(
  _ strings: [String],
  _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R,
) -> R {
  var pointers = strings.map { strdup($0) } + [nil]
  defer { for pointer in pointers { free(pointer) } }
  return body(&pointers)
}
