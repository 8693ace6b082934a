import FeedModel

/// Prints what `news doctor` found: for people, as lines with tabs, or as JSON.
struct FindingsPrinter {
  let context: CommandContext

  static let keys = [
    JSONKey("healthy", "whether nothing is wrong"),
    JSONKey(
      "checks",
      "what was looked at",
      inside: [
        JSONKey("state", "ok, note (worth knowing) or wrong"),
        JSONKey(
          "subject",
          "home, a file, disk, saving, libxml2, libcurl, network, clock, a feed…",
        ),
        JSONKey("finding", "how it is"),
        JSONKey("advice", "what to do; null where there is nothing to do"),
      ],
    ),
  ]

  func print(_ findings: [Finding]) {
    if context.isJSON {
      context.output.printLine(Self.json(findings).description)
    } else if !context.isOnTerminal {
      for finding in findings where isWanted(finding) {
        let fields = [finding.state.rawValue, finding.subject, finding.text, finding.advice ?? ""]
        context.output.printLine(StoryLines.fields(fields))
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

  private static func json(_ findings: [Finding]) -> JSONValue {
    .object([
      JSONMember("healthy", .boolean(!findings.contains { $0.state == .wrong })),
      JSONMember(
        "checks",
        .array(
          findings.map { finding in
            .object([
              JSONMember("state", .string(finding.state.rawValue)),
              JSONMember("subject", .string(SafeText.line(finding.subject))),
              JSONMember("finding", .string(SafeText.line(finding.text))),
              JSONMember("advice", .text(finding.advice.map { SafeText.line($0) })),
            ])
          }
        ),
      ),
    ])
  }
}
