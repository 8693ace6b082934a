import FeedModel

/// Why a command gave up: a message for people, and what it means for scripts.
enum CommandError: Error, Hashable, Sendable {
  /// Wrong words; the command whose help says how, nil for that of `news` itself.
  case usage(String, command: String?)
  /// It could not be done. The first line says why; further ones list what there is to choose.
  case failed(String, choices: [String] = [])
  /// `parse` met something that is no feed.
  case notAFeed(String, choices: [String] = [])

  /// The lines to print after `news: `.
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
