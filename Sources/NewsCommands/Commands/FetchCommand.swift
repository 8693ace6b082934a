import Aggregation
import FeedModel
import FeedStorage

/// `news fetch`: the background fetch, told in one line.
enum FetchCommand: Command {
  static let name = "fetch"
  static let summary = "the background fetch: ask, compare, store, tell in one line"
  static let synopsis = "[--due] [--deadline SECONDS] [--exit-status] [--keep N]"
  static let examples = [
    HelpExample("news fetch", "ask every feed, and print one line"),
    HelpExample("news fetch --due", "ask only feeds whose time has come, as a timer does"),
    HelpExample("news fetch --exit-status", "0 for new data, 3 for none, 1 when it failed"),
    HelpExample("news fetch --json", "the outcome, and every feed's, as one object"),
  ]
  static let options =
    [
      CommandOption("due", help: "ask only feeds whose time has come"),
      CommandOption("deadline", value: "SECONDS", help: "end after so long at the latest (30)"),
      CommandOption("exit-status", help: "exit with 0 for newData, 3 for noData, 1 for failed"),
    ] + RefreshWords.options
  static let notes = [
    "The line begins with the outcome: newData, noData or failed. Each feed that failed has a line "
      + "on standard error. Without --exit-status the status is 0 for newData and noData."
  ]
  static let json: JSONForm? = .object("what the run came to", RefreshJSON.keys)

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    var options = try RefreshWords.read(context, command: name)
    guard context.arguments.operands.isEmpty else {
      throw usage("fetch takes no feeds; `news refresh FEED` asks some of them")
    }
    options.onlyDue = context.arguments.has("due")
    options.deadline = try deadline(context)
    let store = try context.store()
    let report = try RefreshRun(context: context, store: store, answers: [:])
      .run(options, progress: nil)
    // PERF: the process is about to end; freeing story by story took a twentieth of a first fetch.
    _ = Unmanaged.passRetained(KeptReport(report))
    return try FetchPrinter(context: context).print(report)
  }

  private static func deadline(_ context: CommandContext) throws(CommandError) -> Duration {
    guard let text = context.arguments.value("deadline") else { return .seconds(30) }
    guard let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
      throw usage(
        "--deadline: \(Spelling.quoted(text)) is not a number of seconds above zero, such as 30"
      )
    }
    return .milliseconds(Int64(seconds * 1000))
  }
}

/// A report that is left to the end of the process.
private final class KeptReport {
  let report: RefreshReport

  init(_ report: RefreshReport) {
    self.report = report
  }
}
