/// How the process ends, as design §2 "Exit status" has it.
package struct ExitStatus: Hashable, Sendable {
  package let code: Int32

  package init(code: Int32) {
    self.code = code
  }

  /// Done: new data or none.
  static let done = ExitStatus(code: 0)
  static let failed = ExitStatus(code: 1)
  /// `fetch --exit-status`: there was nothing new.
  static let noData = ExitStatus(code: 3)
  /// Wrong usage (`EX_USAGE`).
  static let usage = ExitStatus(code: 64)
  /// `parse`: not a feed (`EX_DATAERR`).
  static let notAFeed = ExitStatus(code: 65)

  /// Stopped by a signal, as a shell shows it: 130 for SIGINT, 143 for SIGTERM.
  static func interrupted(by signal: Int32) -> ExitStatus {
    ExitStatus(code: 128 &+ signal)
  }
}
