import Aggregation
import FeedFetching
import FeedModel
import FeedStorage

/// What became of one place.
struct SyncReport: Sendable {
  var place: SyncPlace
  /// Whether the place was added, and not only named this once.
  var isAdded = true
  /// nil where it failed, and where nothing was tried.
  var outcome: HomeSync.Outcome?
  var failure: CommandError?
  /// Changes of this home that the place does not know of; nil where that was not counted.
  var waiting: Int?
  /// What a server has brought, though something may have failed behind that.
  var served = RefreshReport()
}

/// Synchronizes a home with places, one after the other.
struct SyncRun {
  let context: CommandContext
  let store: LibraryStore
  /// What the reader says to what is much at once.
  let consent: SyncConsent
  /// Whether somebody has asked for it, and not a fetch or refresh.
  let isByHand: Bool
  /// When it must have ended.
  let deadline: ContinuousClock.Instant?
  private let cancellation: FetchCancellation

  init(
    _ context: CommandContext,
    _ store: LibraryStore,
    consent: SyncConsent = .asked,
    isByHand: Bool = false,
    until deadline: ContinuousClock.Instant?,
  ) {
    (self.context, self.store, self.deadline) = (context, store, deadline)
    (self.consent, self.isByHand) = (consent, isByHand)
    cancellation = context.cancellation()
  }

  func run(_ place: SyncPlace, isAdded: Bool = true) -> SyncReport {
    var report = SyncReport(place: place, isAdded: isAdded)
    do throws(CommandError) {
      report.outcome = try outcome(place, &report.served)
    } catch {
      report.failure = error
    }
    let result = report.outcome?.result
    if let told = report.outcome?.told { report.place.told = told }
    report.place.note(
      report.failure?.lines.first,
      sent: result?.sent ?? 0,
      taken: result?.taken ?? 0,
      on: context.clock.date,
    )
    return report
  }

  var isCancelled: Bool { cancellation.isCancelled }

  /// Notes how it ended with a place that was added, where it still is one.
  func note(_ report: SyncReport) {
    guard report.isAdded else { return }
    do throws(StorageError) {
      try store.changeSyncPlaces { places in
        guard let number = places.firstIndex(where: { $0.name == report.place.name }),
          places[number].way == report.place.way
        else { return }
        places[number] = report.place
      }
    } catch {
      context.complain("\(report.place.name): \(error)")
    }
  }

  private func outcome(
    _ place: SyncPlace,
    _ served: inout RefreshReport,
  ) throws(CommandError) -> HomeSync.Outcome {
    let home = HomeSync(
      context,
      store,
      sharesStories: place.sharesStories,
      consent: consent,
      isByHand: isByHand,
      until: deadline,
      cancellation,
    )
    switch place.way {
    case .folder(let path): return try home.run(SyncFolder(path))
    case .machine(let host, let remoteHome):
      return try home.run(
        RemoteMachine(host: host, home: remoteHome),
        sharesStories: place.sharesStories,
        ProgramPipe.Patience(until: deadline, orReadable: cancellation.descriptor),
      )
    case .server(let server):
      let sync = ServerSync(
        home,
        server,
        isByHand: isByHand,
        deadline: deadline,
        cancellation,
      )
      return HomeSync.Outcome(result: try sync.run(&served))
    }
  }
}

extension RefreshRun {
  /// Has servers bring the stories of the feeds that they fetch: part of the run, and of its outcome.
  func askServers(_ options: RefreshOptions, _ report: inout RefreshReport) {
    guard options.feeds == nil else { return }
    let begun = ContinuousClock.now
    let places = synchronize(options, after: report) { $0.server?.fetchesStories == true }
    guard !places.isEmpty else { return }
    for place in places { report.add(served: place.served) }
    report.seconds += begun.duration(to: .now) / .seconds(1)
    if report.asked == 0, places.contains(where: { $0.failure != nil }) { report.outcome = .failed }
  }

  /// Synchronizes with everything else that was added, for as long as the run may take: to be called at
  /// the end.
  func synchronize(_ options: RefreshOptions, after report: RefreshReport) {
    synchronize(options, after: report) { $0.server?.fetchesStories != true }
  }

