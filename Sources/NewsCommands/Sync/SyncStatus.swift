import Aggregation
import FeedModel
import FeedParsing
import FeedStorage

/// What a home synchronizes with, and how that goes.
struct SyncStatus {
  private let context: CommandContext
  private let reports: [SyncReport]

  init(_ context: CommandContext) throws(CommandError) {
    self.context = context
    let store = try context.store()
    let places = try commandErrors { try store.syncPlaces() }
    let library = try store.library()
    let rules = try commandErrors { try store.rules() }
    let waiting = try commandErrors {
      try store.syncState()?.waiting(library, rules, now: context.clock.date) ?? 0
    }
    reports = try commandErrors {
      try places.map { place in
        var report = SyncReport(place: place)
        let state = try place.server.flatMap { try store.serverState($0.name) }
        report.waiting = waiting
        if let server = place.server, let state {
          report.waiting = try ServerMerge.waiting(server, state, library, now: context.clock.date)
        }
        return report
      }
    }
  }

  func print() throws(CommandError) -> ExitStatus {
    let output = context.output
    if context.isJSON {
      output.printJSON(reports, SyncCommand.fields)
    } else if !context.isOnTerminal {
      for report in reports { output.printLine(TabSeparated.line(report.fields)) }
    } else if reports.isEmpty {
      context.say("nothing was added yet: news sync add NAME DIR")
    } else {
      let dates = RelativeDate(clock: context.clock)
      let table = TextTable(columns: Self.columns, width: context.columns, style: context.style)
      for line in table.lines(reports.map { $0.cells(dates) }) { output.printLine(line) }
    }
    return .done
  }

  private static let columns = [
    TextTable.Column("NAME"), TextTable.Column("PLACE", shrinks: true),
    TextTable.Column("WORKED LAST"), TextTable.Column("WAITING", isRight: true, rank: 1),
    TextTable.Column("STATE", shrinks: true),
  ]
}

extension SyncReport {
  fileprivate var fields: [String] {
    let date = { (date: Date?) in date.map { FeedDate.rfc3339String($0) } ?? "" }
    return [
      place.name, WebURL.redacted(place.address), date(place.tried), date(place.done),
      waiting.map { "\($0)" } ?? "", place.failure ?? "",
    ]
  }

  fileprivate func cells(_ dates: RelativeDate) -> [String] {
    let done = place.done.map { dates.text($0.wholeSeconds) } ?? "never"
    let state = place.failure.map { SafeText.line($0) } ?? (place.tried == nil ? "new" : "ok")
    return [
      place.name, SafeText.line(WebURL.redacted(place.address)), done,
      waiting.map { "\($0)" } ?? "", state,
    ]
  }
}

extension SyncState {
  /// How many values were changed here since the last sync with any machine.
  fileprivate func waiting(
    _ library: Library,
    _ rules: [StoryRule],
    now: Date,
  ) throws(StorageError) -> Int {
    let nobody = Replica()
    return try SyncMerge(
      self,
      with: nobody,
      machines: nil,
      library: library,
      rules: rules,
      now: now,
    ).sent
  }
}
