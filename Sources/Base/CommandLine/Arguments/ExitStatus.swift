package struct ExitStatus: Hashable, Sendable {
  package let code: Int32

  package static let done = ExitStatus(code: 0)
  package static let failed = ExitStatus(code: 1)
  /// The status of `fetch --exit-status` without news.
  package static let noData = ExitStatus(code: 3)
  /// `EX_USAGE`.
  package static let usage = ExitStatus(code: 64)
  /// `EX_DATAERR`, from `parse`, and from `import` for a list of feeds.
  package static let notAFeed = ExitStatus(code: 65)

  /// Returns a shell's status: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP, 131 for SIGQUIT.
  package static func interrupted(by signal: Int32) -> ExitStatus {
    ExitStatus(code: 128 &+ signal)
  }
}
