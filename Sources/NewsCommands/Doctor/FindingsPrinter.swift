import FeedModel

/// Prints what `news doctor` found: for people, as lines with tabs, or as JSON.
struct FindingsPrinter {
  let context: CommandContext

  static let fields: [JSONField<[Finding]>] = [
    JSONField("healthy", "whether nothing is wrong") { findings in
      .boolean(!findings.contains { $0.state == .wrong })
    },
    JSONField("checks", "what was looked at", array: findingFields) { $0 },
  ]

  private static let findingFields: [JSONField<Finding>] = [
    JSONField("state", "ok, note (worth knowing) or wrong") { .string($0.state.rawValue) },
    JSONField("subject", "home, a file, disk, saving, libxml2, libcurl, network, clock, a feed…") {
      .string(SafeText.line($0.subject))
    },
    JSONField("finding", "how it is") { .string(SafeText.line($0.text)) },
    JSONField("advice", "what to do; null where there is nothing to do") {
      .text($0.advice.map { SafeText.line($0) })
    },
  ]

  func print(_ findings: [Finding]) {
    if context.isJSON {
      context.output.printLine(PrintedJSON.object(Self.fields, findings).description)
    } else if !context.isOnTerminal {
      for finding in findings where isWanted(finding) {
        let fields = [finding.state.rawValue, finding.subject, finding.text, finding.advice ?? ""]
        context.output.printLine(TabSeparated.line(fields))
      }
    } else {
      for finding in findings where isWanted(finding) { printParagraph(finding) }
      printSum(findings.count { $0.state == .wrong })
    }
  }

  private func isWanted(_ finding: Finding) -> Bool {
    !context.isQuiet || finding.state == .wrong
  }

  private func printParagraph(_ finding: Finding) {
    let indent = TerminalText.spaces(7)
    let width = max(min(context.columns, 100) - 7, 20)
    let text = "\(SafeText.line(finding.subject)): \(SafeText.line(finding.text))"
    let state = TerminalText.fit(finding.state.rawValue, to: 5)
    let lines = TerminalText.wrap(text, to: width)
    context.output.printLine(dressed(state, finding.state) + "  " + (lines.first ?? ""))
    for line in lines.dropFirst() { context.output.printLine(indent + line) }
    guard let advice = finding.advice else { return }
    for (index, line) in TerminalText.wrap(SafeText.line(advice), to: width - 2).enumerated() {
      context.output.printLine(indent + (index == 0 ? "→ " : "  ") + context.style.bold(line))
    }
  }

  private func dressed(_ text: String, _ state: Finding.State) -> String {
    switch state {
    case .ok: context.style.green(text)
    case .note: context.style.cyan(text)
    case .wrong: context.style.red(text)
    }
  }

  private func printSum(_ wrong: Int) {
    guard !context.isQuiet else { return }
    let sum =
      wrong == 0 ? "Nothing is wrong." : "\(Count.of(wrong, "thing is", "things are")) wrong."
    context.output.printLine("\n" + context.style.bold(sum))
  }
}

/// One thing that `news doctor` has looked at.
struct Finding: Hashable, Sendable {
  enum State: String, Sendable {
    case ok
    /// Worth knowing; nothing is wrong.
    case note
    case wrong
  }

  let state: State
  /// What was looked at: `home`, a file, `clock`, a feed.
  let subject: String
  let text: String
  let advice: String?

  static func ok(_ subject: String, _ text: String) -> Finding {
    Finding(state: .ok, subject: subject, text: text, advice: nil)
  }

  static func note(_ subject: String, _ text: String, _ advice: String? = nil) -> Finding {
    Finding(state: .note, subject: subject, text: text, advice: advice)
  }

  static func wrong(_ subject: String, _ text: String, _ advice: String) -> Finding {
    Finding(state: .wrong, subject: subject, text: text, advice: advice)
  }
}
