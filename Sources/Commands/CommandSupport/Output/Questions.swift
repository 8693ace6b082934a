package import CommandLine

package enum Confirmation {
  package static let option = CommandOption(
    "yes",
    "y",
    help: "do not ask; needed where nobody can answer",
  )
}

extension CommandContext {
  package var canAsk: Bool { environment.ask != nil || environment.terminal.canAsk }

  /// Asks before much is destroyed, such as `Delete 3 stories`; only `y` and `yes` agree.
  ///
  /// `--yes` answers beforehand. Throws where nobody can be asked.
  package func confirm(_ action: String) throws -> Bool {
    if isConfirmed { return true }
    guard canAsk else {
      let start = action.prefix(1).lowercased()
      throw usage("this needs an answer: add --yes to \(start)\(action.dropFirst())")
    }
    return agrees(to: "\(action)?")
  }

  package var isConfirmed: Bool { arguments.has(Confirmation.option.name) }

  package func agrees(to question: String) -> Bool {
    let answer = ask("\(question) [y/N] ")?.lowercased()
    return answer == "y" || answer == "yes"
  }

  package func ask(_ question: String) -> String? {
    guard let ask = environment.ask else { return askTerminal(question) }
    return ask(question).map { SafeText.line($0) }
  }

  private func askTerminal(_ question: String) -> String? {
    environment.output.flush()
    environment.errorOutput.print(question)
    environment.errorOutput.flush()
    return environment.readLine().map { SafeText.line($0) }
  }
}

extension TerminalFacts {
  package var canAsk: Bool { isInputTerminal && isErrorTerminal }
}
