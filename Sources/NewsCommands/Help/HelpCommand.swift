struct HelpCommand: Command {
  static let name = "help"
  static let summary = "how to use news, or one of its commands"
  static let synopsis = "[COMMAND]"
  static let examples = [
    HelpExample("news help", "all commands"),
    HelpExample("news help list", "examples and options of `news list`"),
  ]
  static let options = [Pager.option]
  static let json: JSONForm? = .array("the commands, or the one that was named", HelpJSON.fields)

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    let words = context.arguments.operands
    guard words.count < 2 else { throw usage("help takes one command: news help \(words[0])") }
    guard let word = words.first else { return printHelp(of: nil) }
    guard let command = CommandList.command(named: word) else { throw CommandList.unknown(word) }
    return printHelp(of: command)
  }

  func printHelp(of command: (any Command.Type)?) -> ExitStatus {
    if context.isJSON {
      context.output.printJSON(command.map { [$0] } ?? CommandList.all, HelpJSON.fields)
      return .done
    }
    let help = Help(columns: context.columns, style: context.style)
    let text = command.map(help.text) ?? help.overview(CommandList.all)
    Pager(context).print(
      text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { $0 + "\n" }
    )
    return .done
  }
}

private enum HelpJSON {
  static let fields: [JSONField<any Command.Type>] = [
    JSONField("name", "the word that calls it") { .string($0.name) },
    JSONField("summary", "what it does") { .string($0.summary) },
    JSONField("synopsis", "what stands after its name") { .string($0.synopsis) },
    JSONField("examples", "command lines", array: exampleFields) { $0.examples },
    JSONField("options", "those of every command included", array: optionFields) {
      $0.options + CommandOption.global
    },
    JSONField("notes", "an array of strings") { .strings($0.notes) },
  ]

  private static let exampleFields: [JSONField<HelpExample>] = [
    JSONField("words", "the line") { .string($0.words) },
    JSONField("meaning", "what it does") { .string($0.meaning) },
  ]

  private static let optionFields: [JSONField<CommandOption>] = [
    JSONField("name", "the long name without dashes, null without one") { .text($0.name) },
    JSONField("letter", "the short name, null without one") { .text($0.letter.map(String.init)) },
    JSONField("value", "what its value is called, null when it takes none") {
      .text($0.value ?? $0.optionalValue)
    },
    JSONField("help", "what it does") { .string($0.help) },
  ]
}

/// The text of the help: examples first, options aligned, fitted to the width.
struct Help {
  let columns: Int
  let style: Style

  init(columns: Int, style: Style) {
    self.columns = min(max(columns, 30), 100)
    self.style = style
  }

  func text(of command: any Command.Type) -> String {
    var text = wrapped("news \(command.name)", ": \(command.summary)", indent: 0) + "\n"
    text += rows(command.examples.map { ($0.words, $0.meaning) })
    let synopsis = command.synopsis.isEmpty ? "" : " \(command.synopsis)"
    text += "\n" + wrapped("Usage:", " news \(command.name)\(synopsis)", indent: 7)
    if !command.options.isEmpty {
      text += "\n" + style.bold("Options:") + "\n" + rows(command.options.map(row))
    }
    for note in command.notes {
      text += "\n" + paragraph(note)
    }
    return text + "\n" + paragraph("Options of every command: `news help`.")
  }

  func overview(_ commands: [any Command.Type]) -> String {
    var text = wrapped("news", ": an RSS news aggregator for the command line", indent: 0) + "\n"
    text += rows([
      ("news subscribe URL|FILE", "follow a feed, or the feed of a web page"),
      ("news refresh", "ask all feeds now and show what is new"),
      ("news list", "the newest stories, numbered"),
      ("news open 3", "the link of story 3"),
    ])
    text += "\n" + style.bold("Commands:") + "\n"
    text += rows(commands.map { ($0.name, $0.summary) })
    text += "\n" + style.bold("Options of every command:") + "\n"
    text += rows(CommandOption.global.map(row))
    return text + "\n" + paragraph("Examples and options of a command: `news help COMMAND`.")
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

  /// An option and its value in brackets stay on one line.
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

  /// Two columns, the second wrapped beside the first, or below it where it is too narrow.
  func rows(_ rows: [(String, String)]) -> String {
    if columns < Self.leastForTwo { return rows.map { stacked($0.0, $0.1) }.joined() }
    let widest = rows.map { TerminalText.width($0.0) }.max() ?? 0
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
