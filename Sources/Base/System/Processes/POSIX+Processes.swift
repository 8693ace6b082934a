internal import CConfinement

extension POSIX {
  /// Has all threads take memory from one place, also those of processes that are forked later.
  ///
  /// PERF: the memory of threads that have one each grows by a call of the system for every page,
  /// and what one has freed no other one takes.
  package static func shareMemory() {
    cconfinement_share_memory()
  }

  /// Opens `/dev/null` on each of the descriptors 0 to 2 that the caller closed.
  ///
  /// Otherwise the first file opened becomes standard error, and messages are written into it.
  /// Writing to a closed standard output fails all the same: data must not vanish unnoticed.
  package static func openStandardDescriptors() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      let opened = open("/dev/null", descriptor == 2 ? O_WRONLY : O_RDONLY)
      if opened >= 0, opened != descriptor { _ = close(opened) }
    }
  }

  static func openNull() -> Int32 {
    open("/dev/null", O_RDWR | O_CLOEXEC)
  }

  /// Returns true for an existing process of any user.
  package static func isRunning(_ process: pid_t) -> Bool {
    process > 0 && (kill(process, 0) == 0 || errno == EPERM)
  }

  /// Waits for a program's end.
  ///
  /// - Returns: its exit status, or 128 plus the number of the signal that ended it.
  package static func waitForEnd(of process: pid_t) -> Int32 {
    var status: Int32 = 0
    guard retrying({ waitpid(process, &status, 0) }) != -1 else { return 127 }
    return exitStatus(status)
  }

  static func exitStatus(_ status: Int32) -> Int32 {
    status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
  }

  /// Starts a program with `descriptors` and 0 to 2 as its own; nil when there is no such program.
  package static func spawn(
    _ words: [String],
    variables: [String: String] = [:],
    copying descriptors: [(from: Int32, to: Int32)],
    isGroup: Bool = false,
  ) -> pid_t? {
    guard let program = words.first else { return nil }
    #if canImport(Glibc)
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #else
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (from, to) in descriptors { posix_spawn_file_actions_adddup2(&actions, from, to) }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A program must not ignore what we ignore: `yes | head` in a pager's script would never end.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGPIPE, SIGXFSZ, SIGINT, SIGQUIT] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // The threads of a fetch block all signals, and a program would inherit that.
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

  package struct ProgramAnswer: Hashable, Sendable {
    /// The output, of which only the first mebibyte is kept.
    package let text: String
    /// The status of `waitForEnd`; nil for a program that took too long and was killed.
    package let status: Int32?
    package let isWhole: Bool

    package init(_ text: String, status: Int32? = 0, isWhole: Bool = true) {
      (self.text, self.status, self.isWhole) = (text, status, isWhole)
    }
  }

  package enum ProgramOutput: Sendable {
    case answer
    case answerWithoutErrors
    case standardError
  }

  /// Runs a program with a text as its standard input; nil when there is no such program.
  ///
  /// At `end`, or when `descriptor` is readable, it is killed, with its process group unless it
  /// shares ours.
  package static func run(
    _ words: [String],
    input: String = "",
    variables: [String: String] = [:],
    output: ProgramOutput = .answer,
    until end: ContinuousClock.Instant?,
    orReadable descriptor: Int32? = nil,
  ) -> ProgramAnswer? {
    guard let pipe = SystemPipe() else { return nil }
    let source = openForReading(text: input)
    let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
    let outputs: [(from: Int32, to: Int32)] =
      switch output {
      case .answer: [(pipe.writeEnd, 1), (pipe.writeEnd, 2)]
      case .answerWithoutErrors: [(pipe.writeEnd, 1), (null, 2)]
      case .standardError: [(2, 1)]
      }
    // It needs our process group to ask something at the terminal.
    let isGroup = isatty(0) == 0
    let program =
      source < 0 || null < 0
      ? nil
      : StartedProgram(
        words,
        variables: variables,
        copying: [(source, 0)] + outputs,
        as: isGroup ? .groupLeader : .member,
      )
    for end in [pipe.writeEnd, source, null] where end >= 0 { _ = close(end) }
    guard let program else {
      _ = close(pipe.readEnd)
      return nil
    }
    // A thread of its own: at the end it is left alone with a program that hangs.
    let reading = BackgroundTask {
      let (text, isWhole) = readText(from: pipe.readEnd)
      return ProgramAnswer(text, status: program.waitForEnd(), isWhole: isWhole)
    }
    reading.wait(until: end, orReadable: descriptor)
    if let answer = reading.value { return answer }
    _ = kill(isGroup ? -program.process : program.process, SIGKILL)
    return ProgramAnswer("", status: nil)
  }

  private static func readText(from descriptor: Int32) -> (text: String, isWhole: Bool) {
    var bytes: [UInt8] = []
    var isWhole = true
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = piece.withUnsafeMutableBytes { readPart(of: descriptor, into: $0) }
      guard count > 0 else { break }
      let kept = min(count, 1 << 20 - bytes.count)
      bytes += piece[..<kept]
      isWhole = isWhole && kept == count
    }
    _ = close(descriptor)
    return (String(decoding: bytes, as: UTF8.self), isWhole)
  }

  /// Returns a nameless file with a text, which unlike a pipe takes all of it unread; -1 on
  /// failure.
  private static func openForReading(text: String) -> Int32 {
    Array(text.utf8).withUnsafeBytes { openForReading(bytes: $0) }
  }

  /// Returns a nameless file with bytes, which is on disk where they are more than a mebibyte.
  static func openForReading(bytes: UnsafeRawBufferPointer) -> Int32 {
    guard !bytes.isEmpty else { return open("/dev/null", O_RDONLY | O_CLOEXEC) }
    let isLong = bytes.count > 1 << 20
    let descriptor = isLong ? Confinement.openUnnamedFile() : Confinement.openShortFile()
    guard descriptor >= 0 else { return -1 }
    let code = writeAll(bytes, to: descriptor)
    if code == 0, lseek(descriptor, 0, SEEK_SET) == 0 { return descriptor }
    _ = close(descriptor)
    return -1
  }

  package static var executablePath: String? {
    #if canImport(Glibc)
    // Without /proc, the path by which the program was started leads to it.
    guard let resolved = realpath("/proc/self/exe", nil) ?? realpath(cconfinement_program(), nil)
    else { return nil }
    #else
    var size: UInt32 = 0
    _ = _NSGetExecutablePath(nil, &size)
    var path = [CChar](repeating: 0, count: Int(size) + 1)
    guard _NSGetExecutablePath(&path, &size) == 0, let resolved = realpath(path, nil) else {
      return nil
    }
    #endif
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The user's own folder by the passwd entry; nil without one.
  package static var ownFolder: String? {
    getpwuid(getuid()).flatMap(\.pointee.pw_dir).map { String(cString: $0) }
  }

  /// Returns the environment of this process, filtered and with some variables set.
  ///
  /// The caller frees the texts.
  static func environment(
    with variables: [String: String] = [:],
    keeping isKept: (Substring) -> Bool = { _ in true },
  ) -> [UnsafeMutablePointer<CChar>?] {
    var entries: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let entry = next.pointee {
      let name = String(cString: entry).prefix { $0 != "=" }
      if variables[String(name)] == nil, isKept(name) { entries.append(strdup(entry)) }
      next += 1
    }
    return entries + variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
  }
}
