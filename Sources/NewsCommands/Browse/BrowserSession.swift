import Aggregation
import FeedFetching
import FeedModel
import FeedStorage
import Synchronization

/// `news browse` at work: carries out between terminal, store and network what keys ask for.
///
/// Everything that takes time runs on threads: marks and other commands one after the other, a
/// refresh and the counts beside them. What they have saved is noticed as anybody else's changes are.
final class BrowserSession {
  private let context: CommandContext
  private let store: LibraryStore
  private let screen: TerminalScreen
  private let signals: SignalQueue
  private let watch: StoreWatch
  private let said = LastLine()
  private var keys = KeyReader()
  private var browser: Browser
  private var view: BrowserView
  /// Whether the list has to be made anew before it is shown.
  private var isListDue = true
  private var isCountDue = true
  private var isEnded = false

  private var waiting: [@Sendable (CommandContext) -> Void] = []
  private var command: BackgroundTask<Void>?
  private var counting: BackgroundTask<UnreadCounts?>?
  private var refreshing: (run: BrowserRefresh, task: BackgroundTask<String>)?

  /// How long after Escape something else is another key: a slow line sends it in pieces.
  private static let sequenceTime = Duration.milliseconds(60)
  private static let progressTime = Duration.milliseconds(100)

  init(_ context: CommandContext, store: LibraryStore, source: [String]) throws(CommandError) {
    var environment = context.environment
    environment.output = TextOutput { _ in 0 }
    environment.errorOutput = said.stream
    environment.terminal = TerminalFacts()
    self.context = context.inside(environment)
    self.store = store
    // First of all: what is saved once the library was read has to be noticed.
    watch = try commandErrors { try StoreWatch(store) }
    let library = try store.library(.names)
    browser = Browser(library)
    browser.choose(source)
    view = BrowserView(context: self.context, names: FeedName(library))
    guard let signals = SignalQueue(Self.signalNumbers) else {
      throw .failed("no descriptors are left")
    }
    self.signals = signals
    guard let screen = TerminalScreen(input: 0, output: 1) else { throw BrowseCommand.noTerminal }
    self.screen = screen
  }

  private static let signalNumbers = [
    SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT, SIGQUIT,
  ]

  // MARK: The loop

  /// Ends when the reader leaves, when the terminal is gone, or by a signal: gives that.
  func run() throws(CommandError) -> Int32? {
    defer { end() }
    while !isEnded {
      try show()
      waitForEvents()
      for signal in signals.take() {
        if let end = receive(signal) { return end }
      }
      readKeys()
      if watch.hasChanges { reload() }
      takeResults()
    }
    return nil
  }

  private func show() throws(CommandError) {
    (browser.columns, browser.rows) = screen.size
    // While more keys wait to be read, nothing is shown that they change.
    guard POSIX.wait(on: [0], until: .now) == [false] else { return }
    if isListDue { list() }
    if let line = said.take() { browser.message = SafeText.line(line) }
    let rows = try view.rows(browser)
    if !screen.show(rows) { isEnded = true }
    startCounting()
  }

  private func waitForEvents() {
    let tasks = [command?.descriptor, counting?.descriptor, refreshing?.task.descriptor]
    let descriptors = [0, signals.descriptor, watch.descriptor] + tasks.compactMap(\.self)
    let time =
      keys.isInSequence ? Self.sequenceTime : refreshing == nil ? nil : Self.progressTime
    let ready = POSIX.wait(on: descriptors, until: time.map { .now + $0 })
    if keys.isInSequence, ready.first != true { perform(keys.endSequence()) }
  }

  private func readKeys() {
    guard POSIX.wait(on: [0], until: .now) == [true] else { return }
    guard let bytes = screen.readKeys() else {
      isEnded = true
      return
    }
    perform(keys.read(bytes))
  }

