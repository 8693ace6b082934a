import Synchronization

/// What a process owes its surroundings before and while it works.
extension Platform {
  /// Opens `/dev/null` on each of the descriptors 0 to 2 that the caller closed.
  ///
  /// Otherwise the first file opened becomes standard error, and messages are written into it. What
  /// is written to a closed standard output fails all the same: data must not vanish unnoticed.
  static func openStandardDescriptors() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      let opened = open("/dev/null", descriptor == 2 ? O_WRONLY : O_RDONLY)
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

  static func interruption() -> Int32? {
    let number = Interruption.received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  static var processors: Int {
    max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
  }

  static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

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
    guard let process = spawn(arguments, copying: [(from: 2, to: 1)]) else { return 127 }
    return wait(for: process)
  }

  /// Waits for a program's end.
  ///
  /// - Returns: its exit status, or 128 and the number of the signal that ended it.
  static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1 {
      if errno != EINTR { return 127 }
    }
    return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
  }

  /// Starts a program with some of our descriptors as its own, and in a process group of its own
  /// where one is wanted; nil when there is no such program.
  static func spawn(
    _ words: [String],
    variables: [String: String] = [:],
    copying descriptors: [(from: Int32, to: Int32)],
    isGroup: Bool = false,
  ) -> pid_t? {
    guard let program = words.first else { return nil }
    var actions: FileActions = emptyFileActions()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (from, to) in descriptors { posix_spawn_file_actions_adddup2(&actions, from, to) }
    var attributes: Attributes = emptyAttributes()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // What we ignore, a program must not: `yes | head` in a pager's script would never end.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGPIPE, SIGXFSZ, SIGINT, SIGQUIT] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // The threads of a fetch block them all, and a program would inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    let group = isGroup ? POSIX_SPAWN_SETPGROUP : 0
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group),
    )
    var arguments = words.map { strdup($0) } + [nil]
    var environment = environment(with: variables)
    defer { for text in arguments + environment { free(text) } }
    var process: pid_t = 0
    return posix_spawnp(&process, program, &actions, &attributes, &arguments, &environment) == 0
      ? process : nil
  }

  /// This process's environment with some variables set, for a program, to be freed.
  private static func environment(
    with variables: [String: String]
  ) -> [UnsafeMutablePointer<CChar>?] {
    var entries: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let entry = next.pointee {
      let name = String(cString: entry).prefix { $0 != "=" }
      if variables[String(name)] == nil { entries.append(strdup(entry)) }
      next += 1
    }
    return entries + variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
  }

  #if canImport(Glibc)
  private typealias FileActions = posix_spawn_file_actions_t
  private static func emptyFileActions() -> FileActions { posix_spawn_file_actions_t() }
  private typealias Attributes = posix_spawnattr_t
  private static func emptyAttributes() -> Attributes { posix_spawnattr_t() }
  #else
  private typealias FileActions = posix_spawn_file_actions_t?
  private static func emptyFileActions() -> FileActions { nil }
  private typealias Attributes = posix_spawnattr_t?
  private static func emptyAttributes() -> Attributes { nil }
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

extension Platform {
  /// Runs a program that reads `lines` on its standard input and has the terminal to itself.
  ///
  /// Until it ends, Ctrl-C and Ctrl-\ are the program's business: `less` stops searching and stays,
  /// and its terminal would be left in disorder by a process that died above it. A program that
  /// ends before it has read everything has shown enough.
  /// - Returns: its exit status; 127 when there is no such program.
  static func page(_ words: [String], variables: [String: String], lines: [String]) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return 127 }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let saved = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
    defer { for (number, action) in saved { _ = signal(number, action) } }
    let process = spawn(words, variables: variables, copying: [(from: ends[0], to: 0)])
    _ = close(ends[0])
    guard let process else {
      _ = close(ends[1])
      return 127
    }
    let writer = ends[1]
    let input = TextOutput { writeAll($0, to: writer) }
    for line in lines where !input.hasFailed { input.print(line) }
    input.flush()
    _ = close(writer)
    return wait(for: process)
  }
}
