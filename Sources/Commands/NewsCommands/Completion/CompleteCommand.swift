import CommandLine
import CommandSupport
import FeedStorage

/// The command that the scripts of `completions` run on TAB; no help lists it.
///
/// `news __complete SHELL insert|list BREAKS WORD…` answers `words`, `files` or `folders` on the
/// first line, and then the words, one a line: for bash as they are to be inserted, for zsh and
/// fish with a tab and their meaning, which those shells quote themselves. It never complains.
struct CompleteCommand: Command {
  static let name = "__complete"
  static let summary = "what can be typed next, for the shells' scripts"
  static let synopsis = "bash|zsh|fish insert|list BREAKS WORD…"
  static let examples: [HelpExample] = []

  static func takesDefaults(_ typed: Arguments) -> Bool { false }

  let context: CommandContext

  func run() throws -> ExitStatus {
    var words = context.arguments.operands
    guard words.count >= 4 else { throw usage("say what stands on the line") }
    let (shell, isList) = (words[0], words[1] == "list")
    let breaks = Set(words[2]).intersection([":", "=", "@"])
    words.removeFirst(3)
    if shell == "bash" {
      printForBash(BashWord.joined(words, breaks: breaks), breaks, isList: isList)
    } else {
      // fish gives the cursor's word as it is typed, with its quotes, and the others without.
      let last = words.last ?? ""
      let current = shell == "fish" ? BashWord(last).text : last
      let point = CompletionPoint(.news, words: words.dropLast(), current: current)
      print(answer(point), prefix: point.spelled)
    }
    return .done
  }

  private func answer(_ point: CompletionPoint) -> CompletionAnswer {
    var home = point.home ?? context.arguments.value("home")
    if let path = home, path.hasPrefix("~/"), let user = context.environment.variable("HOME") {
      home = user + path.dropFirst()
    }
    // Without a home there are no names.
    let path = try? HomeFolder.path(option: home, environment: context.environment)
    let state = context.environment.stateFolder(isForNewHome: false)
    let store = path.map { LibraryStore(home: $0, state: state) }
    return Completer(commands: .news, point: point, store: store).answer()
  }

  private func print(_ answer: CompletionAnswer, prefix: String) {
    guard case .words(let words) = answer else {
      return context.output.printLine(answer == .files ? "files" : "folders")
    }
    context.output.printLine("words")
    for word in words {
      context.output.printLine("\(prefix)\(SafeText.line(word.text))\t\(meaning(word))")
    }
  }

  private func printForBash(_ words: [String], _ breaks: Set<Character>, isList: Bool) {
    let raw = words.map { BashWord($0, breaks: breaks) }
    guard let current = raw.last else { return }
    let point = CompletionPoint(.news, words: raw.dropLast().map(\.text), current: current.text)
    let answer = answer(point)
    guard case .words(let candidates) = answer else { return print(answer, prefix: "") }
    context.output.printLine("words")
    for candidate in candidates {
      let text = SafeText.line(candidate.text)
      guard let insertion = current.insertion(point.spelled + text) else { continue }
      // Only shown, never inserted.
      let shown = meaning(candidate).isEmpty ? text : "\(text)  \(meaning(candidate))"
      context.output.printLine(isList ? shown : insertion)
    }
  }

  private func meaning(_ candidate: CompletionCandidate) -> String {
    SafeText.prefix(SafeText.line(candidate.meaning), maximumCharacters: 70)
  }
}

extension CompletionPoint {
  fileprivate var spelled: String {
    if case .value(_, let spelled) = subject { return spelled }
    return ""
  }
}
