/// The thing that is to be completed at the cursor, by the table of options that reads the line.
package struct CompletionPoint {
  package enum Subject: Hashable, Sendable {
    case command
    case option
    case operand([String])
    /// The value of an option; `spelled` is the text before it in the same word.
    case value([String], spelled: String)
  }

  private let program: ProgramDeclaration
  package private(set) var command: (any CommandDeclaration.Type)?
  package private(set) var subject = Subject.command
  package private(set) var typed: String
  package private(set) var home: String?

  private var operands = 0
  private var isPastOptions = false
  private var waiting: CommandOption?

  /// - Parameters:
  ///   - program: The program that is called.
  ///   - words: Those before the cursor's, without the program's name.
  ///   - current: The word with the cursor, up to the cursor; empty for a new one.
  package init(_ program: ProgramDeclaration, words: [String], current: String) {
    self.program = program
    typed = current
    for word in words { pass(word) }
    subject = subject(of: current)
  }

  package var options: [CommandOption] {
    program.options + (command?.options ?? program.commandOptions)
  }

  private mutating func pass(_ word: String) {
    if let option = waiting {
      waiting = nil
      if option.key == "home" { home = word }
    } else if isPastOptions || !word.hasPrefix("-") || word == "-" {
      passOperand(word)
    } else if word == "--" {
      isPastOptions = true
    } else {
      passOption(word)
    }
  }

  private mutating func passOperand(_ word: String) {
    if command == nil {
      command = program.command(named: word)
    } else {
      operands += 1
    }
  }

  private mutating func passOption(_ word: String) {
    if word.hasPrefix("--home=") { home = String(word.dropFirst(7)) }
    waiting = options.waiting(behind: word)
  }

  private mutating func subject(of word: String) -> Subject {
    if let option = waiting { return .value(option.alternatives, spelled: "") }
    guard word.hasPrefix("-"), !isPastOptions else { return operand }
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return .option }
    let name = word[..<equals]
    typed = String(word[word.index(after: equals)...])
    let option = options.first { $0.spelling == name }
    return .value(option?.alternatives ?? [], spelled: name + "=")
  }

  private var operand: Subject {
    guard let command else { return .command }
    let synopsis = Synopsis(command.synopsis, options: command.options)
    return .operand(synopsis.alternatives(at: operands))
  }
}