  /// Carries out what a signal asks for; gives one that ends us.
  private func receive(_ signal: Int32) -> Int32? {
    switch signal {
    case SIGWINCH: layOutText()
    case SIGCONT: screen.take()
    case SIGTSTP: suspend()
    default: return signal
    }
    return nil
  }

  private func suspend() {
    screen.leave()
    POSIX.stop()
    signals.listen()
    screen.take()
  }

  private func end() {
    screen.end()
    refreshing?.run.cancel()
    while let command {
      command.wait()
      startCommand()
    }
    refreshing?.task.wait()
  }

  // MARK: Keys

  private func perform(_ keys: [Key]) {
    for key in keys where !isEnded {
      do {
        for action in try browser.press(key) { try perform(action) }
      } catch let error as CommandError {
        browser.message = error.lines.first ?? ""
      } catch {
        browser.message = "\(error)"
      }
    }
  }

  private func perform(_ action: BrowserAction) throws(CommandError) {
    switch action {
    case .show(let story): show(story)
    case .mark(let id, let marks, let name):
      let store = store
      run { context in
        do throws(CommandError) {
          _ = try StoryMarking(store, context.named(name)).set(marks, ids: [id])
        } catch {
          context.complain(error.lines.first ?? "")
        }
      }
    case .command(let words):
      let store = store
      run { context in
        let home = ["--home", store.home]
        _ = NewsCommand.run(arguments: words + home, environment: context.environment)
      }
    case .open(let link): try open(link)
    case .list: isListDue = true
    case .refresh: refresh()
    case .suspend: suspend()
    case .redraw: screen.redraw()
    case .quit: isEnded = true
    }
  }

  /// The terminal is the browser's meanwhile: there are some that run in it.
  private func open(_ link: String) throws(CommandError) {
    screen.leave()
    // Ctrl-C is its business, too.
    for number in [SIGINT, SIGQUIT] { _ = signal(number, SIG_IGN) }
    defer {
      signals.listen()
      screen.take()
    }
    try context.openInBrowser(link)
  }

  private func show(_ story: StoredItem) {
    browser.text = text(of: story).map { TextPane($0.shown, $0.lines) }
  }

  private func text(of story: StoredItem) -> (shown: ShownStory, lines: [String])? {
    let shown = ShownStory(NamedStory(number: nil, story: story), page: nil, in: store, context)
    return (shown, lines(shown))
  }

  private func lines(_ shown: ShownStory) -> [String] {
    let columns = browser.layout.storyColumns
    let card = StoryCard(context, view.names, width: columns)
    return card.lines(shown.named.story, shown.document)
      .flatMap { TerminalText.folded($0, to: columns) }
  }

  private func layOutText() {
    (browser.columns, browser.rows) = screen.size
    guard let shown = browser.text?.shown else { return }
    let (lines, rows) = (lines(shown), browser.layout.paneRows)
    browser.text?.replace(shown, lines, rows: rows)
  }

  // MARK: Lists

  private func list() {
    isListDue = false
    do {
      let positions = try positions(in: browser.stories.library)
      browser.stories.list(positions)
    } catch {
      browser.message = error.lines.first ?? ""
    }
  }

  private func positions(in library: Library) throws(CommandError) -> [Int] {
    let query = try browser.query()
    let positions = try context.positions(of: query, in: library.items)
    guard query.isUnread, !browser.readHere.isEmpty else { return positions }
    let kept = try commandErrors { try library.items.positions(of: ItemIDs(browser.readHere)) }
    return Set(positions + kept).sorted()
  }

  /// Takes what others, or our own threads, have saved.
  private func reload() {
    do {
      try commandErrors { try watch.takeChanges() }
      let library = try store.library(.names)
      let old = browser.stories.library
      guard !old.items.isUnchanged(in: library.items) || old.subscriptions != library.subscriptions
      else { return }
      if old.subscriptions != library.subscriptions {
        browser.update(sources: BrowserSource.all(of: library))
        view = BrowserView(context: context, names: FeedName(library))
      }
      let positions = try positions(in: library)
      let rows = browser.layout.paneRows
      try commandErrors { try browser.stories.update(to: library, positions, rows: rows) }
      isCountDue = true
    } catch {
      // A file that another program writes in place is seen half-way: the list stays as it was.
      browser.message = error.lines.first ?? ""
    }
  }

