import FeedModel
import FeedParsing
import FeedStorage

/// `news log`: the record of runs.
enum LogCommand: Command {
  static let name = "log"
  static let summary = "the record of refreshes and fetches, newest first"
  static let synopsis = "[-n N]"
  static let examples = [
    HelpExample("news log", "the last runs"),
    HelpExample("news log -n 3 --json", "three runs for a program"),
  ]
  static let options = [
    CommandOption("", "n", value: "N", help: "at most N runs (20 on a terminal, all when piped)"),
    Pager.option,
  ]
  static let json: JSONForm? = .array("the runs, newest first", keys)

  private static let keys =
    RunJSON.keys + [
      JSONKey("asked", "feeds that were asked"),
      JSONKey("failed", "those of them that failed"),
      JSONKey("seconds", "how long it took"),
    ]

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else { throw usage("log takes no operands: news log") }
    let limit = try RefreshWords.number("n", 0...Int.max, context, name)
    let runs = try ledger(try context.store())
    let shown = runs.reversed().prefix(limit ?? (context.isOnTerminal ? 20 : Int.max))
    if context.isJSON {
      var array = JSONArrayPrinter(context.output)
      for run in shown { array.print(json(run)) }
      array.finish()
    } else if context.isOnTerminal {
      printTable(Array(shown), context)
    } else {
      for run in shown { context.output.printLine(StoryLines.fields(fields(run))) }
    }
    return .done
  }

  private static func ledger(_ store: LibraryStore) throws(CommandError) -> [RunRecord] {
    do { return try store.ledger() } catch { throw .failed("\(error)") }
  }

  private static func printTable(_ runs: [RunRecord], _ context: CommandContext) {
    guard !runs.isEmpty else { return context.say("nothing has run yet (`news refresh`)") }
    let dates = RelativeDate(clock: context.environment.clock)
    let table = TextTable(
      columns: [
        .init("when"), .init("command", rank: 2), .init("outcome"), .init("new", isRight: true),
        .init("stored", isRight: true, rank: 3), .init("feeds", isRight: true, rank: 4),
        .init("failed", isRight: true, rank: 1), .init("seconds", isRight: true, rank: 5),
      ],
      width: context.columns,
      style: context.style,
    )
    let rows = runs.map { run in
      [dates.exactText(run.started.wholeSeconds)] + counts(run)
    }
    Pager(context).print(table.lines(rows).map { $0 + "\n" })
  }

  private static func fields(_ run: RunRecord) -> [String] {
    [FeedDate.rfc3339String(run.started)] + counts(run)
  }

  private static func counts(_ run: RunRecord) -> [String] {
    [
      SafeText.line(run.command), run.outcome.rawValue, String(run.new), String(run.stored),
      String(run.asked), String(run.failed), Seconds.text(run.seconds),
    ]
  }

  private static func json(_ run: RunRecord) -> JSONValue {
    let counts = [
      JSONMember("asked", .integer(run.asked)),
      JSONMember("failed", .integer(run.failed)),
      JSONMember("seconds", .seconds(run.seconds)),
    ]
    return .object(RunJSON.members(run) + counts)
  }
}
