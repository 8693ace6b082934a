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

  /// Asks before much is destroyed; only `y` and `yes` agree.
  ///
  /// `--yes` answers beforehand. Throws where nobody can be asked.
  package func confirm(_ question: String) throws -> Bool {
    if isConfirmed { return true }
    guard canAsk else {
      throw usage("nobody is here to be asked: \(question) --yes goes ahead")
    }
    return agrees(to: question)
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
