import CommandLine

enum CommandList {
  static let groups: [(name: String, title: String, commands: [any Command.Type])] = [
    (
      "reading", "Read",
      [
        ListCommand.self, BrowseCommand.self, ShowCommand.self, OpenCommand.self, PlayCommand.self,
        DownloadCommand.self, ReadCommand.self, UnreadCommand.self, StarCommand.self,
        UnstarCommand.self, TagCommand.self, UntagCommand.self, NoteCommand.self,
        DeleteCommand.self, ClearCommand.self, UndoCommand.self, RedoCommand.self,
      ],
    ),
    (
      "following", "Follow feeds",
      [
        SubscribeCommand.self, UnsubscribeCommand.self, MoveCommand.self, FeedsCommand.self,
        SaveCommand.self, RefreshCommand.self, RulesCommand.self,
      ],
    ),
    ("background", "Fetch in the background", [ScheduleCommand.self, FetchCommand.self]),
    ("machines", "Use several machines", [SyncCommand.self, ServeCommand.self]),
    (
      "sharing", "Import, export and publish",
      [ImportCommand.self, ExportCommand.self, PublishCommand.self],
    ),
    (
      "inspecting", "Look into things",
      [
        WhyCommand.self, DoctorCommand.self, LogCommand.self, StatsCommand.self, ParseCommand.self,
        HelpCommand.self, ManCommand.self, CompletionsCommand.self,
      ],
    ),
  ]

  static let all: [any Command.Type] = groups.flatMap { $0.commands }

  /// Commands that other programs call; no help has them.
  private static let hidden: [any Command.Type] = [CompleteCommand.self]

  /// The options of all commands: one takes a value in every command that has it, or in none.
  static var options: [CommandOption] { all.flatMap { $0.options } }

  static func command(named name: String) -> (any Command.Type)? {
    (all + hidden).first { $0.name == name }
  }

  /// Returns a proposal for a word that is no command: a URL, a number, another program's word.
  private static func meant(by word: String) -> String? {
    if word.contains("://") { return "subscribe \(ShellWord.proposed(word, or: "URL"))" }
    if StoryOperand(word) != nil { return "open \(word)" }
    return synonyms[word.lowercased()] ?? Spelling.nearest(to: word, among: all.map { $0.name })
  }

  private static let synonyms = [
    "add": "subscribe", "follow": "subscribe", "remove": "unsubscribe",
    "rm": "unsubscribe", "unfollow": "unsubscribe", "update": "refresh",
    "reload": "refresh", "pull": "refresh", "ls": "list", "view": "show", "cat": "show",
    "bookmark": "star", "annotate": "note", "comment": "note", "history": "log",
    "statistics": "stats", "opml": "export",
    "manual": "man",
    "search": "list --grep TEXT", "find": "list --grep TEXT", "grep": "list --grep TEXT",
    "rename": "feeds set FEED --title TITLE",
    "filter": "rules", "filters": "rules", "mute": "rules", "searches": "rules",
    "mark": "read N", "next": "list --unread",
    "server": "serve", "phone": "serve",
    "timer": "schedule install", "cron": "schedule install", "daemon": "schedule install",
    "check": "doctor", "completion": "completions", "version": "--version",
  ]

  /// Options of other programs, each with ours; proposed only where the command has that one.
  static let optionSynonyms = [
    "--tag": "--feed tag:NAME", "--limit": "-n 10", "--count": "-n 10", "--max": "-n 10",
    "--number": "-n 10", "--head": "-n 10", "-l": "-n 10",
    "--sort": "--grep sort:title", "--order": "--grep sort:title",
    "--oldest": "--reverse", "--oldest-first": "--reverse", "--asc": "--reverse",
    "--search": "--grep TEXT", "--query": "--grep TEXT", "--filter": "--grep TEXT",
    "--title": "--grep title:WORD", "--author": "--grep author:NAME", "--read": "--grep is:read",
    "--today": "--since today", "--after": "--since WHEN", "--from": "--since WHEN",
    "--before": "--until WHEN", "--to": "--until WHEN",
    "--source": "--feed FEED", "--category": "--grep category:NAME", "--site": "--grep site:HOST",
    "--csv": "--format TEMPLATE", "--template": "--format TEMPLATE",
    "--watch": "--follow", "--tail": "--follow", "--iso": "--dates iso",
  ]

  static func reader(of command: (any Command.Type)?) -> ArgumentReader {
    ArgumentReader(
      options: CommandOption.global + (command?.options ?? []),
      command: command?.name,
      synonyms: optionSynonyms,
    )
  }

  static func unknown(_ word: String) -> CommandError {
    let hint = meant(by: word).map { "; did you mean `news \($0)`?" } ?? ""
    return .usage("unknown command \(Spelling.quoted(word))\(hint)", command: nil)
  }

  /// Finds the command among the words, whatever options stand before it.
  ///
  /// - Returns: the command, nil when there is no operand at all, and the words without it.
  static func split(
    _ words: [String]
  ) throws(CommandError) -> (command: (any Command.Type)?, rest: [String]) {
    guard let index = position(in: words) else { return (nil, words) }
    guard let command = command(named: words[index]) else { throw unknown(words[index]) }
    var rest = words
    rest.remove(at: index)
    // A "--" before the command ended the options of `news`, not those of the command.
    if index > 0, words[index - 1] == "--" { rest.remove(at: index - 1) }
    return (command, rest)
  }

  private static func position(in words: [String]) -> Int? {
    var index = 0
    while index < words.count {
      let word = words[index]
      if word == "--" { return index + 1 < words.count ? index + 1 : nil }
      if !word.hasPrefix("-") || word == "-" { return index }
      let known = CommandOption.global + options
      index += known.waiting(behind: word) == nil ? 1 : 2
    }
    return nil
  }
}

extension ProgramDeclaration {
  static let news = ProgramDeclaration(
    name: "news",
    summary: "an RSS news aggregator for the command line",
    groups: CommandList.groups.map {
      CommandGroup(name: $0.name, title: $0.title, commands: $0.commands)
    },
    options: CommandOption.global,
  )
}
