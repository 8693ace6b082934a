import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What a process owes its surroundings before and while it works.
extension SystemCalls {
  /// Opens `/dev/null` on each of the descriptors 0 to 2 that the caller closed.
  ///
  /// Otherwise the first file opened becomes standard error, and messages are written into it.
  static func openStandardDescriptors() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      let opened = open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY)
      if opened >= 0, opened != descriptor { _ = close(opened) }
    }
  }

  /// A closed pipe and a file over the size limit are errors of `write`, not deaths.
  static func ignoreSignals() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// Notes SIGINT and SIGTERM instead of dying, and writes a byte to a descriptor; a second one
  /// kills.
  static func noteInterruptions(waking descriptor: Int32?) {
    Interruption.received.store(0, ordering: .relaxed)
    Interruption.descriptor.store(descriptor ?? -1, ordering: .relaxed)
    var action = sigaction()
    #if canImport(Glibc)
    action.__sigaction_handler.sa_handler = Interruption.handler
    #else
    action.__sigaction_u.__sa_handler = Interruption.handler
    #endif
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
    for number in [SIGINT, SIGTERM] { _ = sigaction(number, &action, nil) }
  }

  /// The signal that asked the process to stop; nil while none did.
  static func interruption() -> Int32? {
    let number = Interruption.received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Processors that this process may run on at the same time.
  static var processors: Int {
    max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
  }

  /// Whether a descriptor is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// Columns and rows of the terminal behind a descriptor.
  static func windowSize(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Starts a program with an argument vector, no shell, and waits for its end.
  ///
  /// Its standard output is ours of standard error, so that data stays data.
  /// - Returns: its exit status; 127 when there is no such program.
  static func run(_ arguments: [String]) -> Int32 {
    var actions: FileActions = emptyFileActions()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, 2, 1)
    var process: pid_t = 0
    guard spawn(arguments, &actions, &process) == 0 else { return 127 }
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1 {
      if errno != EINTR { return 127 }
    }
    return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
  }

  private static func spawn(
    _ arguments: [String],
    _ actions: inout FileActions,
    _ process: inout pid_t,
  ) -> Int32 {
    var words = arguments.map { strdup($0) }
    defer { for word in words { free(word) } }
    guard let program = words.first, let program else { return ENOENT }
    words.append(nil)
    return posix_spawnp(&process, program, &actions, nil, &words, environ)
  }

  #if canImport(Glibc)
  private typealias FileActions = posix_spawn_file_actions_t
  private static func emptyFileActions() -> FileActions { posix_spawn_file_actions_t() }
  #else
  private typealias FileActions = posix_spawn_file_actions_t?
  private static func emptyFileActions() -> FileActions { nil }
  #endif
}

/// Where the signal handler leaves its word.
private enum Interruption {
  static let received = Atomic<Int32>(0)
  static let descriptor = Atomic<Int32>(-1)

  /// Stores a number and writes a byte.
  ///
  /// A signal handler may do no more. Both variables exist before it is installed.
  static let handler: @convention(c) (Int32) -> Void = { number in
    received.store(number, ordering: .relaxed)
    let target = descriptor.load(ordering: .relaxed)
    guard target >= 0 else { return }
    let saved = errno
    var byte: UInt8 = 0
    _ = write(target, &byte, 1)
    errno = saved
  }
}
