import CommandLine
import CommandSupport
import FeedFetching
import FeedModel
import FeedStorage
import Synchronization

/// Work on threads: a lane of marks and quick commands, one of slow commands, and a refresh.
///
/// A lane runs one step after the other; slow commands ask servers.
final class BrowserWork {
  /// The context of commands, whose fetches `end()` cancels.
  let context: CommandContext
  private let store: LibraryStore
  private let program: Program
  /// Options before the words of a command: after `--` they would be operands.
  private let options: [String]
  let questions = BrowserQuestions()
  private let stop: StopForAll
  private var quick = WorkLane()
  private var slow = WorkLane()
  private var refreshing: BackgroundTask<String>?
  private let page = PageOutcome()

  /// Takes a context that prints to the table view only.
  init(_ context: CommandContext, _ store: LibraryStore) {
    let stop = StopForAll()
    program = context.environment.program
    var environment = context.environment
    environment.cancelOnInterruption = { stop.add($0) }
    environment.interruption = { nil }
    // The table view reads the keys.
    environment.isInTableView = true
    environment.ask = { [questions] in questions.ask($0) }
    environment.readInput = { _, _ in }
    // The process that reads was prepared when the table view began.
    environment.beginReading = { _, _ in }
    self.context = context.inside(environment)
    (self.store, self.stop) = (store, stop)
    options = ["--home", store.home, "--color", "never"] + context.passedOn
  }

  var descriptors: [Int32] {
    [quick.running?.descriptor, slow.running?.descriptor, refreshing?.descriptor].compactMap(\.self)
  }

  /// True while servers are asked, whose progress is shown.
  var isRefreshing: Bool { refreshing != nil || slow.running != nil }

  // MARK: Commands

  func mark(_ new: [String], _ marks: ItemMarks, _ command: String) {
    if command != BrowseCommand.name { quick.endsWithPage = false }
    // Each step saves the whole file, so marks are merged into one.
    if case .mark(let ids, marks, command)? = quick.waiting.last {
      quick.waiting[quick.waiting.count - 1] = .mark(ids: ids + new, marks, command: command)
    } else {
      quick.waiting.append(.mark(ids: new, marks, command: command))
    }
    start(&quick)
  }

  /// Marks the listed stories, even if their positions change before they are saved.
  func readAll(_ list: StoryPane) {
    let (items, positions) = (list.library.items, list.listed)
    let step = WorkLane.Step.run(ofKey: 0) { [store] context in
      do {
        let ids = try items.ids(at: positions)
        let count = try StoryMarking(store, context.named(ReadCommand.name))
          .set(ReadCommand.mark, ids: ids)
        return CommandResult(lines: ["\(Count.stories(count)) \(ReadCommand.done)"])
      } catch {
        return CommandResult(lines: error.lines)
      }
    }
    add(step, to: &quick)
  }

  /// Runs a command after those before it; one of a key that fails ends the others of that key.
  func run(_ words: [String], columns: Int, ofKey key: Int = 0) {
    let isOfPage =
      words.first == UndoCommand.name && UndoCommand.meansLast(words.dropFirst())
      && quick.isAtPage
    quick.endsWithPage = false
    let step = WorkLane.Step.run(ofKey: key) { [options, program, page] context in
      if isOfPage, !page.hasChanged { return CommandResult(lines: ["the text is as it was"]) }
      return Self.result(of: options + words, by: program, context.environment, columns: columns)
    }
    if program.isSlow(options + words, context.environment) {
      add(step, to: &slow)
    } else {
      add(step, to: &quick)
    }
  }

  func runNow(_ words: [String]) -> CommandResult {
    var environment = context.environment
    // The command reads the keys itself.
    environment.ask = nil
    return Self.result(of: options + words, by: program, environment, columns: nil)
  }

  /// Runs a command and collects its lines.
  ///
  /// It prints as for a terminal of `columns`, its pager included; with nil it has the real one.
  private static func result(
    of words: [String],
    by program: Program,
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
    let status = program.run(words, environment)
    let hasFailed = status != ExitStatus.done.code
    return CommandResult(
      lines: printed.lines,
      hasFailed: hasFailed,
      isReport: printed.isReport,
    )
  }

  func fetchPage(_ story: StoredItem) {
    let step = WorkLane.Step.run(ofKey: 0) { [store, page] context in
      page.hasChanged = false
      do {
        let pages = PageTexts(context: context.named("show"), store: store, isBrowsing: true)
        let choices = try pages.otherText(ofStory: story.id)
        try StoryMarking(store, context.named(choices.command)).keep(choices)
        page.hasChanged = !choices.isEmpty
      } catch {
        context.complain(error.line)
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
    case .run(let key, let work):
      lane.key = key
      lane.running = BackgroundTask { work(context) }
    case .mark(let ids, let marks, let command):
      lane.running = BackgroundTask {
        do {
          // A story read in passing must not take the place of a deliberate change in `undo`.
          let canBeUndone = command != BrowseCommand.name
          _ = try StoryMarking(store, context.named(command))
            .set(marks, ids: ItemIDs(ids), canBeUndone: canBeUndone)
        } catch {
          context.complain(error.line)
        }
        return nil
      }
    }
  }

  /// Takes ended steps and starts waiting ones; true once all marks so far are stored.
  func hasEnded() -> Bool {
    slow.take()
    start(&slow)
    guard quick.take() else { return false }
    start(&quick)
    return quick.running == nil
  }

  func takeResults() -> [CommandResult] {
    defer { (quick.results, slow.results) = ([], []) }
    return quick.results + slow.results
  }

  // MARK: Refreshing

  func refresh(_ feeds: [String], columns: Int) {
    guard refreshing == nil else { return }
    let context = context.named("refresh")
    let line = ProgressLine(output: context.environment.errorOutput, columns: columns)
    refreshing = BackgroundTask { [store, program] in
      program.refresh(context, store, feeds, line)
    }
  }

  func takeRefresh() -> String? {
    guard let words = refreshing?.value else { return nil }
    refreshing = nil
    return words
  }

  /// Cancels what asks servers, and waits until everything is stored.
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

private struct WorkLane {
  enum Step {
    case mark(ids: [String], ItemMarks, command: String)
    /// A command; those of one press of a key have its number, others 0.
    case run(ofKey: Int, @Sendable (CommandContext) -> CommandResult?)
  }

  var waiting: [Step] = []
  var running: BackgroundTask<CommandResult?>?
  /// The number of the key of the command that was started last.
  var key = 0
  var results: [CommandResult] = []
  /// True if the last step asks for a story's other text.
  var endsWithPage = false

  var isAtPage: Bool { endsWithPage && (running != nil || !waiting.isEmpty) }

  @discardableResult
  mutating func take() -> Bool {
    guard let result = running?.value else { return false }
    running = nil
    guard let result else { return true }
    results.append(result)
    if result.hasFailed, key > 0 { dropCommands(ofKey: key) }
    return true
  }

  private mutating func dropCommands(ofKey failed: Int) {
    waiting.removeAll { if case .run(let key, _) = $0 { key == failed } else { false } }
  }
}

/// The outcome of the last request for a story's other text.
///
/// An undo that is pressed meanwhile takes back that change and nothing else.
private final class PageOutcome: Sendable {
  private let value = Mutex(false)

  var hasChanged: Bool {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}

/// Cancels all fetches under way, and all that begin afterwards.
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
