/// The command line: words in, words out, exit status.
///
/// The one place that turns errors into text and a status (design §2).
package enum NewsCommand {
  /// Runs the command that `arguments` (without the program's name) ask for.
  package static func run(arguments: [String], environment: Environment) -> Int32 {
    let status: ExitStatus
    do {
      status = try dispatch(arguments, environment)
    } catch {
      environment.output.flush()
      Self.report(error, to: environment)
      status = error.status
    }
    return finish(status, environment).code
  }

  private static func dispatch(
    _ words: [String],
    _ environment: Environment,
  ) throws(CommandError) -> ExitStatus {
    let (command, rest) = try CommandWord.split(words)
    let reader = ArgumentReader(
      options: CommandOption.global + (command?.options ?? []),
      command: command?.name,
    )
    let context = try CommandContext(
      command: command?.name,
      arguments: try reader.read(rest),
      environment: environment,
    )
    if context.arguments.has("version") { return VersionText.print(context) }
    if context.arguments.has("help") { return HelpCommand.printHelp(of: command, context) }
    guard let command else { return try Welcome.run(context) }
    return try command.run(context)
  }

  private static func report(_ error: CommandError, to environment: Environment) {
    for (index, line) in error.lines.enumerated() {
      environment.errorOutput.printLine(index == 0 ? "news: \(line)" : line)
    }
  }

  /// What was not written makes a failure of success, except when the reader went away.
  private static func finish(_ status: ExitStatus, _ environment: Environment) -> ExitStatus {
    let output = environment.output
    output.flush()
    guard output.hasFailed, !output.isClosedByReader else {
      environment.errorOutput.flush()
      return status
    }
    let reason = SystemCalls.message(output.failure)
    environment.errorOutput.printLine("news: standard output: \(reason)")
    environment.errorOutput.flush()
    return status == .done || status == .noData ? .failed : status
  }
}

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
