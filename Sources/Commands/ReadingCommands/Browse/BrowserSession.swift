import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import Searching

/// The loop of `news browse`: carries out on terminal and store what keys ask for.
///
/// Changes by its own threads are noticed as those of other processes are.
final class BrowserSession {
  let context: CommandContext
  let store: LibraryStore
  let screen: TerminalScreen
  let signals: SignalQueue
  private let watch: StoreWatch
  let work: BrowserWork
  let pictures: BrowserPictures?
  private let said = LastLine()
  private var reader: KeyReader
  /// The view before Escape, until another key; nil if more than the view has changed.
  private var beforeEscape: Browser?
  private var rules: [StoryRule]
  private(set) var names: FeedName
  var browser: Browser
  private var counting: BackgroundTask<UnreadCounts?>?
  private var dueList: BrowserAction? = .list
  /// True if a change from outside is not drawn yet.
  private var hasNews = false
  private var isCountDue = true
  /// The direction to an unread story that is sought once all are counted; a key cancels it.
  private var soughtUnread: Int?
  private var isEnded = false
  /// The number of the last key: the commands of one go by it.
  private var keyNumber = 0
  /// The last key of which an operation failed: what its other commands say does not hide that.
  private var failedKey = 0
  /// True until the first key after the start of a command.
  var isUntouched = false
  /// True after the store could not be read: it is tried again each `retryTime`.
  ///
  /// Nothing tells when the last process lets go of a file that was cut short.
  private var isDamaged = false

  private static let progressTime = Duration.milliseconds(100)
  private static let retryTime = Duration.milliseconds(500)
  private static let signalNumbers = [
    SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT, SIGQUIT,
  ]

  init(
    _ context: CommandContext,
    _ query: (Library) throws -> StoryQuery,
    _ words: [String],
    _ keys: KeyMap,
  )
    throws
  {
    var environment = context.environment
    environment.output = TextOutput { _ in 0 }
    environment.errorOutput = said.stream
    environment.terminal = TerminalFacts()
    self.context = context.inside(environment)
    store = try context.store()
    reader = KeyReader(isRemote: context.environment.isRemote)
    let (store, work) = (store, BrowserWork(self.context, store))
    self.work = work
    pictures = PictureProgram(context).map { BrowserPictures($0, work.context, store) }
    // Before the library is read, so that no change in between is missed.
    watch = try StoreWatch(store)
    let library = try store.read(.names)
    let rules = try store.rules()
    self.rules = rules
    browser = Browser(library, rules, try query(library), words, keys: keys)
    browser.isReversed = context.arguments.has("reverse")
    browser.textColumns = try context.number("width", 20...400) ?? browser.textColumns
    browser.isCentered = context.arguments.has("center")
    browser.isGrouped = context.arguments.has(SimilarStories.option.name)
    names = FeedName(library)
    guard let signals = SignalQueue(Self.signalNumbers) else {
      throw Failure("no descriptors are left")
    }
    self.signals = signals
    let screen = TerminalScreen(input: 0, output: 1, interruption: signals.descriptor)
    guard let screen else { throw BrowseCommand.noTerminal }
    self.screen = screen
  }

  // MARK: The loop

  /// Runs until the reader quits, the terminal is gone, or a signal comes, which is returned.
  func run(from place: BrowsePlace?, goesBack: Bool) -> Int32? {
    browser.resize(columns: screen.size.columns, rows: screen.size.rows)
    if let place {
      browser.textPlaces = place.texts
      if goesBack { goBack(to: place) } else { browser.arrangeFeeds(asIn: place) }
    }
    defer {
      screen.end()
      if !context.keepsNoHistory { keepPlace(after: place) }
      pictures?.end()
      work.end()
    }
    while !isEnded {
      show()
      waitForEvents()
      for signal in signals.take() {
        if let end = receive(signal) { return end }
      }
      readKeys()
      // Waiting keys were pressed at the screen as it is now: nothing may move under them.
      if !hasKeys { takeNews() }
    }
    return nil
  }

  private var hasKeys: Bool { POSIX.wait(on: [0], until: .now) == [true] }

