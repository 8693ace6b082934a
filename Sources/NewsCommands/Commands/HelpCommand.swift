/// `news help`: how everything is used.
enum HelpCommand: Command {
  static let name = "help"
  static let summary = "how to use news, or one of its commands"
  static let synopsis = "[COMMAND]"
  static let examples = [
    HelpExample("news help", "all commands"),
    HelpExample("news help list", "examples and options of `news list`"),
  ]

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    guard let word = context.arguments.operands.first else {
      return printHelp(of: nil, context)
    }
    guard let command = CommandList.command(named: word) else { throw CommandList.unknown(word) }
    return printHelp(of: command, context)
  }

  /// The help of a command, or of `news` itself.
  static func printHelp(of command: (any Command.Type)?, _ context: CommandContext) -> ExitStatus {
    let help = Help(columns: context.columns, style: context.style)
    context.output.print(command.map(help.text) ?? help.overview(CommandList.all))
    return .done
  }
}
