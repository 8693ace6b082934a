import CommandLine
import CommandSupport

struct ManCommand: Command {
  static let name = "man"
  static let summary = "show the manual page, or that of one command; piped, print its source"
  static let synopsis = "[COMMAND|json]"
  static let examples = [
    HelpExample("news man", "read it"),
    HelpExample("news man list", "read the page of one command"),
    HelpExample("news man json", "read which keys --json prints"),
    HelpExample("news man > ~/.local/share/man/man1/news.1", "install it"),
  ]
  static let notes = [
    "It is written in mdoc(7), for man, mandoc and groff. With a command it is a page of that alone: "
      + "its options, notes, keys of JSON and examples. `json` is the page of all keys of JSON."
  ]

  static let needsTerminal = true

  static let readers = [["man", "-l", "-"], ["mandoc", "-a"]]

  let context: CommandContext

  func run() throws -> ExitStatus {
    let words = context.arguments.operands
    guard words.count < 2 else { throw usage("man takes one command: news man \(words[0])") }
    let page = ManualPage(.news, .news)
    let source =
      try words.first.map { word in
        if word == "json" { return page.jsonSource }
        guard let command = CommandList.news.command(named: word) else {
          throw CommandList.news.unknown(word)
        }
        return page.source(of: command)
      } ?? page.source
    if context.isOnTerminal, let status = show(source) { return status == 0 ? .done : .failed }
    context.output.print(source)
    if context.isOnTerminal {
      context.output.flush()
      context.say("to read it, install man-db or mandoc")
    }
    return .done
  }

  /// Returns the exit status of the program that showed the page; nil where there is none.
  private func show(_ source: String) -> Int32? {
    context.output.flush()
    // In fewer columns groff 1.22 never ends: the title of a page does not fit there.
    let wanted = context.environment.variable("MANWIDTH").flatMap { Int($0) } ?? 0
    let columns = wanted > 0 ? wanted : context.columns
    let variables = columns < 40 ? ["MANWIDTH": "40"] : [:]
    return Self.readers.lazy
      .map { words in context.environment.showInPager(words, variables, [source]) }
      // The shell's statuses for a program that was not started (126) or not found (127).
      .first { ![126, 127].contains($0) }
  }
}
