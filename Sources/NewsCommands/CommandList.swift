/// All commands, in the order of the help.
enum CommandList {
  static let all: [any Command.Type] = [
    SubscribeCommand.self, UnsubscribeCommand.self, FeedsCommand.self,
    RefreshCommand.self, FetchCommand.self,
    ListCommand.self, OpenCommand.self, ShowCommand.self, WhyCommand.self,
    ReadCommand.self, UnreadCommand.self, StarCommand.self, UnstarCommand.self,
    ClearCommand.self, UndoCommand.self,
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
