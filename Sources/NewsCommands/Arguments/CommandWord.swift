/// Finds the command among the words, whatever options stand before it.
enum CommandWord {
  /// - Returns: the command, nil when there is no operand at all, and the words without it.
  static func split(
    _ words: [String]
  ) throws(CommandError) -> (command: (any Command.Type)?, rest: [String]) {
    guard let index = position(in: words) else { return (nil, words) }
    guard let command = CommandList.command(named: words[index]) else {
      throw CommandList.unknown(words[index])
    }
    var rest = words
    rest.remove(at: index)
    // A "--" before the command ended the options of `news`, not those of the command.
    if index > 0, words[index - 1] == "--" { rest.remove(at: index - 1) }
    return (command, rest)
  }

  /// The first word that is no option and no value of an option.
  private static func position(in words: [String]) -> Int? {
    var index = 0
    while index < words.count {
      let word = words[index]
      if word == "--" { return index + 1 < words.count ? index + 1 : nil }
      if !word.hasPrefix("-") || word == "-" { return index }
      index += takesNextWord(word) ? 2 : 1
    }
    return nil
  }

  /// Whether the option's value is the next word, by the options of all commands together: an
  /// option takes a value in every command that has it, or in none.
  private static func takesNextWord(_ word: String) -> Bool {
    guard !word.contains("=") else { return false }
    var all = CommandOption.global
    for command in CommandList.all { all += command.options }
    if word.hasPrefix("--") { return all.contains { $0.spelling == word && $0.value != nil } }
    guard let last = word.last, word.count == 2 else { return false }
    return all.contains { $0.letter == last && $0.value != nil }
  }
}
