import CommandLine
import CommandSupport
import Episodes
import FeedFetching
import FeedModel
import FeedReading
import FeedStorage
import FeedUpdating
import Pages

extension RefreshOptions {
  static let words = [
    CommandOption("due", help: "fetch only feeds that are due"),
    CommandOption(
      "keep",
      value: "N",
      help: "keep N stories that a feed no longer carries (200; 0 for all)",
    ),
    .maximumSize, .noTexts,
  ]

  static func read(_ context: CommandContext) throws -> RefreshOptions {
    var options = RefreshOptions(command: context.command ?? "")
    if let keep = try context.number("keep", 0...1_000_000_000) { options.keep = keep }
    options.onlyDue = context.arguments.has("due")
    options.keepsTexts = context.keepsTexts
    if let size = try context.maximumBytes() { options.maximumBytes = size }
    return options
  }
}

struct RefreshRun {
  let context: CommandContext
  let store: LibraryStore
  /// Documents of feeds that were subscribed to in this process, by URL.
  var answers: [String: FetchedDocument] = [:]
  private let started = ContinuousClock.now

  func run(
    _ options: RefreshOptions,
    progress: ProgressLine?,
    cancellation: FetchCancellation? = nil,
  ) throws -> RefreshReport {
    let cancellation = cancellation ?? context.cancellation()
    var options = options
    options.savingInterval = context.environment.savingInterval ?? options.savingInterval
    let isFirst = access(store.dataPath, F_OK) != 0
    let rules = Result { IncomingRules(try store.rules(), context) }
    var report = report(refresher(rules), options, cancellation, progress)
    if case .success(let rules?) = rules { report.warnings += rules.failures }
    askServers(options, &report)
    // It is said on the first fetch of a home, and by `news doctor` from then on.
    if isFirst, report.stored > 0 { ReadingJob.confinement()?.faults.forEach(context.complain) }
    // A run without subscriptions has not found that there is no news.
    if report.subscribed == 0, !report.gaveWay { report.outcome = .failed }
    return report
  }

  // MARK: Behind the run, when the stories are safe

  /// Follows moves that feeds announce.
  func followMoves(_ options: RefreshOptions, after report: RefreshReport) {
    guard report.feeds.contains(where: \.announcesMove) else { return }
    perform("feeds that have moved", options, after: report) { tools in
      for move in try AnnouncedMoves(tools).follow(after: report) {
        let (from, to) = (WebURL.printable(move.from), WebURL.printable(move.to))
        context.say("\(from): moved for good to \(to), as the feed itself says")
      }
    }
  }

  /// Looks for the new addresses of feeds that have failed for days, and says what it found.
  func findAddresses(_ options: RefreshOptions, after report: RefreshReport) {
    guard report.isOnline else { return }
    perform("feeds that may have moved", options, after: report) { tools in
      for move in try AnnouncedMoves(tools).search(after: report) {
        let advice = FailureAdvice.move(move.from, to: move.to)
        context.say("\(WebURL.printable(move.from)): \(advice.line)")
      }
    }
  }

  func followLists(_ options: RefreshOptions, after report: RefreshReport) {
    guard report.wantsLists, !report.isOffline, !report.gaveWay else { return }
    perform("lists that are followed", options, after: report) { tools in
      try FeedLists(context: context, store: store).refresh(tools)
    }
  }

  /// Fetches the pages of new stories until the deadline: to be called after all messages.
  func fetchPages(_ options: RefreshOptions, after report: RefreshReport, _ line: ProgressLine?) {
    guard report.wantsPages, options.keepsTexts else { return }
    perform("pages of stories", options, after: report) { tools in
      let begun = ContinuousClock.now
      let fetch = { @Sendable in
        Result {
          try WantedPages(tools).fetch(after: report, of: options.feeds) {
            line?.show(.ofPages($0, of: $1, seconds: begun.duration(to: .now) / .seconds(1)))
          }
        }
      }
      tell(try (line?.during(fetch) ?? fetch()).get())
    }
  }

  /// Fetches icons once an app has logged in.
  func fetchIcons(_ options: RefreshOptions, after report: RefreshReport) {
    guard report.asked > 0 else { return }
    perform("icons of feeds", options, after: report) { tools in
      try store.dropIcons(waitAtMost: tools.clock.timeToLock)
      guard let account = try? store.servingAccount(), account.logIns > 0 else { return }
      try WantedIcons(tools).fetch(after: report)
    }
  }

  func saveEpisodes(_ options: RefreshOptions, after report: RefreshReport) {
    guard report.wantsDownloads else { return }
    perform("episodes", options, after: report) { tools in
      let downloads = WantedDownloads(tools) { [context] in try context.downloadFolder() }
      let outcomes = try downloads.save(after: report)
      if context.isVerbose { for (episode, outcome) in outcomes { tell(episode, outcome) } }
    }
  }

  /// Does nothing after a signal has ended the run or what came after it: a new cancellation would
  /// forget it.
  private func perform(
    _ subject: String,
    _ options: RefreshOptions,
    after report: RefreshReport,
    _ work: (RunTools) throws -> Void,
  ) {
    guard report.storageError == nil, !report.wasInterrupted,
      context.environment.interruption() == nil
    else { return }
    let tools = RunTools(
      context.makeFetcher(),
      options: context.fetchOptions(),
      in: store,
      clock: RefreshRunClock(
        date: context.clock.date,
        deadline: options.deadline,
        started: started,
      ),
      context.cancellation(),
      now: { [clock = context.clock] in clock.date },
    )
    do { try work(tools) } catch { context.complain("\(subject): \(error)") }
  }

  func deadline(_ options: RefreshOptions) -> ContinuousClock.Instant? {
    options.deadline.map { started + $0 }
  }