  private func startCounting() {
    guard isCountDue, counting == nil else { return }
    isCountDue = false
    let (sources, items, now) = (
      browser.sources, browser.stories.library.items, context.clock.now(),
    )
    counting = BackgroundTask { try? UnreadCounts(sources, in: items, now: now) }
  }

  // MARK: Commands

  /// Has something done on a thread, after what waits already.
  private func run(_ work: @escaping @Sendable (CommandContext) -> Void) {
    waiting.append(work)
    if command == nil { startCommand() }
  }

  private func startCommand() {
    command = nil
    guard !waiting.isEmpty else { return }
    let (work, context) = (waiting.removeFirst(), context)
    command = BackgroundTask { work(context) }
  }

  private func refresh() {
    guard refreshing == nil else { return }
    let line = ProgressLine(output: context.environment.errorOutput, columns: browser.columns)
    let run = BrowserRefresh(context, store)
    refreshing = (run, BackgroundTask { run.run(line) })
  }

  private func takeResults() {
    if command?.value != nil {
      startCommand()
      // What was asked for is stored, or could not be.
      if command == nil {
        reload()
        browser.stories.forgetMarks()
        updateText()
      }
    }
    if let counts = counting?.value {
      counting = nil
      if let counts, counts.counts.count == browser.sources.count { browser.unread = counts.counts }
    }
    if let line = refreshing?.task.value {
      refreshing = nil
      _ = said.take()
      browser.message = line
    }
  }

  /// Shows the text anew where it has become another: the story's page has come.
  private func updateText() {
    guard let old = browser.text?.shown.named.story,
      let story = try? browser.stories.story(withID: old.id),
      story.hasPageText != old.hasPageText || story.item.textNumber != old.item.textNumber,
      let (shown, lines) = text(of: story)
    else { return }
    let rows = browser.layout.paneRows
    browser.text?.replace(shown, lines, rows: rows)
  }
}

/// A refresh beside a reader: what it came to is one line.
private final class BrowserRefresh: Sendable {
  private let context: CommandContext
  private let store: LibraryStore
  private let cancellation = Mutex<FetchCancellation?>(nil)

  init(_ context: CommandContext, _ store: LibraryStore) {
    (self.context, self.store) = (context.named("refresh"), store)
  }

  /// What has arrived is stored all the same.
  func cancel() {
    cancellation.withLock { $0?.event?.happen() }
  }

  func run(_ line: ProgressLine) -> String {
    do {
      var options = RefreshOptions(command: "refresh")
      options.keepsTexts = context.keepsTexts
      var environment = context.environment
      environment.cancelOnInterruption = { cancellation in
        self.cancellation.withLock { $0 = cancellation }
      }
      let run = RefreshRun(context: context.inside(environment), store: store)
      let report = try run.run(options, progress: line)
      run.fetchPages(options, after: report, line)
      return words(report)
    } catch {
      return error.lines.first ?? ""
    }
  }

  /// `12 new stories in 3 feeds, 1 feed failed`.
  private func words(_ report: RefreshReport) -> String {
    if let error = report.storageError { return error }
    if report.subscribed == 0 { return CommandError.noSubscriptions.lines[0] }
    if report.isOffline { return "this machine is offline" }
    var parts = [
      report.stored == 0
        ? "nothing new in \(Count.of(report.asked - report.failed, "feed"))"
        : "\(Count.of(report.stored, "new story", "new stories"))"
    ]
    if report.failed > 0 { parts.append("\(Count.of(report.failed, "feed")) failed") }
    let held = report.unasked.count { $0.hold != nil }
    if held > 0 { parts.append("\(held) held by their servers") }
    return parts.joined(separator: ", ")
  }
}
