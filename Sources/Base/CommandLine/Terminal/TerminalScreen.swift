internal import System

/// A terminal's whole screen and its keys.
///
/// Control functions are those of ECMA-48 and xterm's private modes, which every terminal of today
/// takes or ignores, whatever its TERM.
package final class TerminalScreen {
  private let input: Int32
  private let terminal: Int32
  /// Non-blocking, unless the terminal could not be opened anew.
  private let output: Int32
  /// Readable when something is more urgent than writing.
  private let interruption: Int32
  private let modes: TerminalModes
  /// Started behind the first rows, because starting it takes as long as they do.
  private lazy var guardian = TerminalGuardian(terminal: terminal, farewell: Self.leaving)
  /// The rows on the screen; missing ones are unknown.
  private var shown: [ScreenUpdate.Row] = []
  private var cursor = ScreenPlace()
  private(set) var isTaken = false

  /// The alternate screen, no wrapping at the edge, reports of the mouse, pastes in brackets.
  private static let taking =
    "\u{1b}[?1049h\u{1b}[?25h\u{1b}[?7l\u{1b}[?1000h\u{1b}[?1006h\u{1b}[?2004h"
  static let leaving =
    "\u{1b}[r\u{1b}[?2004l\u{1b}[?1006l\u{1b}[?1000l\u{1b}[?7h\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l"

  package init?(input: Int32, output: Int32, interruption: Int32) {
    guard let modes = TerminalModes(of: input), isatty(output) == 1 else { return nil }
    (self.input, terminal, self.modes) = (input, output, modes)
    self.interruption = interruption
    let own = ttyname(output).map { open($0, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) } ?? -1
    self.output = own >= 0 ? own : output
    take()
  }

  package var size: (columns: Int, rows: Int) {
    let size = POSIX.windowSize(of: output) ?? (80, 24)
    return (min(size.columns, 1_000), min(size.rows > 0 ? size.rows : 24, 1_000))
  }

  package func take() {
    modes.takeKeys()
    isTaken = true
    shown = []
    write(Self.taking)
  }

  package func leave() {
    guard isTaken else { return }
    isTaken = false
    write(Self.leaving, until: .now + .milliseconds(300))
    modes.restore()
  }

  package func end() {
    leave()
    guardian?.dismiss()
  }

  package func redraw() {
    shown = []
  }

  /// Shows rows, each made of parts from left to right, and sends only changed parts.
  ///
  /// The cursor then stands at `cursor`, for those who read by it: braille displays, magnifiers.
  ///
  /// - Returns: false when the terminal is gone.
  @discardableResult
  package func show(_ rows: [[String]], cursor: ScreenPlace) -> Bool {
    guard isTaken else { return true }
    var text = ScreenUpdate(from: shown, to: rows).text
    if !text.isEmpty || cursor != self.cursor { text += cursor.text }
    (shown, self.cursor) = (rows, cursor)
    let isSeen = text.isEmpty || write(text)
    _ = guardian
    return isSeen
  }

  /// Copies a text to the clipboard of the machine with the terminal (OSC 52).
  package func copy(_ text: String) {
    write("\u{1b}]52;c;\(Self.base64(text))\u{7}")
  }

  /// RFC 4648 §4.
  private static func base64(_ text: String) -> String {
    let signs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var (bytes, result) = (Array(text.utf8)[...], "")
    while !bytes.isEmpty {
      let group = bytes.prefix(3)
      let bits = (0..<3).reduce(UInt32(0)) { bits, place in
        bits << 8 | (place < group.count ? UInt32(group[group.startIndex + place]) : 0)
      }
      for place in 0..<4 {
        result.append(place > group.count ? "=" : signs[Int(bits >> UInt32(18 - 6 * place) & 63)])
      }
      bytes = bytes.dropFirst(3)
    }
    return result
  }

  package func readKeys() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = bytes.withUnsafeMutableBytes { POSIX.readPart(of: input, into: $0) }
    if count < 0, errno == EAGAIN { return [] }
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  /// Writes until something is more urgent, or until `end`; the screen is unknown then.
  ///
  /// - Returns: false when the terminal is gone.
  @discardableResult
  private func write(_ text: String, until end: ContinuousClock.Instant? = nil) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { POSIX.writePart(of: $0, to: output) }
      if count > 0 { rest = rest.dropFirst(count) }
      guard count < 0 else { continue }
      guard errno == EAGAIN else { return false }
      let isInterrupted = end == nil && POSIX.wait(on: [interruption], until: .now) == [true]
      guard !isInterrupted, end.map({ .now < $0 }) ?? true else {
        shown = []
        return true
      }
      POSIX.wait(for: Int32(POLLOUT), on: [output], until: .now + .milliseconds(100))
    }
    return true
  }
}

/// A row and a column of the screen, from 0.
package struct ScreenPlace: Hashable, Sendable {
  package var row = 0
  package var column = 0

  package init(row: Int = 0, column: Int = 0) { (self.row, self.column) = (row, column) }

  fileprivate var text: String { "\u{1b}[\(row + 1);\(column + 1)H" }
}

/// A process that outlives this one for a moment, and restores the terminal if this one was killed
/// or has crashed.
///
/// It waits for a line; a pipe whose other end has died ends without one.
private struct TerminalGuardian {
  private let pipe: SystemPipe
  private let program: StartedProgram

  static func words(_ farewell: String) -> [String] {
    let script =
      "trap '' HUP INT QUIT TERM TSTP TTIN TTOU; read -r end <&3 || { stty sane; printf %s \"$1\"; }"
    return ["/bin/sh", "-c", script, "news", farewell]
  }

  init?(terminal: Int32, farewell: String) {
    guard let pipe = SystemPipe() else { return nil }
    let program = StartedProgram(
      Self.words(farewell),
      copying: [(terminal, 0), (terminal, 1), (pipe.readEnd, 3)],
      as: .independentLeader,
    )
    _ = close(pipe.readEnd)
    guard let program else {
      _ = close(pipe.writeEnd)
      return nil
    }
    (self.pipe, self.program) = (pipe, program)
  }

  func dismiss() {
    _ = write(pipe.writeEnd, "\n", 1)
    _ = close(pipe.writeEnd)
    _ = program.waitForEnd()
  }
}
