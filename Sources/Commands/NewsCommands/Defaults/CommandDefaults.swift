import CommandLine
import CommandSupport

/// The options that the reader's own file puts before those of command lines.
struct CommandDefaults {
  /// A line that is left out, or the whole file.
  struct Fault: Hashable {
    /// The number of the line; nil for the file.
    let number: Int?
    /// The command that it is for; nil where that is unknown.
    let command: String?
    let reason: String
  }

  /// The path, as messages have it; nil where no file can be.
  let name: String?
  private(set) var isThere = false
  private(set) var lines: [DefaultLine] = []
  private(set) var faults: [Fault] = []

  init(_ environment: Environment) {
    guard let path = environment.defaultsPath else {
      name = nil
      return
    }
    name = environment.shortened(path)
    let text = SettingsText(at: path)
    isThere = text.isThere
    if let refusal = text.refusal ?? missing(text, environment) {
      faults = [Fault(number: nil, command: nil, reason: refusal)]
    }
    for (index, line) in text.lines.enumerated() { take(line, number: index + 1) }
  }

  private func missing(_ text: SettingsText, _ environment: Environment) -> String? {
    guard let named = environment.namedDefaults, named != "/dev/null", !text.isThere else {
      return nil
    }
    return "NEWS_DEFAULTS names no file"
  }

  private mutating func take(_ text: Substring, number: Int) {
    let line = ShellLine(String(ShellLine(String(text)).withoutComment))
    // Some write it as they type it: news list -n 30.
    let isAsTyped = line.words.first == CommandList.news.program.name
    let words = Array(line.words.dropFirst(isAsTyped ? 1 : 0))
    guard let first = words.first else { return }
    do {
      guard !line.isUnclosed else { throw Failure("a quotation mark is not closed") }
      lines.append(try DefaultLine(words, number: number))
    } catch {
      let command = CommandList.news.all.first { $0.name == first }?.name
      faults.append(Fault(number: number, command: command, reason: Failure(error).message))
    }
  }

  /// Returns the lines for what is typed: those of its command and action, and of all commands.
  func lines(of command: (any Command.Type)?, _ typed: Arguments) -> [DefaultLine] {
    let first = typed.operands.first
    let action = command?.actions.first { $0 == first }
    return lines.filter { line in
      line.command == nil || line.command == command?.name && line.action == action
    }
  }

  func message(_ fault: Fault) -> String {
    let place = fault.number.map { ", line \($0): " } ?? " is left out: "
    return "\(name ?? "")\(place)\(fault.reason)"
  }
}

/// A line of the defaults: the options of a command, of one action of it, or of all commands.
struct DefaultLine {
  let number: Int
  let command: String?
  let action: String?
  var arguments: Arguments
  /// The line as it stands, without its comment.
  let text: String

  /// Options that say what a call is, and not how it goes about it.
  private static let refused = ["home", "help", "version", "no-defaults", "serve", "keys"]

  init(_ words: [String], number: Int) throws {
    let first = words.first ?? ""
    let isOfAll = first.hasPrefix("-")
    let command = isOfAll ? nil : CommandList.news.all.first { $0.name == first }
    guard isOfAll || command != nil else {
      throw Failure(CommandList.news.unknownWord(first))
    }
    let options = Array(isOfAll ? words[...] : words.dropFirst())
    var arguments = try CommandList.news.arguments(options, of: command)
    action = command?.actions.first { $0 == arguments.operands.first }
    if let command { try command.check(command.inCompany(arguments)) }
    if action != nil { arguments.removeFirstOperand() }
    try Self.check(arguments, CommandOption.global + (command?.options ?? []))
    (self.number, self.command, self.arguments) = (number, command?.name, arguments)
    text = words.map(ShellWord.asNeeded).joined(separator: " ")
  }

  func fault(_ reason: String) -> CommandDefaults.Fault {
    CommandDefaults.Fault(number: number, command: command, reason: reason)
  }

  private static func check(_ arguments: Arguments, _ options: [CommandOption]) throws {
    if let operand = arguments.operands.first {
      throw Failure("\(Spelling.quoted(operand)) is no option, and defaults are options")
    }
    guard !arguments.isEmpty else {
      throw Failure("no option stands behind it: list -n 30")
    }
    for option in options where arguments.has(option.key) {
      guard !refused.contains(option.key) else {
        throw Failure("\(option.spelling) is for a command line alone")
      }
      if let fault = arguments.values(option.key).compactMap(option.fault).first {
        throw Failure(fault)
      }
    }
  }
}
