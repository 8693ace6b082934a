import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import FeedSync
import FeedUpdating

extension RefreshRun {
  /// Takes the stories of feeds that servers fetch, as a part of the run and its outcome.
  func askServers(_ options: RefreshOptions, _ report: inout RefreshReport) {
    guard options.feeds == nil else { return }
    let begun = ContinuousClock.now
    let remotes = synchronize(options, after: report) { $0.server?.fetchesStories == true }
    guard !remotes.isEmpty else { return }
    for remote in remotes { report.add(fromServer: remote.fromServer) }
    report.seconds += begun.duration(to: .now) / .seconds(1)
    if report.asked == 0, remotes.contains(where: { $0.failure != nil }) {
      report.outcome = .failed
    }
  }

  /// Synchronizes with all other remotes until the deadline: to be called at the end.
  func synchronize(_ options: RefreshOptions, after report: RefreshReport) {
    synchronize(options, after: report) { $0.server?.fetchesStories != true }
  }

  /// Reports failures, which fail nothing else: the stories are stored.
  @discardableResult
  private func synchronize(
    _ options: RefreshOptions,
    after report: RefreshReport,
    where isWanted: (SyncRemote) -> Bool,
  ) -> [SyncReport] {
    guard !report.gaveWay, !report.wasInterrupted, report.storageError == nil else { return [] }
    var reports: [SyncReport] = []
    do {
      let remotes = try store.syncRemotes().filter(isWanted)
      guard !remotes.isEmpty else { return [] }
      let run = SyncRun(
        HomeSync(context.sync, store, until: deadline(options), context.cancellation())
      )
      for remote in remotes where !run.isCancelled {
        guard !run.isOutOfTime else {
          context.complain("\(remote.name): not synced: out of time")
          continue
        }
        let report = run.run(remote)
        reports.append(report)
        for report in [report] + run.tellFolders(after: report) {
          if let failure = report.failure { context.complain(report.line(failure)) }
          context.tellFaults(report)
          if let line = report.removalLine { context.complain(line) }
          if let line = report.pendingLine { context.complain(line) }
          if context.isVerbose, report.failure == nil { context.say(report.words) }
          run.note(report)
        }
      }
    } catch {
      context.environment.report(error)
    }
    return reports
  }
}

extension CommandContext {
  func tellFaults(_ report: SyncReport) {
    for fault in report.outcome?.faults ?? [] { complain("left out: \(fault)") }
    for omission in report.outcome?.omissions ?? [] { complain(SafeText.line(omission)) }
  }
}

extension SyncKey.StoryMark {
  /// Returns the loss of so many marks in words: `unstar 30 stories`.
  fileprivate func words(lostBy count: Int) -> String {
    switch self {
    case .read: "mark \(Count.stories(count)) unread"
    case .starred: "unstar \(Count.stories(count))"
    default: "remove \(Count.of(count, kindName)) of stories"
    }
  }
}

extension SyncReport {
  func line(_ failure: any Error) -> String {
    (isAdded ? "\(remote.name): " : "") + failure.line
  }

  /// A line on what others have removed, and what undoes it here; nil where nothing went.
  var removalLine: String? {
    guard let result = outcome?.result else { return nil }
    let names = result.removedNames
    let shown = names.prefix(3).map { SafeText.line($0) }.joined(separator: ", ")
    let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
    var words = names.isEmpty ? [] : ["unsubscribed from \(shown)\(rest)"]
    if result.deleted > 0 { words.append("\(Count.stories(result.deleted)) deleted") }
    guard !words.isEmpty else { return nil }
    return "\(title)\(words.joined(separator: ", ")) on \(SafeText.line(result.authors)); "
      + "news undo --list has its number"
  }

  /// A line on what waits for consent, and how to give it; nil where nothing does.
  var pendingLine: String? {
    pendingWords.map {
      "\(title)not done before you agree: it would \($0) here; "
        + "news sync \(word) --accept does it, news undo \(undoing)"
    }
  }

  /// A server has no undo: what was taken from it is undone here, and sent back.
  private var undoing: String {
    if case .server = remote.transport {
      "then takes it back"
    } else {
      "on the other side takes it back"
    }
  }

  var calledPendingLine: String? {
    pendingWords.map {
      "not done before you agree: it would \($0) on this machine; the same sync with --accept does it"
    }
  }

  private var pendingWords: String? {
    guard let pending = outcome?.result.pending, !pending.isEmpty else { return nil }
    let lost = SyncKey.StoryMark.kinds.sorted(by: >).map { kind in
      let count = pending.lost[kind, default: 0]
      return (count, kind.words(lostBy: count))
    }
    let parts =
      [(pending.removed, "stop following \(Count.of(pending.removed, "feed"))")] + lost + [
        (pending.deleted, "delete \(Count.stories(pending.deleted))"),
        (pending.added, "follow \(Count.of(pending.added, "new feed"))"),
        (pending.settings, "change \(Count.of(pending.settings, "setting"))"),
      ]
    return parts.filter { $0.0 > 0 }.map(\.1).joined(separator: ", ")
  }

  private var title: String { isAdded ? remote.name + ": " : "" }
  private var word: String { isAdded ? remote.name : ShellWord.asNeeded(remote.address) }

  /// The outcome in words, such as `home: 12 marks, 1 feed added; 3 changes sent`.
  var words: String {
    let result = outcome?.result ?? SyncResult()
    let received = [
      (result.marked, Count.of(result.marked, "mark")),
      (result.added, Count.of(result.added, "feed") + " added"),
      (result.removed, Count.of(result.removed, "feed") + " removed"),
      (result.deleted, "\(Count.stories(result.deleted)) deleted"),
      (result.changed, "\(result.changed) changed"),
      (result.rules, Count.of(result.rules, "rule")),
      (result.stories, Count.stories(result.stories)),
    ].filter { $0.0 > 0 }.map(\.1).joined(separator: ", ")
    let sent = "\(Count.of(result.sent, "change")) sent"
    return title
      + (received.isEmpty
        ? result.sent == 0 ? "nothing new" : "\(sent), none received"
        : received + (result.sent == 0 ? "" : "; \(sent)"))
  }
}
