internal import Synchronization

extension POSIX {
  /// Makes a closed pipe and a file over the size limit errors of `write`, not deaths.
  package static func ignoreSignals() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// Notes signals that ask the process to end, and triggers `event`; a second one of its kind
  /// kills.
  ///
  /// Except SIGHUP: a closed terminal sends it twice, by way of the shell and of the system. SIGHUP
  /// and SIGQUIT stay ignored where they are (nohup(1), jobs in the background of a script).
  package static func noteInterruptions(waking event: SystemEvent?) {
    Interruption.received.store(0, ordering: .relaxed)
    Interruption.descriptor.store(event?.writeEnd ?? -1, ordering: .relaxed)
    Interruption.event.withLock { $0 = event }
    for number in [SIGINT, SIGTERM] + [SIGHUP, SIGQUIT].filter({ !isIgnored($0) }) {
      setSignalHandler(number, once: number != SIGHUP) { number, _, _ in
        Interruption.note(number)
      }
    }
  }

  package static func interruption() -> Int32? {
    let number = Interruption.received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  package typealias SignalHandler =
    @convention(c) (
      Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?,
    ) -> Void

  @discardableResult
  package static func setSignalHandler(
    _ number: Int32,
    once: Bool = false,
    _ handler: @escaping SignalHandler,
  ) -> Bool {
    var action = sigaction()
    #if canImport(Glibc)
    action.__sigaction_handler.sa_sigaction = handler
    #else
    action.__sigaction_u.__sa_sigaction = handler
    #endif
    let flags = UInt32(SA_SIGINFO) | (once ? UInt32(SA_RESETHAND) : 0)
    action.sa_flags = Int32(bitPattern: flags)
    return sigaction(number, &action, nil) == 0
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return action.isIgnoring
  }
}

extension sigaction {
  var isIgnoring: Bool {
    #if canImport(Glibc)
    let handler = unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self)
    #else
    let handler = unsafeBitCast(__sigaction_u.__sa_handler, to: Int.self)
    #endif
    return handler == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

extension siginfo_t {
  package var faultAddress: UInt {
    #if canImport(Glibc)
    UInt(bitPattern: _sifields._sigfault.si_addr)
    #else
    UInt(bitPattern: si_addr)
    #endif
  }
}

private enum Interruption {
  static let received = Atomic<Int32>(0)
  static let descriptor = Atomic<Int32>(-1)
  /// Keeps `descriptor` open: the next file would get its number, and the handler's byte.
  static let event = Mutex<SystemEvent?>(nil)

  /// Stores the number and writes a byte.
  ///
  /// A signal handler may do no more. Both variables exist before it is installed.
  static func note(_ number: Int32) {
    received.store(number, ordering: .relaxed)
    let target = descriptor.load(ordering: .relaxed)
    guard target >= 0 else { return }
    let saved = errno
    var byte: UInt8 = 0
    _ = write(target, &byte, 1)
    errno = saved
  }
}
