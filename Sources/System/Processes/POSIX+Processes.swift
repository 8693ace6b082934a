/// The programs that this one starts.
extension POSIX {
  /// Opens `/dev/null` on each of the descriptors 0 to 2 that the caller closed.
  ///
  /// Otherwise the first file opened becomes standard error, and messages are written into it. What
  /// is written to a closed standard output fails all the same: data must not vanish unnoticed.
  package static func openStandardDescriptors() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      let opened = open("/dev/null", descriptor == 2 ? O_WRONLY : O_RDONLY)
      if opened >= 0, opened != descriptor { _ = close(opened) }
    }
  }

  /// `/dev/null`, or -1.
  static func openNull() -> Int32 {
    open("/dev/null", O_RDWR | O_CLOEXEC)
  }

  /// Whether there is such a process, of whichever user.
  package static func isRunning(_ process: pid_t) -> Bool {
    process > 0 && (kill(process, 0) == 0 || errno == EPERM)
  }

  /// Waits for a program's end.
  ///
  /// - Returns: its exit status, or 128 and the number of the signal that ended it.
  package static func waitForEnd(of process: pid_t) -> Int32 {
    var status: Int32 = 0
    guard retrying({ waitpid(process, &status, 0) }) != -1 else { return 127 }
    return exitStatus(status)
  }

  /// The exit status in what waitpid(2) says, or 128 and the number of the signal.
  static func exitStatus(_ status: Int32) -> Int32 {
    status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
  }

  /// Starts a program with some of our descriptors as its own, and in a process group of its own
  /// where one is wanted; nil when there is no such program.
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

  /// What came of a program that was run.
  package struct ProgramAnswer: Hashable, Sendable {
    /// What it printed, up to a mebibyte of it.
    package let text: String
    /// As of `waitForEnd`; nil for one that took too long, and was ended.
    package let status: Int32?
    package let isWhole: Bool

    package init(_ text: String, status: Int32? = 0, isWhole: Bool = true) {
      (self.text, self.status, self.isWhole) = (text, status, isWhole)
    }
  }

  /// Where what a program prints goes.
  package enum ProgramOutput: Sendable {
    /// Into its answer, what it says on standard error too.
    case answer
    /// The same, but what it says on standard error is seen by nobody.
    case answerWithoutErrors
    /// To our standard error.
    case standardError
  }

  /// Runs a program with a text as its standard input, and waits for its end; nil when there is no such
  /// program.
  ///
  /// It is ended, with all that it has started where that is known, when it takes longer than to `end`,
  /// or when `descriptor` is readable.
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
    // With a terminal it stays in our process group, without which it could not ask there.
    let isGroup = isatty(0) == 0
    let program =
      source < 0 || null < 0
      ? nil
      : StartedProgram(
        words,
        variables: variables,
        copying: [(source, 0)] + outputs,
        isGroup: isGroup,
      )
    for end in [pipe.writeEnd, source, null] where end >= 0 { _ = close(end) }
    guard let program else {
      _ = close(pipe.readEnd)
      return nil
    }
    // On a thread of its own: what hangs is left to it at the end.
    let reading = BackgroundTask {
      let (text, isWhole) = readText(from: pipe.readEnd)
      return ProgramAnswer(text, status: program.waitForEnd(), isWhole: isWhole)
    }
    reading.wait(until: end, orReadable: descriptor)
    if let answer = reading.value { return answer }
    _ = kill(isGroup ? -program.process : program.process, SIGKILL)
    return ProgramAnswer("", status: nil)
  }

  /// Reads to the end, keeps the first mebibyte, and closes the descriptor.
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

  /// A text as a file without a name, which takes all of it whether anybody reads or not; -1 when it
  /// cannot be had.
  private static func openForReading(text: String) -> Int32 {
    Array(text.utf8).withUnsafeBytes { openForReading(bytes: $0) }
  }

  /// The same for bytes; those of a long document do not stay in memory.
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

  /// The file of the program that this process runs; nil when it is gone.
  package static var executablePath: String? {
    #if canImport(Glibc)
    guard let resolved = realpath("/proc/self/exe", nil) else { return nil }
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

  /// This process's environment, or of it what is to be kept, with some variables set, for a program, to
  /// be freed.
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
