import CommandLine
import CommandSupport
import Synchronization
import System

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
    let takesDefaults = command?.takesDefaults(typed) ?? true
    defaults =
      takesDefaults && !typed.has("no-defaults") ? CommandDefaults(environment) : nil
    self.command = command
    let hasLines = defaults?.lines.isEmpty == false
    self.environment = hasLines ? environment.givingInputAgain : environment
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
    // The table view, which runs all commands, has told of all lines when it began.
    guard let defaults, !environment.isInTableView else { return }
    let isView = command?.name == "browse"
    let faults = defaults.faults.filter { fault in
      let isOfCommand = fault.command != nil && (fault.command == command?.name || isView)
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
      if let defaults, let line = lines.last(where: { hasValue(refusedFor: reason, $0) }) {
        // At once: a command may run for days.
        try context().complain(defaults.message(line.fault(reason)))
        lines.removeAll { $0.number == line.number }
        outcome = self.outcome(of: body, lines)
        continue
      }
      let left: [DefaultLine]
      (left, outcome) = outcomeWithoutFault(of: body, lines, reason)
      let numbers = Set(left.map(\.number))
      lines.removeAll { numbers.contains($0.number) }
      faults += left.map { $0.fault(reason) }
    }
    // Without any line it is a fault of what was typed.
    if let defaults, Self.misuse(outcome) == nil {
      for fault in faults { try context().complain(defaults.message(fault)) }
    }
    do { return try outcome.get() } catch { throw named(error, among: lines) }
  }

  /// Returns true if the reason is about an option's value, and the value is that of a line.
  private func hasValue(refusedFor reason: String, _ line: DefaultLine) -> Bool {
    (CommandOption.global + (command?.options ?? [])).contains { option in
      reason.hasPrefix("\(option.spelling): ") && line.arguments.has(option.key)
        && !typed.has(option.key)
    }
  }

  /// Names the line by which a failure came, if it came by the value of an option there.
  private func named(_ error: any Error, among lines: [DefaultLine]) -> any Error {
    guard let defaults, let failure = error as? Failure, let option = failure.source.first,
      let line = lines.first(where: { $0.arguments.values(option).contains(failure.source[1]) }),
      !typed.values(option).contains(failure.source[1])
    else { return error }
    let message = defaults.message(line.fault(failure.message))
    return Failure(message, choices: failure.choices, status: failure.status)
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

extension Environment {
  /// The environment of a command that may be tried again, with the words on standard input.
  fileprivate var givingInputAgain: Environment {
    var environment = self
    let (read, known) = (readInput, InputBefore())
    environment.readInput = { limit, body throws(FileReadingError) in
      if let bytes = known.bytes { return bytes.withUnsafeBytes(body) }
      // A whole file that is imported is read behind all checks of words.
      guard limit <= CommandContext.maximumInput else { return try read(limit, body) }
      var bytes: [UInt8] = []
      try read(limit) { bytes += $0 }
      known.bytes = bytes
      bytes.withUnsafeBytes(body)
    }
    return environment
  }
}

private final class InputBefore: Sendable {
  private let value = Mutex<[UInt8]?>(nil)

  var bytes: [UInt8]? {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}
