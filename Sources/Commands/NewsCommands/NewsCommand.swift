import CommandLine
package import CommandSupport
import FeedStorage
import FollowingCommands

/// The one place that turns errors into text and an exit status.
package enum NewsCommand {
  package static func run(arguments: [String], environment: Environment) -> Int32 {
    let status: ExitStatus
    do {
      status = try dispatch(arguments, environment)
    } catch {
      environment.output.flush()
      environment.report(error)
      status = Failure(error).status
    }
    return finish(status, environment).code
  }

  /// Returns the rights of the process that reads for a command; nil where there is none.
  package static func confinement(arguments: [String], environment: Environment) -> Confinement? {
    guard let work = work(arguments, environment) else { return nil }
    return work.readerAccess.map(work.context.confinement)
  }

  /// Returns the command that the words would run.
  fileprivate static func work(_ words: [String], _ environment: Environment) -> (any Command)? {
    guard let call = try? CommandCall(words, environment), let context = try? call.context()
    else { return nil }
    return call.command?.init(context: context)
  }

  private static func dispatch(_ words: [String], _ environment: Environment) throws -> ExitStatus {
    let call = try CommandCall(words, environment)
    let context = try call.context()
    if context.style.isColored, !context.isQuiet {
      for fault in context.style.codes.faults {
        context.complain("\(StyleCodes.variable): \(fault)")
      }
    }
    call.tellFaults(context)
    if context.arguments.has("version") { return printVersion(context) }
    if context.arguments.has("help") {
      return HelpCommand(context: context).printHelp(of: call.command)
    }
    guard let command = call.command else { return try Welcome.run(context) }
    if command.isVisit { context.noteVisit() }
    var isReading = false
    return try call.run { context in
      let work = command.init(context: context)
      // The starter of that process is forked, so before there are other threads.
      if !isReading, let access = work.readerAccess {
        isReading = true
        environment.beginReading(context.confinement(access), work.readsAlways)
      }
      return try work.run()
    }
  }

  private static func printVersion(_ context: CommandContext) -> ExitStatus {
    let json = PrintedJSON.object([
      ("version", .string(Version.number)), ("commit", .text(context.environment.commit)),
    ])
    let text = Version.text(commit: context.environment.commit)
    context.output.printLine(context.isJSON ? json.description : text)
    return .done
  }

  /// Turns success into failure where output was not written, unless its reader went away.
  ///
  /// A failure after a signal counts as an interruption by it.
  private static func finish(_ status: ExitStatus, _ environment: Environment) -> ExitStatus {
    let output = environment.output
    output.flush()
    defer { environment.errorOutput.flush() }
    let isDone = status == .done || status == .noData
    if !output.isSound {
      let reason = POSIX.errorMessage(output.failure)
      environment.errorOutput.printLine("news: standard output: \(reason)")
      if isDone { return .failed }
    }
    guard !isDone, let signal = environment.interruption() else { return status }
    return .interrupted(by: signal)
  }
}

extension Program {
  static let news = Program(
    commands: .news,
    run: { NewsCommand.run(arguments: $0, environment: $1) },
    withDefaults: { (try? CommandCall($0, $1).context().arguments) ?? Arguments() },
    isSlow: { NewsCommand.work($0, $1)?.isSlow ?? false },
    refresh: { context, store, feeds, line in
      // With the reader's defaults, as the command has them.
      let words = ["refresh", "--home", store.home] + context.passedOn
      let own = try? CommandCall(words, context.environment).context()
      return (own ?? context).refresh(feeds, in: store, line)
    },
  )
}

extension Environment {
  package static func process() -> Environment {
    process(.news)
  }
}
