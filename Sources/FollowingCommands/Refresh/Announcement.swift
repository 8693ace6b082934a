import CommandLine
import CommandSupport
import FeedFetching
import FeedLibrary
import FeedModel
import FeedStorage
import FeedUpdating
import HTMLText
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
      value: "COMMAND",
      help: "run COMMAND in a shell, with the new stories as JSON on its input",
    ),
  ]
  static let notes = [
    "--notify shows how many stories are new, and some of their titles, through notify-send "
      + "or busctl (osascript on macOS). Stories that arrive within an hour of a notification "
      + "are counted in the next one; --notify=each shows one for each run. --on-new runs "
      + "COMMAND once if there are new stories. It gets the same JSON array as list --json "
      + "prints (n is null) on standard input, and has 3 minutes; its output goes to standard "
      + "error. With a rule that notifies (news rules add NAME … --then notify), both are about the "
      + "stories that such rules match, and nothing else; with neither option those are shown as with "
      + "--notify. Both happen after the line is printed, and are not part of the deadline."
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

  /// The arguments with which another run announces the same.
  var words: [String] {
    let arguments = context.arguments
    return (arguments.has("notify") ? [isForEachRun ? "--notify=each" : "--notify"] : [])
      + (arguments.value("on-new").map { ["--on-new", $0] } ?? [])
  }

  /// Announces what was stored, whatever else became of the run; false when a signal stopped it.
  func make(_ report: RefreshReport, _ store: LibraryStore) -> Bool {
    do {
      let (report, isByRules) = try news(of: report, store)
      guard report.new > 0 else { return true }
      let isByOption = context.arguments.has("notify") || context.arguments.has("on-new")
      if context.arguments.has("notify") || isByRules && !isByOption { try notify(report, store) }
      if let command = context.arguments.value("on-new") { return try run(command, report, store) }
    } catch {
      context.complain("\(error)")
    }
    return true
  }

  /// Returns what is news: what rules that notify have matched, or without such rules what is
  /// neither of a hidden feed nor marked as read by a rule.
  private func news(
    of report: RefreshReport,
    _ store: LibraryStore,
  ) throws -> (report: RefreshReport, isByRules: Bool) {
    guard !report.newItems.isEmpty else { return (report, false) }
    var report = report
    let rules = try store.rules().filter(\.notifies)
    guard rules.isEmpty else {
      report.newItems = try report.newItems.matched(by: Set(rules.map(\.name)))
      report.new = report.newItems.count
      return (report, true)
    }
    report.newItems = report.newItems.unread
    return (report.withoutHidden(in: store), false)
  }

  private func notify(_ report: RefreshReport, _ store: LibraryStore) throws {
    let now = context.clock.date
    // A damaged record counts as none: this one mends it.
    let last = (try? store.lastNotice()) ?? nil
    let unannounced = (last?.unannounced ?? 0) + report.new
    // A date in the future is that of a clock that was wrong.
    if let last, !isForEachRun, 0..<Self.pause ~= now.timeIntervalSince(last.date) {
      return try store.save(NoticeRecord(date: last.date, unannounced: unannounced))
    }
    let notice = try DesktopNotice(report, count: unannounced)
    guard let failure = notice.show(context.environment) else {
      return try store.save(NoticeRecord(date: now, unannounced: 0))
    }
    context.complain(
      "\(context.arguments.has("notify") ? "--notify" : "a rule notifies"): \(failure)"
    )
    let never = Date(timeIntervalSince1970: 0)
    try store.save(NoticeRecord(date: last?.date ?? never, unannounced: unannounced))
  }

  private func run(
    _ command: String,
    _ report: RefreshReport,
    _ store: LibraryStore,
  ) throws -> Bool {
    let removal = store.trackerRemoval
    var stories: [PrintedJSON] = []
    for index in report.newItems.indices {
      let item = try report.newItems.item(at: index)
      let story = NamedStory(number: nil, story: removal.story(item))
      stories.append(.object(StoryJSON.named, story))
    }
    // After a run that was interrupted, one more signal is to end the process.
    let cancellation = report.wasInterrupted ? nil : context.cancellation()
    let answer = POSIX.run(
      ["/bin/sh", "-c", command],
      input: PrintedJSON.array(stories).description + "\n",
      output: .standardError,
      until: .now + Self.commandLimit,
      orReadable: cancellation?.descriptor,
    )
    guard let answer else {
      context.complain("--on-new: could not start the command")
      return true
    }
    switch answer.status {
    case 0: break
    case let status?: context.complain("--on-new: the command exited with status \(status)")
    case nil where cancellation?.isCancelled == true:
      context.complain("--on-new: the command was killed")
      return false
    case nil:
      let limit = TimeExpression.text(Self.commandLimit)
      context.complain("--on-new: the command took longer than \(limit) and was stopped")
    }
    return true
  }
}

