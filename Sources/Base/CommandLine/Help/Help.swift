/// The text of the help, at most 100 columns wide.
package struct Help {
  private let program: ProgramDeclaration
  package let columns: Int
  let style: Style

  package init(_ program: ProgramDeclaration, columns: Int, style: Style) {
    self.program = program
    self.columns = min(max(columns, 30), 100)
    self.style = style
  }

  package func text(of command: any CommandDeclaration.Type) -> String {
    var text = wrapped("\(program.name) \(command.name)", ": \(command.summary)", indent: 0) + "\n"
    text += rows(command.examples.map { ($0.words, $0.meaning) })
    let synopsis = command.synopsis.isEmpty ? "" : " \(command.synopsis)"
    text += "\n" + wrapped("Usage:", " \(program.name) \(command.name)\(synopsis)", indent: 7)
    if !command.options.isEmpty {
      text += "\n" + style.bold("Options:") + "\n" + rows(command.options.map(row), beside: 28)
    }
    for note in command.notes {
      text += "\n" + paragraph(note)
    }
    return text + "\n" + paragraph("Options of every command: `\(program.name) help`.")
  }

  package func overview(_ examples: [HelpExample], notes: [String] = []) -> String {
    var text = wrapped(program.name, ": \(program.summary)", indent: 0) + "\n"
    text += rows(examples.map { ($0.words, $0.meaning) })
    for group in program.groups { text += "\n" + commands(of: group) }
    text += "\n" + style.bold("Options of every command:") + "\n"
    text += rows(program.options.map(row))
    let groups = program.groups.map(\.name).joined(separator: ", ")
    return text + "\n" + notes.map(paragraph).joined()
      + paragraph("Examples and options of a command: `\(program.name) help COMMAND`.")
      + paragraph("Commands of one group: `\(program.name) help GROUP`, one of \(groups).")
  }

  package func topic(_ name: String, _ summary: String, _ examples: [HelpExample]) -> String {
    wrapped(name, ": \(summary)", indent: 0) + "\n"
      + rows(examples.map { ($0.words, $0.meaning) })
  }

  package func note(_ text: String) -> String { "\n" + paragraph(text) }

  package func text(of group: CommandGroup) -> String {
    let examples = group.commands.compactMap { $0.examples.first }
    return commands(of: group) + "\n" + style.bold("Examples:") + "\n"
      + rows(examples.map { ($0.words, $0.meaning) }) + "\n"
      + paragraph("All that a command can do: `\(program.name) help COMMAND`.")
  }

  private func commands(of group: CommandGroup) -> String {
    style.bold("\(group.title):") + "\n" + rows(group.commands.map { ($0.name, $0.summary) })
  }

  private func paragraph(_ text: String) -> String {
    TerminalText.wrap(text, to: columns).joined(separator: "\n") + "\n"
  }

  private func wrapped(_ bold: String, _ rest: String, indent: Int) -> String {
    let lines = TerminalText.wrap(bold + Self.tied(rest), to: columns - indent)
      .map { $0.replacing("\u{a0}", with: " ") }
    let first = style.bold(bold) + (lines.first ?? "").dropFirst(bold.count)
    let others = lines.dropFirst().map { "\n" + TerminalText.spaces(indent) + $0 }
    return first + others.joined() + "\n"
  }

  private static func tied(_ text: String) -> String {
    var isInside = false
    return String(
      text.map { character in
        if character == "[" || character == "]" { isInside = character == "[" }
        return isInside && character == " " ? "\u{a0}" : character
      }
    )
  }

  private func row(_ option: CommandOption) -> (String, String) {
    let letter = option.letter.map { "-\($0)" }
    let long = option.name.isEmpty ? nil : "--\(option.name)"
    let names = [letter, long].compactMap(\.self).joined(separator: ", ")
    let value = option.value.map { " \($0)" } ?? option.optionalValue.map { "[=\($0)]" } ?? ""
    return (names + value, option.help)
  }

  /// Prints two columns, the second wrapped beside the first, or below it in a narrow window.
  ///
  /// The second begins behind the longest of the first that has at most so many columns.
  package func rows(_ rows: [(String, String)], beside most: Int = .max) -> String {
    if columns < Self.leastForTwo { return rows.map { stacked($0.0, $0.1) }.joined() }
    let widest = rows.map { TerminalText.width($0.0) }.filter { $0 <= most }.max() ?? 0
    let left = min(widest, max(12, columns * 56 / 100))
    return rows.map { row($0.0, $0.1, left: left) }.joined()
  }

  private static let leastForTwo = 44

  private func stacked(_ name: String, _ meaning: String) -> String {
    let meanings = TerminalText.wrap(meaning, to: columns - 6).map { "      " + $0 + "\n" }
    return "  " + hanging(name) + "\n" + meanings.joined()
  }

  private func hanging(_ name: String) -> String {
    TerminalText.wrap(name, to: columns - 4).joined(separator: "\n    ")
  }

  private func row(_ name: String, _ meaning: String, left: Int) -> String {
    let indent = TerminalText.spaces(left + 4)
    let lines = TerminalText.wrap(meaning, to: max(columns - left - 4, 16))
    let fits = TerminalText.width(name) <= left
    let start = fits ? TerminalText.fit(name, to: left) + "  " : hanging(name) + "\n" + indent
    return "  " + start + lines.joined(separator: "\n" + indent) + "\n"
  }
}