  /// Keeps the place; of a source that options made, only the places in texts.
  private func keepPlace(after last: BrowsePlace?) {
    guard var place = browser.place ?? last ?? (browser.textPlaces.isEmpty ? nil : BrowsePlace())
    else { return }
    // Another view may have ended meanwhile.
    let others = (try? store.browsePlace())?.texts ?? TextPlaces()
    place.texts = browser.textPlaces.added(to: others, since: last?.texts ?? TextPlaces())
    // A place that cannot be kept is no fault of the view.
    try? store.save(place)
  }

  private func goBack(to place: BrowsePlace) {
    browser.goBack(toSourceOf: place)
    list()
    attempt { try perform(try browser.goBack(toStory: place.story)) }
  }

  private func show() {
    browser.resize(columns: screen.size.columns, rows: screen.size.rows)
    // Waiting keys will change what is shown: it is drawn once, after them.
    guard hasNews || !hasKeys else { return }
    hasNews = false
    listIfDue()
    followRow()
    layOutText()
    openPictures()
    if let line = said.take() { browser.message = SafeText.line(line) }
    browser.showChosen()
    do {
      if try !draw() { isEnded = true }
    } catch {
      browser.stories.letGo()
      isDamaged = true
      browser.message = error.line
      if (try? draw()) != true { isEnded = true }
    }
    // Keys that wait by now were pressed at the screen before.
    if !hasKeys { browser.noteShown() }
    startCounting()
  }

  private func draw() throws -> Bool {
    let view = BrowserView(context: context, names: names, browser: browser)
    return screen.show(try view.rows(), cursor: view.cursor)
  }

  private func waitForEvents() {
    // A question waits until the one being typed has ended.
    let asking = browser.question == nil ? work.questions.descriptor : nil
    let tasks =
      work.descriptors
      + [counting?.descriptor, pictures?.descriptor, asking].compactMap(\.self)
    let time =
      reader.isInSequence
      ? reader.timeout
      : work.isRefreshing ? Self.progressTime : isDamaged ? Self.retryTime : nil
    let ready = POSIX.wait(
      on: [0, signals.descriptor, watch.descriptor] + tasks,
      until: time.map { .now + $0 },
    )
    if reader.isInSequence, ready.first != true { perform(reader.endSequence()) }
  }

  private func readKeys() {
    guard hasKeys else { return }
    guard let bytes = screen.readKeys() else {
      isEnded = true
      return
    }
    perform(reader.read(bytes))
  }

  private func receive(_ signal: Int32) -> Int32? {
    switch signal {
    // Terminals move what they show when they become smaller.
    case SIGWINCH: screen.redraw()
    case SIGCONT: screen.take()
    case SIGTSTP: suspend()
    default: return signal
    }
    return nil
  }

  private func takeNews() {
    if watch.hasChanges || isDamaged { reload() }
    // All marks are stored or have failed: the store is right about them again.
    if work.hasEnded() {
      reload()
      browser.stories.forgetMarks()
      updateText()
    }
    for result in work.takeResults() {
      _ = said.take()
      if result.hasFailed || result.lines.count > 1 || failedKey != keyNumber { show(result) }
    }
    if browser.question == nil, let question = work.questions.first {
      browser.ask(question)
      hasNews = true
    }
    takeCounts()
    pictures?.take()
    if let line = work.takeRefresh() {
      _ = said.take()
      browser.message = line
    }
  }

  // MARK: Keys

  private func perform(_ keys: [Key]) {
    for key in keys where !isEnded {
      // Keys act on the list as it is seen; a filter is applied after its last letter only.
      if browser.question == nil { listIfDue() }
      soughtUnread = nil
      isUntouched = false
      keyNumber += 1
      let before = beforeEscape
      beforeEscape = nil
      attempt { try key == .noEscape ? takeBackEscape(before) : press(key) }
    }
  }

  private func press(_ key: Key) throws {
    // PERF: a copy that is held makes each list that the key changes a copy, too.
    let before = key == .escape ? browser : nil
    let actions = try browser.press(key)
    beforeEscape = actions.allSatisfy(\.isOfView) ? before : nil
    try perform(actions)
  }