struct DesktopNotice: Hashable {
  let title: String
  let lines: [String]

  private static let maximumTitles = 4

  private init(title: String, lines: [String]) {
    (self.title, self.lines) = (title, lines)
  }

  init(_ report: RefreshReport, count: Int) throws {
    title = Count.of(count, "new story", "new stories")
    let list = HeadlineList(report, style: .plain)
    let best = list.best(Self.maximumTitles)
    var lines: [String] = []
    for index in best {
      let story = try report.newItems.item(at: index)
      let feed = report.feeds.count { $0.new > 0 } > 1 ? "\(list.name(of: story)): " : ""
      lines.append(SafeText.prefix(feed + StoryTitle.text(story.item), maximumCharacters: 120))
    }
    if count > best.count { lines.append("and \(count - best.count) more") }
    self.lines = lines
  }

  func show(_ environment: Environment) -> String? {
    var failure: String?
    for words in environment.isMacOS ? [appleWords] : [libraryWords, busWords] {
      let answer = environment.runProgram(Self.bus(environment) + words, "")
      guard let answer, answer.status != 127 else { continue }
      if answer.status == 0 { return nil }
      let reason = answer.text.split(separator: "\n").first.map { ": \($0)" } ?? ""
      failure = failure ?? words[0] + " failed" + reason
    }
    return failure ?? "there is no program for it here: apt-get install libnotify-bin, or the like"
  }

  /// Returns words that name the session's bus, which cron does not.
  private static func bus(_ environment: Environment) -> [String] {
    let path = "/run/user/\(getuid())/bus"
    guard environment.variable("DBUS_SESSION_BUS_ADDRESS") == nil, !environment.isMacOS,
      FileStatus(at: path)?.kind == .socket
    else { return [] }
    return ["/usr/bin/env", "DBUS_SESSION_BUS_ADDRESS=unix:path=\(path)"]
  }

  private var libraryWords: [String] {
    // notify-send takes a backslash for the beginning of an escape, as C does.
    ["notify-send", "--app-name=news", "--", title, markup.replacing("\\", with: "\\\\")]
  }

  /// The method of the Desktop Notifications Specification, §9.
  private var busWords: [String] {
    let name = "org.freedesktop.Notifications"
    let path = "/" + name.replacing(".", with: "/")
    return ["busctl", "--user", "--", "call", name, path, name, "Notify", "susssasa{sv}i"]
      + ["news", "0", "", title, markup, "0", "0", "-1"]
  }

  private var appleWords: [String] {
    let script = "display notification (item 2 of argv) with title (item 1 of argv)"
    return ["osascript", "-e", "on run argv", "-e", script, "-e", "end run", title]
      + [lines.joined(separator: "\n")]
  }

  /// Escaped text: some desktops make links and pictures of what stands in angle brackets.
  private var markup: String {
    lines.joined(separator: "\n").replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
  }
}

extension RefreshReport {
  /// Leaves out the new stories of hidden feeds, for runs that name no feed.
  func withoutHidden(in store: LibraryStore) -> RefreshReport {
    var report = self
    if !newItems.isEmpty {
      let feeds = (try? store.library(.names))?.subscriptions ?? []
      report.newItems = newItems.of(
        othersThan: Set(feeds.filter(\.settings.isHidden).map(\.url))
      )
    }
    report.new = report.newItems.count
    return report
  }
}
