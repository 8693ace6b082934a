import CommandLine
import CommandSupport

struct ManCommand: Command {
  static let name = "man"
  static let summary = "show the manual page, or print its source when piped"
  static let synopsis = ""
  static let examples = [
    HelpExample("news man", "read it"),
    HelpExample("news man > ~/.local/share/man/man1/news.1", "install it"),
  ]
  static let notes = ["It is written in mdoc(7), for man, mandoc and groff."]

  static let needsTerminal = true

  static let readers = [["man", "-l", "-"], ["mandoc", "-a"]]

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else { throw usage("man takes no operands: news man") }
    let source = ManualPage(.news, .news).source
    if context.isOnTerminal, isShown(source) { return .done }
    context.output.print(source)
    if context.isOnTerminal { context.say("to read it, install man-db or mandoc") }
    return .done
  }

  private func isShown(_ source: String) -> Bool {
    context.output.flush()
    return Self.readers.contains { words in
      // The shell's statuses for a program that was not started (126) or not found (127).
      ![126, 127].contains(context.environment.showInPager(words, [:], [source]))
    }
  }
}
