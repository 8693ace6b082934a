package import CommandLine

/// The commands of a program, and other programs' words for them.
package struct CommandList: Sendable {
  package typealias Group = (name: String, title: String, commands: [any Command.Type])

  package let groups: [Group]
  package let all: [any Command.Type]
  /// Commands that other programs call; no help has them.
  private let hidden: [any Command.Type]
  // PERF: pairs and not dictionaries, which each start would fill and hardly one asks.
  private let synonyms: KeyValuePairs<String, String>
  /// Options of other programs, each with ours; proposed only where the command has that one.
  package let optionSynonyms: KeyValuePairs<String, String>

  package init(
    groups: [Group],
    hidden: [any Command.Type],
    synonyms: KeyValuePairs<String, String>,
    optionSynonyms: KeyValuePairs<String, String>,
  ) {
    (self.groups, self.hidden) = (groups, hidden)
    (self.synonyms, self.optionSynonyms) = (synonyms, optionSynonyms)
    all = groups.flatMap { $0.commands }
  }

  package var program: ProgramDeclaration {
    ProgramDeclaration(
      name: "news",
      summary: "an RSS news aggregator for the command line",
      groups: groups.map { CommandGroup(name: $0.name, title: $0.title, commands: $0.commands) },
      options: CommandOption.global,
    )
  }

  /// The options of all commands: one takes a value in every command that has it, or in none.
  private var options: [CommandOption] { all.flatMap { $0.options } }

  package func command(named name: String) -> (any Command.Type)? {
    (all + hidden).first { $0.name == name }
  }

  /// Returns a proposal for a word that is no command: a URL, a number, another program's word.
  private func meant(by word: String) -> String? {
    if word.contains("://") { return "subscribe \(ShellWord.proposed(word, or: "URL"))" }
    if word.hasPrefix("-") { return "list \(word)" }
    if StoryOperand(word) != nil { return "show \(word)" }
    let synonym = synonyms.first { $0.key == word.lowercased() }?.value
    return synonym ?? Spelling.nearest(to: word, among: all.map { $0.name })
  }

  private func reader(of command: (any Command.Type)?) -> ArgumentReader {
    ArgumentReader(
      options: CommandOption.global + (command?.options ?? []),
      command: command?.name,
      synonyms: optionSynonyms,
    )
  }

  package func arguments(_ words: [String], of command: (any Command.Type)?) throws -> Arguments {
    try reader(of: command).read(words)
  }

  package func unknown(_ word: String) -> Failure {
    .usage(unknownWord(word), command: nil)
  }

  package func unknownWord(_ word: String) -> String {
    let hint = meant(by: word).map { "; did you mean `news \($0)`?" } ?? ""
    return "unknown command \(Spelling.quoted(word))\(hint)"
  }

  /// Finds the command among the words, whatever options stand before it.
  ///
  /// - Returns: the command, nil when there is no operand at all, and the words without it.
  package func split(_ words: [String]) throws -> (command: (any Command.Type)?, rest: [String]) {
    guard let index = position(in: words) else { return (nil, words) }
    var rest = words
    let word = rest.remove(at: index)
    guard let command = command(named: word) else {
      // Some type the program's name as well, above all in the table view and in files.
      guard word == program.name else {
        throw unknown(index > 0 && words[index - 1] == "-n" ? "-n \(word)" : word)
      }
      return try split(rest)
    }
    // A "--" before the command ended the options of `news`, not those of the command.
    if index > 0, words[index - 1] == "--" { rest.remove(at: index - 1) }
    return (command, rest)
  }

  private func position(in words: [String]) -> Int? {
    var index = 0
    while index < words.count {
      let word = words[index]
      if word == "--" { return index + 1 < words.count ? index + 1 : nil }
      if !word.hasPrefix("-") || word == "-" { return index }
      // PERF: the options of all commands are not looked at for `--home`.
      let isWaiting =
        CommandOption.global.waiting(behind: word) != nil
        || (CommandOption.global + options).waiting(behind: word) != nil
      index += isWaiting ? 2 : 1
    }
    return nil
  }
}
