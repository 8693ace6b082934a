package import CommandLine
import FeedModel

package enum CommandError: Error, Hashable, Sendable {
  /// Wrong words, and the command whose help explains them; nil for that of `news`.
  case usage(String, command: String?)
  /// A failure: the first line says why, further ones list the choices.
  case failed(String, choices: [String] = [])
  case notAFeed(String, choices: [String] = [])

  package static let noSubscriptions = CommandError.failed(
    "no subscriptions yet; subscribe to a feed with `news subscribe URL` or `news import FILE`"
  )

  /// The first line, without where to read on.
  package var reason: String {
    switch self {
    case .usage(let message, _), .failed(let message, _), .notAFeed(let message, _): message
    }
  }

  package var lines: [String] {
    switch self {
    case .usage(let message, let command):
      let help = command.map { "news \($0) --help" } ?? "news --help"
      return ["\(SafeText.line(message)) (see `\(help)`)"]
    case .failed(let message, let choices), .notAFeed(let message, let choices):
      return [SafeText.line(message)] + choices.map { "  " + $0 }
    }
  }

  package var status: ExitStatus {
    switch self {
    case .usage: .usage
    case .failed: .failed
    case .notAFeed: .notAFeed
    }
  }
}

extension CommandError {
  init(_ error: UsageError) {
    self = .usage(error.message, command: error.command)
  }
}

extension CommandError: DescribedError {
  package init(_ description: String) {
    self = .failed(description)
  }

  package var description: String { lines.joined(separator: "; ") }
}
