import FeedModel

/// Why a command gave up: a message for people, and what it means for scripts.
enum CommandError: Error, Hashable, Sendable {
  /// Wrong words; the command whose help says how, nil for that of `news` itself.
  case usage(String, command: String?)
  /// It could not be done. The first line says why; further ones list what there is to choose.
  case failed(String, choices: [String] = [])
  case notAFeed(String, choices: [String] = [])

  static let noSubscriptions = CommandError.failed(
    "no subscriptions yet; subscribe to a feed with `news subscribe URL` or `news import FILE`"
  )

  var lines: [String] {
    switch self {
    case .usage(let message, let command):
      let help = command.map { "news \($0) --help" } ?? "news --help"
      return ["\(SafeText.line(message)) (see `\(help)`)"]
    case .failed(let message, let choices), .notAFeed(let message, let choices):
      return [SafeText.line(message)] + choices.map { "  " + $0 }
    }
  }

  var status: ExitStatus {
    switch self {
    case .usage: .usage
    case .failed: .failed
    case .notAFeed: .notAFeed
    }
  }
}

/// What is wrong with a word of the user or of a file; who asked says which word it was.
struct WordFault: Error, Hashable {
  let reason: String
}

/// How the process ends; `ForPrograms.md` of the documentation lists the numbers.
package struct ExitStatus: Hashable, Sendable {
  package let code: Int32

  package init(code: Int32) {
    self.code = code
  }

  static let done = ExitStatus(code: 0)
  static let failed = ExitStatus(code: 1)
  /// `fetch --exit-status`: there was nothing new.
  static let noData = ExitStatus(code: 3)
  /// Wrong usage (`EX_USAGE`).
  static let usage = ExitStatus(code: 64)
  /// `parse`: not a feed (`EX_DATAERR`).
  static let notAFeed = ExitStatus(code: 65)

  /// Stopped by a signal, as a shell shows it: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP, 131
  /// for SIGQUIT.
  static func interrupted(by signal: Int32) -> ExitStatus {
    ExitStatus(code: 128 &+ signal)
  }
}