  private func takeBackEscape(_ before: Browser?) {
    guard let before else { return }
    browser = before
    dueList = .list
  }

  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch {
      browser.message = error.line
      failedKey = keyNumber
    }
  }

  private func perform(_ actions: [BrowserAction]) throws {
    for action in actions {
      switch action {
      case .show(let story): browser.open(pane(self.text(of: story)))
      case .showLinks(let story): showLinks(of: story)
      case .mark(let ids, let marks, let command):
        work.mark(ids, marks, command)
        if command == BrowseCommand.name, marks[.read] == true { noteOpened(ids) }
      case .answer(let text): work.questions.answer(text)
      case .readAll: work.readAll(browser.stories)
      case .fetchPage(let story): work.fetchPage(story)
      case .command(let words):
        isUntouched = true
        work.run(words, columns: browser.layout.storyColumns, ofKey: keyNumber)
      case .inTerminal(let words):
        let result = inTerminal { work.runNow(words) }
        show(result)
        if result.hasFailed { return }
      case .program(let program, let stories):
        let status = try run(program, for: stories)
        if status != 0 { throw program.failure(status, isLast: actions.count == 1) }
      case .complete(let line): complete(line)
      case .copy(let text): screen.copy(text)
      case .save(let story): try save(story)
      case .open(let link, let story):
        try inTerminal { try context.openInBrowser(link) }
        if let story { try perform(try browser.markRead(story)) }
      case .list: dueList = .list
      case .settle(let before):
        dueList = nil
        try browser.settle(context, before: before)
      case .listAgain: dueList = dueList ?? .listAgain
      case .listUnread:
        list()
        try perform(try browser.goToFirstUnread())
      case .countForUnread(let step):
        soughtUnread = step
        if counting == nil { isCountDue = true }
      case .refresh(let feeds): work.refresh(feeds, columns: browser.columns)
      case .confirmAll(let words):
        let count = try context.positions(of: StoryQuery(), in: browser.stories.library).count
        let confirmed = browser.confirmAll(words, of: count)
        guard confirmed.isEmpty else {
          try perform(confirmed)
          break
        }
        // What stands behind it waits for the answer.
        if case .goOn(let work)? = actions.last { browser.waiting = work }
        return
      case .goOn(let work):
        // As if they were pressed one after the other.
        listIfDue()
        try perform(try browser.run(work))
      case .suspend: suspend()
      case .redraw: screen.redraw()
      case .quit: isEnded = true
      }
    }
  }

  /// Notes the story that is opened; in a row of similar ones it is the first.
  private func noteOpened(_ ids: [String]) {
    guard let id = ids.first, let story = try? browser.stories.story(withID: id) else { return }
    work.context.noteOpened([story.feeds.first].compactMap(\.self))
  }

  // MARK: Lists

  private func listIfDue() {
    if let dueList { list(isAgain: dueList == .listAgain) }
  }

  private func list(isAgain: Bool = false) {
    dueList = nil
    do { try browser.list(context, isAgain: isAgain) } catch { browser.message = error.line }
  }

  private func reload() {
    do {
      try watch.takeChanges()
      let library = try store.read(.names)
      let rules = try store.rules()
      isDamaged = false
      let old = browser.stories.library
      // A fetch without news may have failed.
      isCountDue = true
      guard rules != self.rules || !old.isUnchanged(in: library) else { return }
      (hasNews, beforeEscape) = (true, nil)
      if rules != self.rules || old.subscriptions != library.subscriptions {
        self.rules = rules
        browser.update(sources: BrowserSource.all(of: library.subscriptions, rules))
        names = FeedName(library)
      }
      let count = browser.stories.listed.count
      try browser.listAnew(in: library, context)
      let more = browser.stories.listed.count - count
      if more > 0, browser.message.isEmpty {
        browser.message = Count.of(more, "more story", "more stories")
      }
    } catch {
      // A file that another program writes in place is seen half-way: the list stays as it was.
      isDamaged = true
      browser.message = error.line
    }
  }

  private func takeCounts() {
    guard let counts = counting?.value else { return }
    counting = nil
    guard let counts else { return }
    hasNews = true
    browser.take(counts: counts.counts)
    browser.feeds.failing = counts.failing
    browser.stories.learn(counts)
    guard let step = soughtUnread, !isCountDue else { return }
    soughtUnread = nil
    browser.message = ""
    attempt { try perform(try browser.goToUnread(by: step)) }
  }

  private func startCounting() {
    guard isCountDue, counting == nil else { return }
    isCountDue = false
    let (sources, library, context) = (browser.feeds.all, browser.stories.library, context)
    counting = BackgroundTask { try? UnreadCounts(sources, in: library, context) }
  }
}
