/// `news man`: prints the manual page.
enum ManCommand: Command {
  static let name = "man"
  static let summary = "print the manual page"
  static let synopsis = ""
  static let examples = [
    HelpExample("news man | man -l -", "read it"),
    HelpExample("news man > ~/.local/share/man/man1/news.1", "install it"),
  ]
  static let notes = ["It is written in mdoc(7), for man, mandoc and groff."]

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else { throw usage("man takes no operands: news man") }
    context.output.print(ManualPage(commands: CommandList.all).source)
    if context.isOnTerminal { context.say("to read it: news man | man -l -") }
    return .done
  }
}
