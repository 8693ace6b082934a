import CommandLine
import CommandSupport

/// A command line that was read, with the lines of the defaults that go before it.
struct CommandCall {
  let command: (any Command.Type)?
  private let typed: Arguments
  private let defaults: CommandDefaults?
  private let environment: Environment

  /// The faults that are told at once; `doctor` tells all.
  private static let mostFaults = 3

  init(_ words: [String], _ environment: Environment) throws {
    let (command, rest) = try CommandList.news.split(words)
    typed = try CommandList.news.arguments(rest, of: command)
    (self.command, self.environment) = (command, environment)
    let takesDefaults = command?.takesDefaults(typed) ?? true
    defaults =
      takesDefaults && !typed.has("no-defaults") ? CommandDefaults(environment) : nil
  }

  private var lines: [DefaultLine] { defaults?.lines(of: command, typed) ?? [] }

  func context() throws -> CommandContext { try context(lines) }

  private func context(_ lines: [DefaultLine]) throws -> CommandContext {
    let rivals = [["quiet", "verbose"]] + (command?.rivals ?? [])
    let before = lines.reduce(Arguments()) { $1.arguments.over($0, rivals: rivals) }
    return try CommandContext(
      command: command?.name,
      arguments: typed.over(before, rivals: rivals),
      environment: environment,
    )
  }

  /// Tells of lines that are left out: those of this command, and without `--quiet` of no command.
  func tellFaults(_ context: CommandContext) {
    // The table view has told of them when it began.
    guard let defaults, !environment.isInTableView else { return }
    let faults = defaults.faults.filter { fault in
      let isOfCommand = fault.command == command?.name && fault.command != nil
      return isOfCommand || fault.number == nil || fault.command == nil && !context.isQuiet
    }
    for fault in faults.prefix(Self.mostFaults) { context.complain(defaults.message(fault)) }
    guard faults.count > Self.mostFaults else { return }
    context.complain("\(faults.count - Self.mostFaults) more lines are wrong: news doctor")
  }

  typealias Body = (CommandContext) throws -> ExitStatus
  private typealias Outcome = Result<ExitStatus, any Error>

  /// Runs the command; a line of the defaults that it takes for wrong use is named and left out.
  ///
  /// Wrong use is told before anything is done, so that a command can be tried again.
  func run(_ body: Body) throws -> ExitStatus {
    var (lines, faults): ([DefaultLine], [CommandDefaults.Fault]) = (lines, [])
    var outcome = outcome(of: body, lines)
    while let reason = Self.misuse(outcome), !lines.isEmpty {
      let left: [DefaultLine]
      (left, outcome) = outcomeWithoutFault(of: body, lines, reason)
      let numbers = Set(left.map(\.number))
      lines.removeAll { numbers.contains($0.number) }
      faults += left.map { .init(number: $0.number, command: command?.name, reason: reason) }
    }
    // Without any line it is a fault of what was typed.
    if let defaults, Self.misuse(outcome) == nil {
      for fault in faults { try context().complain(defaults.message(fault)) }
    }
    return try outcome.get()
  }

  private func outcome(of body: Body, _ lines: [DefaultLine]) -> Outcome {
    Outcome { try body(try context(lines)) }
  }

  /// Leaves out the line with which the reason goes, or all where it goes with none.
  private func outcomeWithoutFault(
    of body: Body,
    _ lines: [DefaultLine],
    _ reason: String,
  ) -> (left: [DefaultLine], Outcome) {
    for line in lines {
      let outcome = outcome(of: body, lines.filter { $0.number != line.number })
      if Self.misuse(outcome) != reason { return ([line], outcome) }
    }
    return (lines, outcome(of: body, []))
  }

  private static func misuse(_ outcome: Outcome) -> String? {
    guard case .failure(let failure as Failure) = outcome else { return nil }
    return failure.status == .usage ? failure.message : nil
  }
}
