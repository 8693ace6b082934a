internal import Synchronization

/// How a terminal hands over what is typed (termios(3)).
package struct TerminalModes {
  private let descriptor: Int32
  private let before: termios

  /// As they are now; nil for what is no terminal.
  package init?(of descriptor: Int32) {
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else { return nil }
    (self.descriptor, before) = (descriptor, modes)
  }

  /// Has every key handed over at once and unseen, those that stop or end programs too.
  package func takeKeys() {
    var modes = before
    cfmakeraw(&modes)
    _ = POSIX.retrying { tcsetattr(descriptor, TCSANOW, &modes) }
  }

  /// Waits for nothing: the terminal may take no more.
  package func restore() {
    var modes = before
    _ = POSIX.retrying { tcsetattr(descriptor, TCSANOW, &modes) }
  }
}

extension POSIX {
  /// The size of a terminal's window; nil where it is not known.
  package static func windowSize(of descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Stops this process until it is continued, and the others of its group with it, as Ctrl-Z does:
  /// the shell of a script would wait for it for ever.
  package static func stop() {
    _ = signal(SIGTSTP, SIG_DFL)
    _ = kill(0, SIGTSTP)
  }
}

/// Signals as something to read: each arrives as a byte, its number.
package struct SignalQueue: Sendable {
  private let pipe: SystemPipe
  private let numbers: [Int32]

  package var descriptor: Int32 { pipe.readEnd }

  private static let writeEnd = Atomic<Int32>(-1)

  /// From now on these signals come here; nil when there are no descriptors left.
  ///
  /// There can be one at a time, and it is there for as long as the process.
  package init?(_ numbers: [Int32]) {
    guard let pipe = SystemPipe() else { return nil }
    (self.pipe, self.numbers) = (pipe, numbers)
    // A handler must never wait.
    for end in [pipe.readEnd, pipe.writeEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    Self.writeEnd.store(pipe.writeEnd, ordering: .relaxed)
    listen()
  }

  /// Takes the signals again, after something else has changed what becomes of them.
  package func listen() {
    for number in numbers {
      POSIX.setSignalHandler(number) { number, _, _ in SignalQueue.note(number) }
    }
  }

  /// What has come since the last time.
  package func take() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBytes { POSIX.readPart(of: descriptor, into: $0) }
    return bytes.prefix(max(count, 0)).map(Int32.init)
  }

  /// In a signal handler.
  private static func note(_ number: Int32) {
    let saved = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(writeEnd.load(ordering: .relaxed), &byte, 1)
    errno = saved
  }
}
