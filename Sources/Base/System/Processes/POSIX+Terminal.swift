internal import Synchronization

package struct TerminalModes {
  private let descriptor: Int32
  private let before: termios

  package init?(of descriptor: Int32) {
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else { return nil }
    (self.descriptor, before) = (descriptor, modes)
  }

  /// Delivers each key at once and without an echo, those that stop or end programs too.
  package func takeKeys() {
    var modes = before
    cfmakeraw(&modes)
    _ = POSIX.retrying { tcsetattr(descriptor, TCSANOW, &modes) }
  }

  /// Restores the modes without waiting for output: the terminal may take no more.
  package func restore() {
    var modes = before
    _ = POSIX.retrying { tcsetattr(descriptor, TCSANOW, &modes) }
  }
}

extension POSIX {
  package static func windowSize(of descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Stops the whole process group until it is continued, as Ctrl-Z does.
  ///
  /// Otherwise the shell of a script would wait for this process for ever.
  package static func stop() {
    _ = signal(SIGTSTP, SIG_DFL)
    _ = kill(0, SIGTSTP)
  }
}

/// Signals as readable bytes, each with the signal's number.
package struct SignalQueue: Sendable {
  private let pipe: SystemPipe
  private let numbers: [Int32]

  package var descriptor: Int32 { pipe.readEnd }

  private static let writeEnd = Atomic<Int32>(-1)

  /// Fails when no descriptors are left.
  ///
  /// There may be one at a time, and it stays as long as the process.
  package init?(_ numbers: [Int32]) {
    guard let pipe = SystemPipe() else { return nil }
    (self.pipe, self.numbers) = (pipe, numbers)
    // A handler must never wait.
    for end in [pipe.readEnd, pipe.writeEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    Self.writeEnd.store(pipe.writeEnd, ordering: .relaxed)
    listen()
  }

  /// Installs the handlers again, after something else has replaced them.
  package func listen() {
    for number in numbers {
      POSIX.setSignalHandler(number) { number, _, _ in SignalQueue.note(number) }
    }
  }

  package func take() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBytes { POSIX.readPart(of: descriptor, into: $0) }
    return bytes.prefix(max(count, 0)).map(Int32.init)
  }

  private static func note(_ number: Int32) {
    let saved = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(writeEnd.load(ordering: .relaxed), &byte, 1)
    errno = saved
  }
}
