import FeedModel

/// Finds what can be typed at a point of a command line.
struct Completer {
  let point: CompletionPoint
  let names: CompletionNames

  func answer() -> CompletionAnswer {
    switch point.subject {
    case .command:
      return .words(starting(Self.commands))
    case .option:
      return .words(starting(options))
    case .operand(let alternatives):
      return answer(alternatives, isOperand: true)
    case .value(let alternatives, _):
      return answer(alternatives, isOperand: false)
    }
  }

  private func answer(_ alternatives: [String], isOperand: Bool) -> CompletionAnswer {
    var words: [CompletionCandidate] = []
    for alternative in alternatives {
      switch alternative {
      case "FILE": return .files
      case "DIR": return .folders
      case "FEED":
        words += matching(
          names.feeds(typed: point.typed) + names.taggedFeeds(typed: point.typed)
        )
      case "TAG": words += starting(names.tags())
      case "COMMAND": words += starting(Self.commands)
      case "N" where isOperand: words += names.numbers(typed: point.typed)
      case _ where alternative.first?.isLowercase == true:
        words += starting([CompletionCandidate(alternative)])
      default: break
      }
    }
    return .words(words)
  }

  private static var commands: [CompletionCandidate] {
    CommandList.all.map { CompletionCandidate($0.name, $0.summary) }
  }

  /// Long names where there are any: they say what they do.
  private var options: [CompletionCandidate] {
    let options = (point.command?.options ?? []) + CommandOption.global
    return options.map { CompletionCandidate($0.spelling, $0.help) }
  }

  private func starting(_ candidates: [CompletionCandidate]) -> [CompletionCandidate] {
    candidates.filter { $0.text.hasPrefix(point.typed) }
  }

  /// Those that begin as typed, whatever the case; else the only one that has it somewhere.
  private func matching(_ candidates: [CompletionCandidate]) -> [CompletionCandidate] {
    let typed = point.typed.lowercased()
    let beginning = candidates.filter { $0.text.lowercased().hasPrefix(typed) }
    guard beginning.isEmpty else { return beginning }
    let containing = candidates.filter { $0.text.lowercased().contains(typed) }
    return containing.count == 1 ? containing : []
  }
}

/// What can be typed at the cursor.
enum CompletionAnswer: Hashable, Sendable {
  case words([CompletionCandidate])
  /// The shell knows its files best.
  case files
  case folders
}

/// Something that can be typed, and what it means.
struct CompletionCandidate: Hashable, Sendable {
  /// One safe line, without any quoting.
  let text: String
  let meaning: String

  init(_ text: String, _ meaning: String = "") {
    self.text = text
    self.meaning = meaning
  }
}
