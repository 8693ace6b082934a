import CommandLine
import CommandSupport
import FeedFetching
import FeedLibrary
import FeedModel
import FeedStorage
import FeedUpdating
import Searching

/// The announcement of a background fetch's new stories: a notice, and a command of the user's.
///
/// A failure is reported, and changes nothing else.
struct Announcement {
  private let context: CommandContext
  private let isForEachRun: Bool

  static let options = [
    CommandOption(
      "notify",
      optionalValue: "each",
      help: "show desktop notifications of new stories, at most one an hour",
    ),
    CommandOption(
      "on-new",
      value: CommandOption.command,
      help: "run COMMAND in a shell, with the new stories as JSON on its input",
    ),
    CommandOption(
      "on-star",
      value: CommandOption.command,
      help: "run COMMAND in a shell, with stories that got a star as JSON on its input",
    ),
  ]
  static let notes = [
    "--notify shows how many stories are new, and some of their titles, through notify-send "
      + "or busctl (osascript on macOS). Stories that arrive within an hour of a notification "
      + "are in the next one, which the first fetch after that hour shows, unless they were read or "
      + "deleted by then; --notify=each shows one for each run. --on-new runs "
      + "COMMAND once if there are new stories. It gets the same JSON array as list --json "
      + "prints (n is null) on standard input, and has 3 minutes; its output goes to standard "
      + "error. With a rule that notifies (news rules add NAME … --then notify), both are about the "
      + "stories that such rules match, and nothing else; with neither option those are shown as with "
      + "--notify. Both happen after the line is printed, and are not part of the deadline.",
    "--on-star runs COMMAND in the same way with the stories that have got a star since the last "
      + "fetch with --on-star, here, on a phone or on another machine: each once. Where COMMAND "
      + "ends with another status than 0, the next fetch gives it the same stories again. The first "
      + "fetch with --on-star only notes which stories are starred. Neither option is told to other "
      + "machines.",
  ]

  private static let pause = 3_600.0
  private static let commandLimit = Duration.seconds(180)

  init(_ context: CommandContext) throws {
    self.context = context
    let word = context.arguments.value("notify")
    guard word == nil || word == "each" else {
      throw context.usage("--notify: \(Spelling.quoted(word ?? "")) is not each")
    }
    isForEachRun = word != nil
  }

  var tellsOfNews: Bool { context.arguments.has("notify") || context.arguments.has("on-new") }

  /// The arguments with which another run announces the same.
  var words: [String] {
    let arguments = context.arguments
    return (arguments.has("notify") ? [isForEachRun ? "--notify=each" : "--notify"] : [])
      + ["on-new", "on-star"].flatMap { name in
        arguments.value(name).map { ["--\(name)", $0] } ?? []
      }
  }

  /// Announces what was stored, whatever else became of the run; false when a signal stopped it.
  func make(_ report: RefreshReport, _ store: LibraryStore) -> Bool {
    do {
      let rules = store.notifyingRules
      let report = try news(of: report, rules, store)
      if context.arguments.has("notify") || !rules.isEmpty && !tellsOfNews {
        try notify(report, store)
      }
      guard report.new > 0,
        let command = context.arguments.value("on-new").flatMap(store.typed.command)
      else { return true }
      let stories = try report.newItems.indices.map { try report.newItems.item(at: $0) }
      return run(command, "--on-new", stories, report, store) != .killed
    } catch {
      context.complain("\(error)")
    }
    return true
  }

  /// Notes which stories are starred, where nobody has before; returns the ids of those told of.
  @discardableResult
  static func noteStars(in store: LibraryStore) throws -> Set<String>? {
    // A damaged record counts as none: what is starred now was told of, or nobody knows.
    if let told = (try? store.toldStars()) ?? nil { return told }
    try store.save(toldStars: Set(try store.read(.names).items.starred().map(\.id)))
    return nil
  }

  /// Tells of the stories that have got a star since the last time; false when a signal stopped it.
  ///
  /// They count as told while the command runs, so that no other fetch tells of them, too.
  func tellStars(after report: RefreshReport, _ store: LibraryStore) -> Bool {
    guard let command = context.arguments.value("on-star").flatMap(store.typed.command),
      !report.gaveWay
    else { return true }
    do {
      guard let told = try Self.noteStars(in: store) else { return true }
      let items = try store.read(.names).items
      let new = try items.starred().filter { !told.contains($0.id) }
      guard !new.isEmpty else { return true }
      let known = try items.ids(among: told)
      try store.save(toldStars: known.union(new.map(\.id)))
      let end = run(command, "--on-star", new, report, store)
      if end != .done { try store.save(toldStars: known) }
      return end != .killed
    } catch {
      context.complain("--on-star: \(error)")
    }
    return true
  }