  /// What fails is told of, and fails nothing else: the stories are stored.
  @discardableResult
  private func synchronize(
    _ options: RefreshOptions,
    after report: RefreshReport,
    where isWanted: (SyncPlace) -> Bool,
  ) -> [SyncReport] {
    guard !report.gaveWay, !report.wasInterrupted, report.storageError == nil else { return [] }
    var reports: [SyncReport] = []
    do throws(CommandError) {
      let places = try commandErrors { try store.syncPlaces() }.filter(isWanted)
      guard !places.isEmpty else { return [] }
      let run = SyncRun(context, store, until: deadline(options))
      for place in places where !run.isCancelled {
        guard run.deadline.map({ $0 > .now }) ?? true else {
          context.complain("\(place.name): not synchronized: no time was left")
          continue
        }
        let report = run.run(place)
        reports.append(report)
        if let failure = report.failure { context.complain(report.line(failure)) }
        for fault in report.outcome?.faults ?? [] { context.complain("left out: \(fault)") }
        if let line = report.removalLine { context.complain(line) }
        if let line = report.pendingLine { context.complain(line) }
        if context.isVerbose, report.failure == nil { context.say(report.words) }
        run.note(report)
      }
    } catch {
      context.environment.report(error)
    }
    return reports
  }
}

extension SyncReport {
  func line(_ failure: CommandError) -> String {
    // A server's name is in its errors.
    (isAdded && place.server == nil ? "\(place.name): " : "")
      + failure.lines.joined(separator: "; ")
  }

  /// Says which feeds went, and how they come back; nil where none did.
  var removalLine: String? {
    guard let names = outcome?.result.removedNames, !names.isEmpty else { return nil }
    let shown = names.prefix(3).map { SafeText.line($0) }.joined(separator: ", ")
    let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
    return "\(title)no longer following \(shown)\(rest), as that was ended there; "
      + "news undo takes it back"
  }

  /// Says what was not done, and how to agree; nil where all was.
  var pendingLine: String? {
    pendingWords.map {
      "\(title)not done before you agree: it would \($0) here; "
        + "news sync \(word) --accept does it, news sync \(word) --restore has it there as it is here"
    }
  }

  /// The same as it is told to the machine that called.
  var calledPendingLine: String? {
    pendingWords.map {
      "not done before you agree: it would \($0) on this machine; the same sync with --accept does it"
    }
  }

  private var pendingWords: String? {
    guard let pending = outcome?.result.pending, !pending.isEmpty else { return nil }
    let parts = [
      (pending.removed, "stop following \(Count.of(pending.removed, "feed"))"),
      (pending.unstarred, "unstar \(Count.stories(pending.unstarred))"),
      (pending.unread, "mark \(Count.stories(pending.unread)) unread"),
      (pending.added, "follow \(Count.of(pending.added, "new feed"))"),
      (pending.settings, "change \(Count.of(pending.settings, "setting"))"),
    ]
    return parts.filter { $0.0 > 0 }.map(\.1).joined(separator: ", ")
  }

  private var title: String { isAdded ? place.name + ": " : "" }
  private var word: String { isAdded ? place.name : ShellWord.asNeeded(place.address) }

  /// `home: 3 machines: 12 marks, 1 feed added, 0 removed`.
  var words: String {
    let result = outcome?.result ?? SyncResult()
    var parts = [
      Count.of(result.marked, "mark"), Count.of(result.added, "feed") + " added",
      "\(result.removed) removed",
    ]
    if result.changed > 0 { parts.append("\(result.changed) changed") }
    if result.rules > 0 { parts.append(Count.of(result.rules, "rule")) }
    if result.stories > 0 { parts.append(Count.stories(result.stories)) }
    let sent = result.sent == 0 ? "" : "; \(Count.of(result.sent, "change")) of this one told"
    let machines = place.server == nil ? Count.of(outcome?.machines.count ?? 0, "machine") : nil
    let name = isAdded ? place.name : nil
    return [name, machines, parts.joined(separator: ", ") + sent].compactMap(\.self)
      .joined(separator: ": ")
  }
}
