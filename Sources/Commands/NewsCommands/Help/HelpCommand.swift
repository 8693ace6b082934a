import CommandLine
import CommandSupport

struct HelpCommand: Command {
  static let name = "help"
  static let summary = "show how to use news, a group of commands or a command"
  static let synopsis = "[COMMAND|GROUP|TOPIC]"
  static let examples = [
    HelpExample("news help", "all commands"),
    HelpExample("news help reading", "the commands to read with"),
    HelpExample("news help list", "examples and options of `news list`"),
    HelpExample("news help search", "what searches understand; so keys, and defaults"),
  ]
  static let options = [Pager.option]
  static let json: JSONForm? = .array("the commands, or those that were named", HelpJSON.fields)

  private static let beginning = [
    HelpExample("news subscribe URL|FILE", "follow a feed, or the feed of a web page"),
    HelpExample("news refresh", "fetch all feeds now and show what is new"),
    HelpExample("news list", "list the newest stories, numbered"),
    HelpExample("news show 3", "read story 3; `news open 3` prints its link"),
    HelpExample("news browse", "read in a full-screen view; ? shows the keys"),
    HelpExample("news schedule install", "fetch in the background from now on"),
  ]

  private static let onDefaults =
    "Options that you always give can stand in ~/.config/news/defaults, in lines such as `list -n 30`: "
    + "they are put before those that you type, which win."

  private static let onTopics =
    "More: " + HelpTopic.allCases.map { "`news help \($0)`" }.joined(separator: ", ") + "."

  let context: CommandContext

  func run() throws -> ExitStatus {
    let words = context.arguments.operands
    guard words.count < 2 else { throw usage("help takes one command: news help \(words[0])") }
    guard let word = words.first else { return printHelp(of: nil) }
    if let command = CommandList.news.command(named: word) { return printHelp(of: command) }
    if let topic = HelpTopic(rawValue: word) {
      return print(topic.text(help, context.environment), [])
    }
    guard let index = CommandList.news.groups.firstIndex(where: { $0.name == word }) else {
      throw CommandList.news.unknown(word)
    }
    return print(
      help.text(of: ProgramDeclaration.news.groups[index]),
      CommandList.news.groups[index].commands,
    )
  }

  func printHelp(of command: (any Command.Type)?) -> ExitStatus {
    print(
      command.map { help.text(of: $0) + defaults(of: $0) }
        ?? help.overview(Self.beginning, notes: [Self.onDefaults, Self.onTopics]),
      command.map { [$0] } ?? CommandList.news.all,
    )
  }

  /// Returns the lines of the reader's defaults that hold for a command; empty where there are none.
  private func defaults(of command: any Command.Type) -> String {
    guard !context.arguments.has("no-defaults") else { return "" }
    let defaults = CommandDefaults(context.environment)
    let lines = defaults.lines.filter { $0.command == nil || $0.command == command.name }
    guard !lines.isEmpty, command.takesDefaults(Arguments()) else { return "" }
    let title = context.style.bold("Your defaults") + " (\(defaults.name ?? "")):\n"
    return "\n" + title + lines.map { "  \(SafeText.line($0.text))\n" }.joined()
  }

  private var help: Help {
    Help(.news, columns: context.columns, style: context.style)
  }

  private func print(_ text: String, _ commands: [any Command.Type]) -> ExitStatus {
    if context.isJSON {
      context.output.printJSON(commands, HelpJSON.fields)
      return .done
    }
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
