import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import Searching

struct LogCommand: Command {
  static let name = "log"
  static let summary = "show the log of refreshes and fetches, newest first"
  static let synopsis = "[-n N] [--failed] [--since WHEN]"
  static let examples = [
    HelpExample("news log", "show the last runs"),
    HelpExample("news log --failed --since 1w", "runs of the last week with failures"),
    HelpExample("news log -n 3 --json", "three runs as JSON"),
  ]
  static let options = [
    CommandOption(
      "",
      "n",
      value: "N",
      help: "show at most N runs (20 on a terminal, all when piped)",
    ),
    CommandOption("failed", help: "only runs with failures"),
    TimeExpression.since,
    Pager.option,
  ]
  static let json: JSONForm? = .array("the runs, newest first", fields)

  private static let fields =
    RunJSON.fields + [
      JSONField("asked", "feeds that were asked") { .integer($0.asked) },
      JSONField("failed", "those of them that failed") { .integer($0.failed) },
      JSONField("left", "feeds that the deadline left for the next run") { .integer($0.left) },
      JSONField("seconds", "how long it took") { .seconds($0.seconds) },
      JSONField("due", "whether it was to ask only feeds whose time had come") {
        .boolean($0.isOnlyDue)
      },
      JSONField("metered", "whether it waited, as the network was metered") {
        .boolean($0.isMetered)
      },
      JSONField("requests", "HTTP requests, redirects included") { .integer($0.requests) },
      JSONField("bytes", "of all bodies after decompression") { .integer($0.bytes) },
      JSONField("unchanged", "requests that were answered 304") { .integer($0.unchanged) },
      JSONField("saved", "bytes that those feeds' bodies had when they last came") {
        .integer($0.savedBytes)
      },
    ]

  let context: CommandContext

  func run() throws -> ExitStatus {
    guard context.arguments.operands.isEmpty else { throw usage("log takes no operands: news log") }
    let limit = try context.number("n", 0...Int.max)
    let since = try context.instant("since", .start) ?? .min
    let isFailedOnly = context.arguments.has("failed")
    let runs = try context.store().ledger().filter { run in
      run.started.wholeSeconds >= since
        && (!isFailedOnly || run.outcome == .failed || run.failed > 0)
    }
    let shown = runs.reversed().prefix(limit ?? (context.isOnTerminal ? 20 : Int.max))
    if context.isJSON {
      context.output.printJSON(shown, Self.fields)
    } else if context.isOnTerminal {
      printTable(Array(shown))
    } else {
      for run in shown {
        let transfer = [
          String(run.requests), String(run.bytes), run.isOnlyDue ? "due" : "", String(run.left),
          String(run.changed),
        ]
        let outcome = [run.outcome.rawValue, String(run.new)]
        let fields =
          [RFC3339.string(run.started), SafeText.line(run.command)] + outcome + counts(run)
          + transfer
        let style = context.style
        context.output.printFields(fields) {
          $0 == 0 ? style.dim($1) : $0 == 2 ? style.bold($1) : $1
        }
      }
    }
    return .done
  }

  private func printTable(_ runs: [RunRecord]) {
    guard !runs.isEmpty else {
      let isChosen = context.arguments.has("failed") || context.arguments.has("since")
      return context.say(isChosen ? "no such run" : "nothing has run yet (`news refresh`)")
    }
    let dates = RelativeDate(clock: context.clock)
    let table = context.table([
      .init("when"), .init("command", rank: 2), .init("outcome"),
      .init("stored", isRight: true, rank: 3), .init("feeds", isRight: true, rank: 4),
      .init("failed", isRight: true, rank: 1), .init("seconds", isRight: true, rank: 5),
      .init("requests", isRight: true, rank: 6), .init("KB", isRight: true, rank: 7),
      .init("left", isRight: true, rank: 8),
    ])
    let rows = runs.map { run in
      let command = SafeText.line(run.command) + (run.isOnlyDue ? " --due" : "")
      return [dates.exactText(run.started.wholeSeconds), command, NewsCount.outcome(of: run)]
        + counts(run)
        + [String(run.requests), String((run.bytes + 500) / 1000), String(run.left)]
    }
    Pager(context).print(table.lines(rows).map { $0 + "\n" })
  }

  private func counts(_ run: RunRecord) -> [String] {
    [
      String(run.stored), String(run.asked), String(run.failed), Seconds.text(run.seconds),
    ]
  }
}

enum RunJSON {
  static let fields: [JSONField<RunRecord>] = [
    JSONField("started", "as YYYY-MM-DDTHH:MM:SSZ") { .date($0.started) },
    JSONField("command", "which one asked: refresh, fetch, subscribe…") { .text($0.command) },
    JSONField("outcome", "newData, noData or failed") { .string($0.outcome.rawValue) },
    JSONField("new", new) { .integer($0.new) },
    JSONField("stored", stored) { .integer($0.stored) },
    JSONField("changed", changed) { .integer($0.changed) },
  ]

  static let new =
    "stories that were stored for the first time, and are not older than what is kept of their feed"
  static let stored = "stories that were added, the new ones included"
  static let changed = "feeds whose newest story has another title than it had"
}
