import CommandLine
import FeedFetching
import FeedModel
import FeedStorage
import FeedUpdating
import Synchronization

/// What the table view has done on threads: marks and other commands one after the other, those that
/// ask servers in a line of their own, and a refresh beside them.
final class BrowserWork {
  /// What it does is ended when one leaves.
  let context: CommandContext
  private let store: LibraryStore
  /// What its commands ask the reader.
  let questions = BrowserQuestions()
  private let stop: StopForAll
  private var quick = WorkLane()
  private var slow = WorkLane()
  private var refreshing: BackgroundTask<String>?
  private let page = PageOutcome()

  private static let slowCommands = [
    "download", "fetch", "move", "publish", "refresh", "subscribe", "sync",
  ]

  /// `context` says nothing to anybody but the table view.
  init(_ context: CommandContext, _ store: LibraryStore) {
    let stop = StopForAll()
    var environment = context.environment
    environment.cancelOnInterruption = { stop.add($0) }
    environment.interruption = { nil }
    // The keys are the table view's.
    environment.ask = { [questions] in questions.ask($0) }
    environment.readInput = { _, _ in }
    // The table view has given up already what its commands would.
    environment.beginReading = { _, _ in }
    self.context = context.inside(environment)
    (self.store, self.stop) = (store, stop)
  }

  /// Readable when something has ended.
  var descriptors: [Int32] {
    [quick.running?.descriptor, slow.running?.descriptor, refreshing?.descriptor].compactMap(\.self)
  }

  /// Whether servers are asked, which is shown as it goes on.
  var isRefreshing: Bool { refreshing != nil || slow.running != nil }

  // MARK: Commands

  func mark(_ id: String, _ marks: ItemMarks, _ command: String) {
    if command != BrowseCommand.name { quick.endsWithPage = false }
    // Each step is a save of the whole file.
    if case .mark(let ids, marks, command)? = quick.waiting.last {
      quick.waiting[quick.waiting.count - 1] = .mark(ids: ids + [id], marks, command: command)
    } else {
      quick.waiting.append(.mark(ids: [id], marks, command: command))
    }
    start(&quick)
  }

  /// Marks the stories of a list as read, however they have moved since it was made.
  func readAll(_ list: StoryPane) {
    let (items, positions) = (list.library.items, list.positions)
    let step = WorkLane.Step.run { [store] context in
      do throws(CommandError) {
        let ids = try commandErrors { try items.ids(at: positions) }
        let count = try StoryMarking(store, context.named(ReadCommand.name))
          .set(ReadCommand.mark) { try $0.items.positions(of: ids) }
        return CommandResult(lines: ["\(Count.stories(count)) \(ReadCommand.done)"])
      } catch {
        return CommandResult(lines: error.lines)
      }
    }
    add(step, to: &quick)
  }

  func run(_ words: [String], columns: Int) {
    let isOfPage = words == [UndoCommand.name] && quick.isAtPage
    quick.endsWithPage = false
    let step = WorkLane.Step.run { [store, page] context in
      if isOfPage, !page.hasChanged { return CommandResult(lines: ["the text is as it was"]) }
      return Self.result(of: words, in: store, context.environment, columns: columns)
    }
    let isSlow = words.first.map(Self.slowCommands.contains) ?? false
    if isSlow { add(step, to: &slow) } else { add(step, to: &quick) }
  }

  /// Runs a command here and now.
  func runNow(_ words: [String]) -> CommandResult {
    var environment = context.environment
    // The reader's keys are not the table view's meanwhile.
    environment.ask = nil
    return Self.result(of: words, in: store, environment, columns: nil)
  }

  /// Runs a command that finds a terminal of so many columns, and none that anybody types in; without
  /// them, one that is its own.
  private static func result(
    of words: [String],
    in store: LibraryStore,
    _ environment: Environment,
    columns: Int?,
  ) -> CommandResult {
    let printed = PrintedLines(progress: environment.errorOutput)
    var environment = environment
    (environment.output, environment.errorOutput) = (printed.output, printed.errorOutput)
    environment.terminal.isOutputTerminal = true
    environment.terminal.isErrorTerminal = columns != nil
    environment.terminal.columns = columns
    if columns != nil {
      environment.showInPager = { _, _, lines in
        for line in lines { printed.output.print(line) }
        return 0
      }
    }
    _ = NewsCommand.run(
      // Before the words: behind `--` they would be no options.
      arguments: ["--home", store.home, "--color", "never"] + words,
      environment: environment,
    )
    return CommandResult(lines: printed.lines)
  }

  func fetchPage(_ story: StoredItem) {
    let step = WorkLane.Step.run { [store, page] context in
      page.hasChanged = false
      do throws(CommandError) {
        let pages = PageTexts(context: context.named("show"), store: store, isBrowsing: true)
        let choices = try pages.otherText(ofStory: story.id)
        try StoryMarking(store, context.named(choices.command)).keep(choices)
        page.hasChanged = !choices.isEmpty
      } catch {
        context.complain(error.lines.first ?? "")
      }
      return nil
    }
    add(step, to: &quick)
    quick.endsWithPage = true
  }

