/// A command: its words for the help, its options, and what it does.
protocol Command: Sendable {
  /// The word that calls it.
  static var name: String { get }
  /// What it does, in a few words that follow its name.
  static var summary: String { get }
  /// What stands after its name, such as `N… [--browser]`.
  static var synopsis: String { get }
  static var examples: [HelpExample] { get }
  static var options: [CommandOption] { get }
  /// Further paragraphs of the help.
  static var notes: [String] { get }
  /// What it prints with `--json`; nil when it prints no data.
  static var json: JSONForm? { get }

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus
}

extension Command {
  static var options: [CommandOption] { [] }
  static var notes: [String] { [] }
  static var json: JSONForm? { nil }

  /// An error of usage that points to this command's help.
  static func usage(_ message: String) -> CommandError {
    .usage(message, command: name)
  }
}

/// A command line and what it does.
struct HelpExample: Hashable, Sendable {
  let words: String
  let meaning: String

  init(_ words: String, _ meaning: String) {
    self.words = words
    self.meaning = meaning
  }
}
