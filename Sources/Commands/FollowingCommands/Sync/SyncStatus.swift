import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import FeedSync

struct SyncStatus {
  private let context: CommandContext
  private let reports: [SyncReport]
  private let library: Library

  init(_ context: CommandContext) throws {
    self.context = context
    let store = try context.store()
    let remotes = try store.syncRemotes()
    let library = try store.read()
    let home = HomeSync(context.sync, store)
    let (state, recorded) = ((try? store.syncState()) ?? nil, store.recordedChanges())
    let stories = try SharedMarks(library.items, library.subscriptions)
    var reports: [SyncReport] = []
    for remote in remotes {
      var report = SyncReport(remote: remote)
      if let server = remote.server {
        // The next sync makes damaged state anew, and says so.
        if let known = (try? store.serverState(server.name)) ?? nil {
          let own = try home.merge(library)
          (report.waiting, report.refused) = try ServerMerge.unsent(
            server,
            known,
            own,
            now: context.clock.date,
          )
        }
      } else {
        let recorded = recorded?.later(than: state?.taken ?? 0).count ?? 0
        report.waiting = recorded + (state?.unsent(remote.lastSent, stories) ?? 0)
      }
      reports.append(report)
    }
    (self.reports, self.library) = (reports, library)
  }

  func print() throws -> ExitStatus {
    let output = context.output
    if context.isJSON {
      output.printJSON(reports, SyncCommand.fields)
    } else if reports.isEmpty {
      context.say("nothing was added yet: news sync add NAME DIR, or once: news sync DIR")
    } else if !context.isOnTerminal {
      for report in reports { output.printFields(report.fields) }
    } else {
      let dates = RelativeDate(clock: context.clock)
      let table = context.table(Self.columns)
      let lines = table.lines(reports.map { $0.cells(dates) })
      for (number, line) in lines.enumerated() {
        output.printLine(line)
        guard number > 0 else { continue }
        for refused in try refusals(of: reports[number - 1], dates) {
          output.printLine(TerminalText.cut("  " + refused, to: context.columns))
        }
      }
    }
    return .done
  }

  private static let mostRefusals = 10

  private func refusals(of report: SyncReport, _ dates: RelativeDate) throws -> [String] {
    let shown = report.refused.prefix(Self.mostRefusals)
    let lines = try shown.map { dates.text($0.refusal, of: try name(of: $0)) }
    let rest = report.refused.count - shown.count
    return rest > 0 ? lines + ["and \(rest) more; `news sync status --json` has all"] : lines
  }

  private func name(of change: RefusedChange) throws -> String {
    switch change.subject {
    case .feed(let url): return "\(WebURL.printable(url)): \(change.words)"
    case .story(let number, _):
      guard let place = try library.items.index(ofID: number.hexadecimal) else {
        return change.words
      }
      return "“\(SafeText.line(try library.items.item(at: place).item.title))”: \(change.words)"
    }
  }

  private static let columns = [
    TextTable.Column("NAME"), TextTable.Column("REMOTE", shrinks: true),
    TextTable.Column("WORKED LAST"), TextTable.Column("WAITING", isRight: true, rank: 1),
    TextTable.Column("STATE", shrinks: true),
  ]
}

extension SyncReport {
  fileprivate var fields: [String] {
    let date = { (date: Date?) in date.map { RFC3339.string($0) } ?? "" }
    return [
      remote.name, WebURL.redacted(remote.address), date(remote.tried), date(remote.done),
      waiting.map { "\($0)" } ?? "", remote.failure ?? "",
      refused.isEmpty ? "" : "\(refused.count)",
    ]
  }

  fileprivate func cells(_ dates: RelativeDate) -> [String] {
    let done = remote.done.map { dates.text($0.wholeSeconds) } ?? "never"
    let usual = refused.isEmpty ? "ok" : "ok, but \(refused.count) refused"
    let state = remote.failure.map { SafeText.line($0) } ?? (remote.tried == nil ? "new" : usual)
    return [
      remote.name, SafeText.line(WebURL.redacted(remote.address)), done,
      waiting.map { "\($0)" } ?? "", state,
    ]
  }
}

extension SyncState {
  /// Returns the number of this home's changes that came after one that has been told.
  ///
  /// A mark of a story is one change, whatever keys the story has.
  fileprivate func unsent(_ lastSent: UInt32, _ stories: SharedMarks) -> Int {
    var keys = Set(
      replica.registers.lazy.filter { [machine] in
        $0.value.stamp.machine == machine && $0.value.serial > lastSent
      }.map(\.key)
    )
    guard !keys.isEmpty else { return 0 }
    var count = 0
    let others = replica.otherMarks
    for index in 0..<stories.count {
      let own = stories.keys(of: index)
      let kinds = SyncKey.StoryMark.flags + [.deleted]
      for mark in kinds + Set(own.flatMap { others[$0] ?? [] }) {
        let known = own.map { SyncKey.story($0, mark) }.filter(keys.contains)
        guard !known.isEmpty else { continue }
        count += 1
        keys.subtract(known)
      }
    }
    return count + keys.count
  }
}
