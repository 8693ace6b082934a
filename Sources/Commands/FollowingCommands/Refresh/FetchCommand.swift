import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import FeedUpdating

struct FetchCommand: Command {
  static let name = "fetch"
  static let summary = "fetch feeds and report in one line, for timers and scripts"
  static let synopsis =
    "[--due] [--deadline SECONDS] [--exit-status] [--keep N] [--format TEMPLATE]"
  static let examples = [
    HelpExample("news fetch", "fetch all feeds, and print one line"),
    HelpExample("news fetch --due", "fetch only feeds that are due, as a timer does"),
    HelpExample("news fetch --exit-status", "exit with 0 for new data, 3 for none, 1 for failure"),
    HelpExample(
      "news fetch --format '{feed}: {title}'",
      "print the new stories, and the line on standard error",
    ),
    HelpExample("news fetch --due --notify", "and show new stories as a desktop notification"),
    HelpExample("news fetch --on-new 'jq -r .[].link >>links'", "pipe new stories to a command"),
    HelpExample("news fetch --on-star 'save-later'", "pipe stories with a new star to a command"),
    HelpExample("news fetch --json", "print the outcome of the run and of each feed as JSON"),
  ]
  static let options =
    [
      CommandOption("deadline", value: "SECONDS", help: "stop after this many seconds (30)"),
      CommandOption("exit-status", help: "exit with 0 for newData, 3 for noData, 1 for failed"),
    ] + RefreshOptions.words + [MeteredNetwork.option, StoryTemplate.option] + Announcement.options
  static let notes =
    [
      "The line begins with the outcome: newData, noData or failed. Each feed that failed gets "
        + "a line on standard error. Without --exit-status, the exit status is 0 for both newData "
        + "and noData.",
      "newData comes with the number of new stories: those that were stored for the first time "
        + "and are not older than what is kept of their feed. Or it comes with the number of feeds "
        + "whose newest story has a new title: 0 new, 1 changed.",
      "Feeds that get no turn before the deadline are left for the next run, which starts with "
        + "those that most probably have news.",
      "Lists that are followed (`news subscribe --list`) are asked once a week, behind the feeds.",
      "While another run fetches all feeds, fetch does nothing but say so in its line.",
      "With --format, the new stories go to standard output and the line goes to standard "
        + "error.",
    ] + Announcement.notes
  static let json: JSONForm? = .object("what the run came to", RefreshJSON.fields)

  let context: CommandContext

  var readerAccess: ReaderAccess? { .network }
  var readsAlways: Bool { !context.arguments.has("due") }

  func run() throws -> ExitStatus {
    var options = try RefreshOptions.read(context)
    guard context.arguments.operands.isEmpty else {
      throw usage("fetch takes no feeds; `news refresh FEED` asks some of them")
    }
    options.deadline = try context.deadline() ?? .seconds(30)
    options.givesWay = true
    options.gathersDue = options.onlyDue
    let announcement = try Announcement(context)
    options.forecast = context.readingForecast()
    // A reader who is told of news need not look.
    if announcement.tellsOfNews { options.forecast = options.forecast?.withoutQuiet }
    let template = try StoryTemplate.read(context)
    if context.arguments.has(MeteredNetwork.option.name), MeteredNetwork.isHere(context) {
      return try waitForNetwork()
    }
    let store = try context.store()
    let run = RefreshRun(context: context, store: store)
    let report = try run.run(options, progress: nil)
    // PERF: the process is about to end; freeing story by story took a twentieth of a first fetch.
    _ = Unmanaged.passRetained(KeptReport(report))
    if let template, !context.isJSON {
      var numbers = ListNumbers()
      let shown = report.withoutHidden(in: store)
      let stories = NewStories(report: shown, removal: store.trackerRemoval, context: context)
      try stories.print(template, &numbers)
      context.say(line(report))
    } else {
      print(report)
    }
    context.output.flush()
    let messages = RefreshMessages(context, .lines)
    try messages.print(report)
    guard announcement.make(report, store) else { return .failed }
    run.followMoves(options, after: report)
    run.followLists(options, after: report)
    run.synchronize(options, after: report)
    guard announcement.tellStars(after: report, store) else { return .failed }
    run.fetchPages(options, after: report, nil)
    run.findAddresses(options, after: report)
    run.saveEpisodes(options, after: report)
    run.fetchIcons(options, after: report)
    let isNoData = context.arguments.has("exit-status") && report.outcome == .noData
    let status = messages.status(report)
    return status == .done && isNoData ? .noData : status
  }

  private func waitForNetwork() throws -> ExitStatus {
    let store = try context.store()
    var report = RefreshReport()
    (report.started, report.command) = (context.clock.date, Self.name)
    (report.isOnlyDue, report.isMetered) = (context.arguments.has("due"), true)
    // The timer looks every few minutes.
    if try store.lastRun()?.isMetered != true { try store.append(report.record) }
    print(report)
    return context.arguments.has("exit-status") ? .noData : .done
  }

  private func print(_ report: RefreshReport) {
    let text = context.isJSON ? RefreshJSON.value(report).description : line(report)
    context.output.printLine(text)
  }

  private func line(_ report: RefreshReport) -> String {
    let asked = "of \(report.asked) feeds"
    let seconds = "\(Seconds.text(report.seconds)) s"
    let left = report.left > 0 ? "\(report.left) left, " : ""
    switch report.outcome {
    case .newData, .noData:
      let failed = report.failed > 0 ? "\(report.failed) failed, " : ""
      let feeds = "\(report.feedsWithNewData) \(asked)"
      let new = NewsCount.text(report.new, report.changed, in: feeds)
      return
        "\(report.outcome.rawValue): \(new), \(failed)\(left)\(allNew(report))\(waiting(report))\(seconds)"
    case .failed:
      // A run that could not be stored has failed, however well it was fetched.
      let failed = report.storageError == nil ? report.failed : report.asked
      return "failed: \(failed) \(asked) failed, \(left)\(seconds)"
    }
  }

  private func waiting(_ report: RefreshReport) -> String {
    guard report.asked == 0 else { return "" }
    if report.isMetered { return "the network is metered, " }
    if report.gaveWay {
      let process = report.otherProcess.map { " (process \($0))" } ?? ""
      return "another run is at work\(process), "
    }
    let gone = report.unasked.count { $0.reason == .gone }
    let waiting = report.unasked.count { $0.retryTime != nil }
    let paused = report.unasked.count { $0.reason == .paused }
    let counts = [
      (report.unasked.count - gone - waiting - paused - report.left, "not due"),
      (waiting, "asked to wait by their servers"),
      (gone, "gone"), (paused, "paused"),
    ]
    return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1), " }.joined()
  }

  private func allNew(_ report: RefreshReport) -> String {
    let feeds = report.feeds.filter(\.isAllNew)
    guard !feeds.isEmpty else { return "" }
    let stored = feeds.map(\.stored).reduce(0, +)
    return "\(Count.of(feeds.count, "feed")) delivered everything as new (\(stored) stored), "
  }
}

/// A report that is left to the end of the process.
private final class KeptReport {
  let report: RefreshReport

  init(_ report: RefreshReport) {
    self.report = report
  }
}
