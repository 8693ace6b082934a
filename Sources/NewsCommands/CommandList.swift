/// All commands, in the order of the help.
enum CommandList {
  static let all: [any Command.Type] = [
    SubscribeCommand.self, UnsubscribeCommand.self, MoveCommand.self, FeedsCommand.self,
    RefreshCommand.self, FetchCommand.self,
    ListCommand.self, OpenCommand.self, ShowCommand.self, WhyCommand.self,
    ReadCommand.self, UnreadCommand.self, StarCommand.self, UnstarCommand.self,
    ClearCommand.self, UndoCommand.self,
    ImportCommand.self, ExportCommand.self,
    ParseCommand.self, LogCommand.self,
    DoctorCommand.self, ManCommand.self, CompletionsCommand.self, HelpCommand.self,
  ]

  /// What other programs call: in no help.
  private static let hidden: [any Command.Type] = [CompleteCommand.self]

  static func command(named name: String) -> (any Command.Type)? {
    (all + hidden).first { $0.name == name }
  }

  /// What other programs call the same, and words that need no command to be understood.
  private static func meant(by word: String) -> String? {
    if word.contains("://") { return "subscribe \(ShellWord.proposed(word, or: "URL"))" }
    if StoryNumbers.read(word) != nil { return "open \(word)" }
    return synonyms[word.lowercased()] ?? Spelling.nearest(to: word, among: all.map { $0.name })
  }

  private static let synonyms = [
    "add": "subscribe", "follow": "subscribe", "delete": "unsubscribe", "remove": "unsubscribe",
    "rm": "unsubscribe", "unfollow": "unsubscribe", "update": "refresh", "sync": "refresh",
    "reload": "refresh", "pull": "refresh", "ls": "list", "view": "show", "cat": "show",
    "save": "star", "bookmark": "star", "history": "log", "opml": "export", "manual": "man",
    "check": "doctor", "completion": "completions", "version": "--version",
  ]

  /// The error for a word that is no command.
  static func unknown(_ word: String) -> CommandError {
    let hint = meant(by: word).map { "; did you mean `news \($0)`?" } ?? ""
    return .usage("unknown command \(Spelling.quoted(word))\(hint)", command: nil)
  }
}