  private func tell(_ episode: Episode, _ outcome: DownloadOutcome) {
    let title = SafeText.line(episode.story.item.title)
    switch outcome {
    case .saved(let path, let bytes):
      context.say("\(title): \(ByteCount.text(bytes)) in \(SafeText.line(path))")
    case .present: break
    case .failed(let reason, let kept):
      let rest = kept > 0 ? "; \(ByteCount.text(kept)) are kept, the next run goes on" : ""
      context.say("\(title): \(SafeText.line(reason))\(rest)")
    }
  }

  private func tell(_ pages: PageReport) {
    guard context.isVerbose, pages.asked + pages.left > 0 else { return }
    let counts =
      "\(Count.of(pages.asked, "page")) asked for, \(Count.of(pages.articles, "article"))"
    let shorter =
      pages.shorter > 0 ? ", \(pages.shorter) shorter than the feed's text, which stays" : ""
    context.say(counts + shorter + (pages.left > 0 ? ", \(pages.left) left" : ""))
  }

  /// Stores `answers`, and asks nobody.
  func storeAnswers() throws {
    guard !answers.isEmpty else { return }
    var options = RefreshOptions(command: context.command ?? "")
    options.feeds = Array(answers.keys)
    options.isForced = true
    options.keepsTexts = context.keepsTexts
    // A cancellation by signals would forget one that has come.
    let report = try run(options, progress: nil, cancellation: FetchCancellation())
    if let error = report.storageError { throw Failure(error) }
  }

  /// Runs on a thread of its own where this one has a line to keep alive.
  private func report(
    _ refresher: Refresher,
    _ options: RefreshOptions,
    _ cancellation: FetchCancellation,
    _ line: ProgressLine?,
  ) -> RefreshReport {
    guard let line else { return refresher.run(options, cancellation: cancellation) }
    return line.during {
      refresher.run(options, cancellation: cancellation, progress: line.show)
    }
  }

  private func refresher(_ rules: Result<IncomingRules?, any Error>) -> Refresher {
    Refresher(
      store: store,
      fetcher: context.makeFetcher(),
      fetchOptions: context.fetchOptions(),
      now: { [clock = context.clock] in clock.date },
      rules: rules.map { $0?.evaluate },
      answers: answers,
    )
  }
}

extension RefreshProgress {
  fileprivate static func ofPages(_ done: Int, of total: Int, seconds: Double) -> Self {
    var progress = Self(done: done, total: total, stories: 0, hosts: [], seconds: seconds)
    progress.isOfPages = true
    return progress
  }
}

enum RefreshJSON {
  static let fields: [JSONField<RefreshReport>] = [
    JSONField("outcome", "newData, noData or failed") { .string($0.outcome.rawValue) },
    JSONField("new", RunJSON.new) { .integer($0.new) },
    JSONField("stored", RunJSON.stored) { .integer($0.stored) },
    JSONField("changed", RunJSON.changed) { .integer($0.changed) },
    JSONField("seconds", "how long it took until everything was saved") { .seconds($0.seconds) },
    JSONField(
      "feeds",
      "each feed that was asked; beside it stand retryAfter, where a server asked to "
        + "wait, and gone, where it said 410: how many were not asked for that; and gaveWay, true, where another "
        + "run was at work and this one asked nobody; and left, how many the deadline left for the next run; and filtered, how many stories rules kept away; and readOld, how many grew too old to stay unread; and metered, true, where nobody was asked because the network is metered",
      inside: feedFields.map(\.key),
    ) { .array($0.feeds.map(value)) },
  ]

  private static let feedFields: [JSONField<FeedReport>] = [
    JSONField("url", "without user and password") { .string(WebURL.redacted($0.url)) },
    JSONField("title", "what it is called") { .text($0.title) },
    JSONField("outcome", "newData, noData or failed") { .string($0.outcome.rawValue) },
    JSONField(
      "new",
      "as above, of this feed; beside it stands allNew, true, where the feed has nothing any more "
        + "that was known of it",
    ) { .integer($0.new) },
    JSONField("stored", "as above, of this feed") { .integer($0.stored) },
    JSONField("changed", "1 where its newest story has another title than it had, else 0") {
      .integer($0.changed)
    },
    JSONField(
      "status",
      "of the last answer: 200, 304, 404…; 200 for a file; null without an answer",
    ) { .number($0.status) },
    JSONField("bytes", "of the body after decompression") { .integer($0.bytes) },
    JSONField("seconds", "how long it took") { .seconds($0.seconds) },
    JSONField("error", "why it failed, null when it did not") { .text($0.error) },
  ]

  static func value(_ report: RefreshReport) -> PrintedJSON {
    let filtered = report.feeds.reduce(0) { $0 + $1.filtered }
    let old = report.feeds.reduce(0) { $0 + $1.readOld }
    let waiting = report.unasked.count { $0.retryTime != nil }
    let gone = report.unasked.count { $0.reason == .gone }
    return .object(fields, report)
      .adding("filtered", filtered > 0 ? .integer(filtered) : nil)
      .adding("readOld", old > 0 ? .integer(old) : nil)
      .adding("retryAfter", waiting > 0 ? .integer(waiting) : nil)
      .adding("gone", gone > 0 ? .integer(gone) : nil)
      .adding("left", report.left > 0 ? .integer(report.left) : nil)
      .adding("gaveWay", report.gaveWay ? .boolean(true) : nil)
      .adding("metered", report.isMetered ? .boolean(true) : nil)
  }

  private static func value(_ feed: FeedReport) -> PrintedJSON {
    .object(feedFields, feed).adding("allNew", feed.isAllNew ? .boolean(true) : nil)
  }
}
