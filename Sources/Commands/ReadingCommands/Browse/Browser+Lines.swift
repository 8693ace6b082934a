import CommandLine
import CommandSupport
import FeedModel
import Searching

// MARK: Lines of keys, and lines typed behind `:`

extension Browser {
  mutating func run(_ line: String) throws -> [BrowserAction] {
    // Tab leaves a blank behind a word.
    let name = line.split(separator: " ").joined(separator: " ")
    if let act = BrowserKeys.key(for: name)?.act { return try act(&self) }
    if line.hasPrefix(":") { return askForLine(String(line.dropFirst())) }
    if let program = BrowserProgram(line) { return [.program(program, try takeMeant())] }
    let words = ShellLine(line).words
    return words.isEmpty ? [] : try run(words)
  }

  /// Runs a command of `news`; without operands it acts on the chosen stories or their feed.
  private mutating func run(_ words: [String]) throws -> [BrowserAction] {
    let (command, rest) = try keys.commands.split(words)
    guard let command else { return say("no command given: ? shows them") }
    let arguments = try keys.commands.arguments(rest, of: command)
    guard !arguments.has("follow") else { return say("this list already follows") }
    if command == UndoCommand.self, UndoCommand.meansLast(rest), let actions = takeBackReading() {
      return actions
    }
    readInPassing = []
    if command == NoteCommand.self, let first = arguments.operands.first,
      !arguments.has("all"), !StoryOperand.isList(first)
    {
      let text = arguments.operands.joined(separator: " ")
      return [.command(NoteCommand.words(text, of: try takeMeant().map(\.id)))]
    }
    let all = [command.name] + rest + (try operands(of: command, arguments))
    if isForAll(command, arguments) { return [.confirmAll(all)] }
    return [command.needsTerminal || arguments.has("browser") ? .inTerminal(all) : .command(all)]
  }

  /// Returns true for marks on all stories of which none is narrowed down, and that do not ask.
  private func isForAll(_ command: any Command.Type, _ arguments: Arguments) -> Bool {
    guard let marking = command as? any MarkingCommand.Type, arguments.has("all") else {
      return false
    }
    let asks = marking.options.contains { $0.key == Confirmation.option.key }
    return !asks && !StoryQuery.options.contains { arguments.has($0.key) }
  }

  /// Asks before a command takes more stories than the list shows.
  mutating func confirmAll(_ words: [String], of count: Int) -> [BrowserAction] {
    guard count > stories.listed.count else { return [.command(words)] }
    let text =
      "\(words.joined(separator: " ")): \(Count.stories(count)) in all feeds, "
      + "\(stories.listed.count) here? [y/N] "
    question = BrowserQuestion(.confirm(words, text))
    return []
  }

  /// Options with which a command needs no story numbers.
  private static let choosing = StoryQuery.options.map(\.key) + ["all", "clean", "latest", "help"]

  /// Returns the operands that a line left out, by the first word of the command's synopsis.
  private mutating func operands(
    of command: any Command.Type,
    _ arguments: Arguments,
  ) throws -> [String] {
    let first = command.synopsis.prefix { $0 != " " }
    let wanted = first.prefix { $0.isLetter }
    let takesFeeds = wanted == "FEED" || focus == .feeds && first.contains("|FEED")
    let isFeed = takesFeeds && arguments.operands.isEmpty
    if isFeed || command.name == "feeds" && arguments.operands == ["set"] {
      return try takeMeantFeeds()
    }
    let leading = wanted == "TAG" ? 1 : 0
    guard wanted == "N" || leading > 0, arguments.operands.count == leading,
      !Self.choosing.contains(where: arguments.has)
    else { return [] }
    return try takeMeant(wholeRows: command is any MarkingCommand.Type).map(\.id)
  }
}
