import CommandLine
import FeedFetching
import FeedModel
import FeedStorage
import FeedUpdating
import Synchronization

/// What the table view has done on threads: marks and other commands one after the other, and a
/// refresh beside them.
final class BrowserWork {
  private let context: CommandContext
  private let store: LibraryStore
  private let stop: StopForAll
  private var waiting: [Step] = []
  private var running: BackgroundTask<Void>?
  private var refreshing: BackgroundTask<String>?

  private enum Step {
    case mark(ids: [String], ItemMarks, command: String)
    case run(@Sendable (CommandContext) -> Void)
  }

  /// `context` says nothing to anybody but the table view.
  init(_ context: CommandContext, _ store: LibraryStore) {
    let stop = StopForAll()
    var environment = context.environment
    environment.cancelOnInterruption = { stop.add($0) }
    environment.interruption = { nil }
    self.context = context.inside(environment)
    (self.store, self.stop) = (store, stop)
  }

  /// Readable when something has ended.
  var descriptors: [Int32] { [running?.descriptor, refreshing?.descriptor].compactMap(\.self) }

  var isRefreshing: Bool { refreshing != nil }

  // MARK: Commands

  func mark(_ id: String, _ marks: ItemMarks, _ command: String) {
    // Each step is a save of the whole file.
    if case .mark(let ids, marks, command)? = waiting.last {
      waiting[waiting.count - 1] = .mark(ids: ids + [id], marks, command: command)
    } else {
      waiting.append(.mark(ids: [id], marks, command: command))
    }
    start()
  }

  func run(_ words: [String]) {
    let home = ["--home", store.home]
    waiting.append(
      .run { context in
        _ = NewsCommand.run(arguments: words + home, environment: context.environment)
      }
    )
    start()
  }

  func fetchPage(_ story: StoredItem) {
    let store = store
    waiting.append(
      .run { context in
        do throws(CommandError) {
          let pages = PageTexts(context: context.named("show"), store: store)
          _ = try pages.fetch([NamedStory(number: nil, story: story)])
        } catch {
          context.complain(error.lines.first ?? "")
        }
      }
    )
    start()
  }

  private func start() {
    guard running == nil, !waiting.isEmpty else { return }
    let (context, store) = (context, store)
    switch waiting.removeFirst() {
    case .run(let work): running = BackgroundTask { work(context) }
    case .mark(let ids, let marks, let command):
      running = BackgroundTask {
        do throws(CommandError) {
          // What is read as one goes on leaves what was changed on purpose to be undone.
          let canBeUndone = command != BrowseCommand.name
          _ = try StoryMarking(store, context.named(command))
            .set(marks, ids: ids, canBeUndone: canBeUndone)
        } catch {
          context.complain(error.lines.first ?? "")
        }
      }
    }
  }

  /// Goes on with what waits; whether all that was asked for has ended since the last time.
  func hasEnded() -> Bool {
    guard let running, running.value != nil else { return false }
    self.running = nil
    start()
    return self.running == nil
  }

  // MARK: Refreshing

  func refresh(columns: Int) {
    guard refreshing == nil else { return }
    let (context, store) = (context.named("refresh"), store)
    let line = ProgressLine(output: context.environment.errorOutput, columns: columns)
    refreshing = BackgroundTask { RefreshRun(context: context, store: store).words(line) }
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
    while let running {
      running.wait()
      _ = hasEnded()
    }
    refreshing?.wait()
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
  /// Asks all feeds; what it came to, in a line: `12 new stories, 1 feed failed`.
  fileprivate func words(_ line: ProgressLine) -> String {
    do {
      var options = RefreshOptions(command: "refresh")
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
    let held = report.unasked.count { $0.hold != nil }
    let stored = Count.of(report.stored, "new story", "new stories")
    let parts = [
      report.stored == 0 ? "nothing new in \(asked)" : stored,
      report.failed > 0 ? "\(Count.of(report.failed, "feed")) failed" : "",
      held > 0 ? "\(held) held by their servers" : "",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

/// What commands say, of which the last line counts.
final class LastLine: Sendable {
  private let text = Mutex("")

  /// In the place of standard error.
  var stream: TextOutput {
    TextOutput(capacity: 0) { bytes in
      let lines = String(decoding: bytes, as: UTF8.self)
        .split { $0.isNewline || $0 == "\u{1b}" }
        .map { $0.hasPrefix("[K") ? $0.dropFirst(2) : $0 }
      if let last = lines.last(where: { !$0.isEmpty }) { self.text.withLock { $0 = String(last) } }
      return 0
    }
  }

  /// The line, once; nil when nothing was said since.
  func take() -> String? {
    let line = text.withLock { text in
      defer { text = "" }
      return text
    }
    return line.isEmpty ? nil : line
  }
}
