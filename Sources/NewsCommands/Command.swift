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

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus
}

extension Command {
  static var options: [CommandOption] { [] }
  static var notes: [String] { [] }

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

/// All commands, in the order of the help.
enum CommandList {
  static let all: [any Command.Type] = [
    SubscribeCommand.self, UnsubscribeCommand.self, FeedsCommand.self,
    RefreshCommand.self, FetchCommand.self,
    ListCommand.self, OpenCommand.self, ShowCommand.self,
    ReadCommand.self, UnreadCommand.self, StarCommand.self, UnstarCommand.self,
    ClearCommand.self,
    ImportCommand.self, ExportCommand.self,
    ParseCommand.self, LogCommand.self, HelpCommand.self,
  ]

  static func command(named name: String) -> (any Command.Type)? {
    all.first { $0.name == name }
  }

  /// The error for a word that is no command.
  static func unknown(_ word: String) -> CommandError {
    let hint =
      Spelling.nearest(to: word, among: all.map { $0.name })
      .map { "; did you mean `news \($0)`?" } ?? ""
    return .usage("unknown command \(Spelling.quoted(word))\(hint)", command: nil)
  }
}
