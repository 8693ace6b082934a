import CommandLine

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

  private static let beginning = [
    HelpExample("news subscribe URL|FILE", "follow a feed, or the feed of a web page"),
    HelpExample("news refresh", "ask all feeds now and show what is new"),
    HelpExample("news list", "the newest stories, numbered"),
    HelpExample("news open 3", "the link of story 3"),
  ]

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
    let help = Help(.news, columns: context.columns, style: context.style)
    let text = command.map(help.text) ?? help.overview(Self.beginning)
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
