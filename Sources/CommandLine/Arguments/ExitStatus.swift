internal import System

/// Wrong words on a command line.
package struct UsageError: Error, Hashable {
  package let message: String
  /// The command whose help says how; nil for that of the program itself.
  package let command: String?

  package init(_ message: String, command: String?) {
    (self.message, self.command) = (message, command)
  }
}

/// What is wrong with a word of the user or of a file; who asked says which word it was.
package struct WordFault: Error, Hashable {
  package let reason: String

  package init(reason: String) {
    self.reason = reason
  }
}

/// How the process ends, as the manual has it under EXIT STATUS.
package struct ExitStatus: Hashable, Sendable {
  package let code: Int32

  package init(code: Int32) {
    self.code = code
  }

  package static let done = ExitStatus(code: 0)
  package static let failed = ExitStatus(code: 1)
  /// `fetch --exit-status`: there was nothing new.
  package static let noData = ExitStatus(code: 3)
  /// Wrong usage (`EX_USAGE`).
  package static let usage = ExitStatus(code: 64)
  /// `parse`: not a feed (`EX_DATAERR`).
  package static let notAFeed = ExitStatus(code: 65)

  /// Stopped by a signal, as a shell shows it: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP, 131
  /// for SIGQUIT.
  package static func interrupted(by signal: Int32) -> ExitStatus {
    ExitStatus(code: 128 &+ signal)
  }
}