  /// Returns what is news: what rules that notify have matched, or without such rules what is
  /// neither of a hidden feed nor marked as read by a rule.
  private func news(
    of report: RefreshReport,
    _ rules: [StoryRule],
    _ store: LibraryStore,
  ) throws -> RefreshReport {
    guard !report.newItems.isEmpty else { return report }
    var report = report
    guard rules.isEmpty else {
      report.newItems = try report.newItems.matched(by: Set(rules.map(\.name)))
      report.new = report.newItems.count
      return report
    }
    report.newItems = report.newItems.unread
    return report.withoutHidden(in: store)
  }

  /// Shows a notice of what is new, and of what came since the last one and was not met since.
  private func notify(_ report: RefreshReport, _ store: LibraryStore) throws {
    let now = context.clock.date
    // A damaged record counts as none: this one mends it.
    let last = (try? store.lastNotice()) ?? nil
    // A date in the future is that of a clock that was wrong.
    let isEarly = last.map { 0..<Self.pause ~= now.timeIntervalSince($0.date) } ?? false
    guard report.new > 0 || !isEarly && last?.isEmpty == false else { return }
    var untold = last ?? NoticeRecord(date: Date(timeIntervalSince1970: 0))
    for index in report.newItems.indices.prefix(NoticeRecord.most) {
      untold.add(try report.newItems.item(at: index))
    }
    if isEarly, !isForEachRun { return try store.save(untold) }
    let library = try store.read(.names)
    let waiting = try last?.stories(in: library) ?? []
    guard report.new + waiting.count > 0 else {
      return try store.save(NoticeRecord(date: untold.date))
    }
    let notice = try DesktopNotice(report, waiting, library)
    guard let failure = notice.show(context.environment) else {
      return try store.save(NoticeRecord(date: now))
    }
    context.complain(
      "\(context.arguments.has("notify") ? "--notify" : "a rule notifies"): \(failure)"
    )
    // What fails is tried again with what is new, else in an hour.
    if report.new == 0 { untold.date = now }
    try store.save(untold)
  }

  private enum CommandEnd {
    case done, failed, killed
  }

  private func run(
    _ command: OwnCommand,
    _ option: String,
    _ stories: [StoredItem],
    _ report: RefreshReport,
    _ store: LibraryStore,
  ) -> CommandEnd {
    let removal = store.trackerRemoval
    let json = stories.map { item in
      PrintedJSON.object(StoryJSON.named, NamedStory(number: nil, story: removal.story(item)))
    }
    // After a run that was interrupted, one more signal is to end the process.
    let cancellation = report.wasInterrupted ? nil : context.cancellation()
    let answer = POSIX.run(
      command.shell,
      input: PrintedJSON.array(json).description + "\n",
      output: .standardError,
      until: .now + Self.commandLimit,
      orReadable: cancellation?.descriptor,
    )
    guard let answer else {
      context.complain("\(option): could not start the command")
      return .failed
    }
    switch answer.status {
    case 0: return .done
    case let status?: context.complain("\(option): the command exited with status \(status)")
    case nil where cancellation?.isCancelled == true:
      context.complain("\(option): the command was killed")
      return .killed
    case nil:
      let limit = TimeExpression.text(Self.commandLimit)
      context.complain("\(option): the command took longer than \(limit) and was stopped")
    }
    return .failed
  }
}

extension ItemTable {
  /// Returns the starred stories, the newest first.
  fileprivate func starred() throws -> [StoredItem] {
    var positions: [Int] = []
    try forEachStory(at: 0..<count) { position, story in
      if try story.isStarred() { positions.append(position) }
    }
    return try positions.map { position in try item(at: position) }
  }

  /// Returns those of the ids that stored stories have.
  fileprivate func ids(among ids: Set<String>) throws -> Set<String> {
    Set(try positions(of: ItemIDs(ids)).map { position in try id(at: position) })
  }
}

extension RefreshReport {
  /// Leaves out the new stories of hidden feeds, for runs that name no feed.
  func withoutHidden(in store: LibraryStore) -> RefreshReport {
    var report = self
    if !newItems.isEmpty {
      let feeds = (try? store.read(.names))?.subscriptions ?? []
      report.newItems = newItems.of(
        othersThan: Set(feeds.filter(\.settings.isHidden).map(\.url))
      )
    }
    report.new = report.newItems.count
    return report
  }
}