  private func add(_ step: WorkLane.Step, to lane: inout WorkLane) {
    lane.waiting.append(step)
    start(&lane)
  }

  private func start(_ lane: inout WorkLane) {
    guard lane.running == nil, !lane.waiting.isEmpty else { return }
    let (context, store) = (context, store)
    switch lane.waiting.removeFirst() {
    case .run(let work): lane.running = BackgroundTask { work(context) }
    case .mark(let ids, let marks, let command):
      lane.running = BackgroundTask {
        do throws(CommandError) {
          // What is read as one goes on leaves what was changed on purpose to be undone.
          let canBeUndone = command != BrowseCommand.name
          _ = try StoryMarking(store, context.named(command))
            .set(marks, ids: ids, canBeUndone: canBeUndone)
        } catch {
          context.complain(error.lines.first ?? "")
        }
        return nil
      }
    }
  }

  /// Goes on with what waits; whether all that was marked is stored since the last time.
  func hasEnded() -> Bool {
    slow.take()
    start(&slow)
    guard quick.take() else { return false }
    start(&quick)
    return quick.running == nil
  }

  /// What commands have come to that have ended.
  func takeResults() -> [CommandResult] {
    defer { (quick.results, slow.results) = ([], []) }
    return quick.results + slow.results
  }

  // MARK: Refreshing

  /// Asks the feeds that a word means, or all.
  func refresh(_ feed: String?, columns: Int) {
    guard refreshing == nil else { return }
    let (context, store) = (context.named("refresh"), store)
    let line = ProgressLine(output: context.environment.errorOutput, columns: columns)
    refreshing = BackgroundTask { RefreshRun(context: context, store: store).words(feed, line) }
  }

  /// What a refresh that has ended came to, once.
  func takeRefresh() -> String? {
    guard let words = refreshing?.value else { return nil }
    refreshing = nil
    return words
  }

  /// Waits until everything is stored; whoever asks servers stops doing so.
  func end() {
    stop.stop()
    questions.end()
    while let running = quick.running ?? slow.running {
      running.wait()
      _ = hasEnded()
    }
    refreshing?.wait()
  }
}

/// Work that is done one after the other.
private struct WorkLane {
  enum Step {
    case mark(ids: [String], ItemMarks, command: String)
    case run(@Sendable (CommandContext) -> CommandResult?)
  }

  var waiting: [Step] = []
  var running: BackgroundTask<CommandResult?>?
  var results: [CommandResult] = []
  /// Whether a story's other text was asked for last.
  var endsWithPage = false

  /// Whether it has not come yet.
  var isAtPage: Bool { endsWithPage && (running != nil || !waiting.isEmpty) }

  /// Takes what has ended; false where nothing has.
  @discardableResult
  mutating func take() -> Bool {
    guard let result = running?.value else { return false }
    running = nil
    if let result { results.append(result) }
    return true
  }
}

/// Whether asking for a story's other text has changed anything: an undo that was asked for meanwhile
/// takes back that and nothing else.
private final class PageOutcome: Sendable {
  private let value = Mutex(false)

  var hasChanged: Bool {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}

/// Cancels at once all that is being fetched, and whatever begins afterwards.
private final class StopForAll: Sendable {
  private struct Runs {
    var isStopped = false
    var cancellations: [WeakCancellation] = []
  }

  private struct WeakCancellation {
    weak var value: FetchCancellation?
  }

  private let runs = Mutex(Runs())

  func add(_ cancellation: FetchCancellation) {
    runs.withLock { runs in
      runs.cancellations.removeAll { $0.value == nil }
      runs.cancellations.append(WeakCancellation(value: cancellation))
      if runs.isStopped { cancellation.event?.happen() }
    }
  }

  func stop() {
    runs.withLock { runs in
      runs.isStopped = true
      for cancellation in runs.cancellations { cancellation.value?.event?.happen() }
    }
  }
}

extension RefreshRun {
  /// Asks all feeds, or those that a word means; what it came to, in a line: `12 new stories, 1 feed
  /// failed`.
  fileprivate func words(_ feed: String?, _ line: ProgressLine) -> String {
    do {
      var options = RefreshOptions(command: "refresh")
      options.feeds = try feed.map { word throws(CommandError) in
        let subscriptions = try store.library().subscriptions
        return try context.selector(subscriptions).subscriptions(word).map(\.url)
      }
      options.keepsTexts = context.keepsTexts
      let report = try run(options, progress: line)
      fetchPages(options, after: report, line)
      return Self.words(report)
    } catch {
      return error.lines.first ?? ""
    }
  }

  private static func words(_ report: RefreshReport) -> String {
    if let error = report.storageError { return error }
    if report.subscribed == 0 { return CommandError.noSubscriptions.lines[0] }
    if report.isOffline { return "this machine is offline" }
    let asked = Count.of(report.asked - report.failed, "feed")
    let waiting = report.unasked.count { $0.retryTime != nil }
    let stored = Count.of(report.stored, "new story", "new stories")
    let parts = [
      report.stored == 0 ? "nothing new in \(asked)" : stored,
      report.failed > 0 ? "\(Count.of(report.failed, "feed")) failed" : "",
      waiting > 0 ? "\(waiting) whose servers asked to wait" : "",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
