enum ChildProcess {
  /// Starts `arguments[0]` (looked up in PATH) with no signal blocked, and none ignored that ends a
  /// program.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments.
  ///   - environment: variables set over this process's own; nil removes one.
  ///   - flags: of `posix_spawnattr_setflags`, besides those set here.
  ///   - open: adds the actions for the program's descriptors.
  /// - Returns: its process identifier.
  /// - Throws: `POSIXFailure` when it cannot be started.
  static func start(
    _ arguments: [String],
    environment: [String: String?],
    flags: Int16 = 0,
    open: (inout posix_spawn_file_actions_t) -> Void,
  ) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    open(&actions)
    keepDescriptors()
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A child would inherit the signals that the threads of tests block, and not end by SIGTERM.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // A shell makes its background programs ignore Ctrl-C; the tests may be one.
    var ending = sigset_t()
    sigemptyset(&ending)
    for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] { sigaddset(&ending, number) }
    posix_spawnattr_setsigdefault(&attributes, &ending)
    let signals = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, signals | flags)
    var child: Int32 = 0
    let code = withCStrings(arguments) { words in
      withCStrings(merged(environment)) { variables in
        posix_spawnp(&child, arguments[0], &actions, &attributes, words, variables)
      }
    }
    guard code == 0 else {
      errno = code
      throw POSIXFailure("posix_spawn", arguments.joined(separator: " "))
    }
    return child
  }

  /// Closes all descriptors in a child but those that are opened for it.
  ///
  /// Other tests have sockets open at the same time, which would count against a child's limits.
  private static func keepDescriptors() {
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
    for descriptor in open.compactMap({ Int32($0) }) where descriptor > 2 {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }

  /// Returns the exit status that `waitpid` tells of; 128 + N when signal N ended the program.
  static func exitStatus(_ status: Int32) -> Int32 {
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  private static func merged(_ changes: [String: String?]) -> [String] {
    var variables = ProcessInfo.processInfo.environment
    for (name, value) in changes { variables[name] = value }
    return variables.map { "\($0.key)=\($0.value)" }
  }
}
