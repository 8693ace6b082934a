/// `news help`: how everything is used.
enum HelpCommand: Command {
  static let name = "help"
  static let summary = "how to use news, or one of its commands"
  static let synopsis = "[COMMAND]"
  static let examples = [
    HelpExample("news help", "all commands"),
    HelpExample("news help list", "examples and options of `news list`"),
  ]
  static let options = [Pager.option]
  static let json: JSONForm? = .array("the commands, or the one that was named", HelpJSON.keys)

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    let words = context.arguments.operands
    guard words.count < 2 else { throw usage("help takes one command: news help \(words[0])") }
    guard let word = words.first else {
      return printHelp(of: nil, context)
    }
    guard let command = CommandList.command(named: word) else { throw CommandList.unknown(word) }
    return printHelp(of: command, context)
  }

  /// The help of a command, or of `news` itself.
  static func printHelp(of command: (any Command.Type)?, _ context: CommandContext) -> ExitStatus {
    if context.isJSON {
      var array = JSONArrayPrinter(context.output)
      for command in command.map({ [$0] }) ?? CommandList.all {
        array.print(HelpJSON.value(command))
      }
      array.finish()
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
