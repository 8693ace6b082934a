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
    try command?.check(typed)
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
    let rivals = [["quiet", "verbose"]] + (command?.allExclusions ?? [])
    let before = lines.reduce(Arguments()) { $1.arguments.over($0, rivals: rivals) }
    let all = typed.over(before, rivals: rivals)
    return try CommandContext(
      command: command?.name,
      arguments: command?.inCompany(all) ?? all,
      environment: environment,
    )
  }

  /// Tells of lines that are left out: those of this command, and without `--quiet` of no command.
  func tellFaults(_ context: CommandContext) {
    // The table view, which runs all commands, has told of all lines when it began; `doctor` finds
    // them itself.
    guard let defaults, !environment.isInTableView, command?.name != "doctor" else { return }
    let isView = command?.name == "browse"
    let words = command?.name == "help" ? typed.operands : command.map { [$0.name] } ?? []
    let faults = defaults.faults.filter { fault in
      let isOfCommand = fault.command.map { words.contains($0) || isView } ?? false
      return isOfCommand || fault.number == nil || fault.command == nil && !context.isQuiet
    }
    for fault in faults.prefix(Self.mostFaults) { context.complain(defaults.message(fault)) }
    guard faults.count > Self.mostFaults else { return }
    context.complain("\(faults.count) lines are wrong: news doctor names all")
  }

  typealias Body = (CommandContext) throws -> ExitStatus
  private typealias Outcome = Result<ExitStatus, any Error>

  /// Runs the command; an option of the defaults that it takes for wrong use is left out.
  ///
  /// Wrong use is told before anything is done, so that a command can be tried again.
  func run(_ body: Body) throws -> ExitStatus {
    var lines = lines
    var outcome = outcome(of: body, lines)
    while let reason = Self.misuse(outcome), let defaults {
      let named = named(in: reason, lines)
      let ofValue = named.first { reason.hasPrefix("\($0.option.spelling): ") }
      guard let (index, option) = ofValue ?? named.first else { break }
      let isOfFile = ofValue.map { !typed.has($0.option.key) } ?? (!hasTyped || named.count > 1)
      // At once: a command may run for days.
      if isOfFile { try context().complain(defaults.message(lines[index].fault(reason))) }
      lines[index].arguments.remove(option)
      outcome = self.outcome(of: body, lines)
    }
    do { return try outcome.get() } catch { throw named(error, among: lines) }
  }

  /// True if words of the command were typed: what cannot stand beside them gives way.
  private var hasTyped: Bool {
    let isAction = typed.operands.first.map { command?.actions.contains($0) == true } ?? false
    return typed.operands.count > (isAction ? 1 : 0)
      || command?.options.contains { typed.has($0.key) } == true
  }

  /// Returns the options that a reason names, each with the last line that has it.
  private func named(
    in reason: String,
    _ lines: [DefaultLine],
  ) -> [(line: Int, option: CommandOption)] {
    let words = reason.split { !$0.isLetter && $0 != "-" }.map(String.init)
    // Behind that word stands an example.
    let given = Set(words.prefix { $0 != "news" })
    return (CommandOption.global + (command?.options ?? [])).compactMap { option in
      let isTyped = typed.has(option.key) && !option.isRepeatable
      guard given.contains(option.spelling), !isTyped else { return nil }
      return lines.lastIndex { $0.arguments.has(option.key) }.map { ($0, option) }
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
