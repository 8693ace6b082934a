import CommandLine
import CommandSupport

struct ScheduleCommand: Command {
  static let name = "schedule"
  static let summary = "fetch in the background by a timer, and show its status"
  static let synopsis =
    "[install|remove|status] [--every TIME] [--notify] [--unmetered] [--cron] [--print]"
  static let examples = [
    HelpExample("news schedule install", "fetch in the background from now on"),
    HelpExample(
      "news schedule install --every 1h",
      "check for due feeds every hour, not every 5 minutes",
    ),
    HelpExample("news schedule install --notify", "also show desktop notifications"),
    HelpExample("news schedule install --print", "show what would be installed, and where"),
    HelpExample("news schedule", "show whether it is on, when it ran, and the result"),
    HelpExample("news schedule remove", "stop fetching in the background"),
  ]
  private static let ofInstalling =
    [
      CommandOption("every", value: "TIME", help: "install: how often to run (5min), up to 1d"),
      CommandOption(
        "cron",
        help: "install: use the crontab, even where systemd or launchd exists",
      ),
      CommandOption("print", help: "install: only print what would be installed"),
      .noTexts, MeteredNetwork.option,
    ] + Announcement.options
  static let options = ofInstalling.map { $0.only(with: "install") }
  static let notes = [
    "The timer is a systemd user timer, a launchd agent on macOS, or else a crontab line. It "
      + "runs `news fetch --due` for this home. The timer only checks which feeds are due; how "
      + "often a feed is fetched depends on the feed and its server. Each machine runs at "
      + "minutes of its own.",
    "Environment variables for the network (proxies, certificates) and the name of the "
      + "program are saved when you install; proxies with a password are not. --notify, "
      + "--on-new and --on-star work as in `news fetch`, but a command that systemd runs cannot become another "
      + "user, as some mail programs must. The service may write to the home, and to the sync "
      + "and download folders that exist when you install; if you use commands of your own, also "
      + "to your home directory. Install again when these change.",
    "When piped, status is a tab-separated line: on, off or stopped; the kind of timer; how "
      + "often; when fetch --due last ran; its outcome; when it runs next.",
  ]
  static let json: JSONForm? = .object(
    "how the background fetch is scheduled",
    ScheduleStatus.fields,
  )

  static let actions = ["install", "remove", "status"]

  let context: CommandContext

  func run() throws -> ExitStatus {
    guard context.arguments.operands.count <= 1 else {
      throw usage("one action at a time: news schedule install, remove or status")
    }
    let verb = context.arguments.operands.first ?? "status"
    switch verb {
    case "install": try install()
    case "remove": try remove()
    case "status": try printStatus()
    default: throw usage("\(Spelling.quoted(verb)) is not one of install, remove and status")
    }
    return .done
  }

  private func install() throws {
    let fetch = try TimedFetch(context, every: context.arguments.value("every") ?? "5min")
    let timer = try wantedTimer()
    if context.arguments.has("print") { return context.printFiles(timer.files(fetch)) }
    // Two timers would fetch twice.
    for other in context.timers where other.name != timer.name {
      if try other.state() != nil, try other.remove() { context.say("no more by \(other.name)") }
    }
    // Without a home there are no stars yet.
    if context.arguments.has("on-star") { _ = try? Announcement.noteStars(in: context.store()) }
    let isNew = try timer.install(fetch)
    let what = "\(timer.name) runs `news fetch --due` \(fetch.times.text)"
    context.say(isNew ? "\(what) from now on" : "nothing to change: \(what) already")
    if let obstacle = timer.obstacle() { context.say(obstacle.text) }
  }

  private func wantedTimer() throws -> any FetchTimer {
    let cron = CronTimer(context: context)
    if context.arguments.has("cron") { return cron }
    if context.environment.isMacOS { return LaunchdTimer(context) }
    let systemd = SystemdTimer(context)
    if systemd.isThere { return systemd }
    if cron.isThere { return cron }
    guard context.arguments.has("print") else { throw cron.fault }
    return systemd
  }

  private func remove() throws {
    var removed: [String] = []
    for timer in context.timers where try timer.state() != nil {
      if try timer.remove() { removed.append(timer.name) }
    }
    context.say(
      removed.isEmpty
        ? "nothing to change: no timer fetches" : "no more by \(removed.joined(separator: " and "))"
    )
  }

  private func printStatus() throws {
    let status = try ScheduleStatus(context)
    if context.isJSON {
      context.output.printLine(PrintedJSON.object(ScheduleStatus.fields, status).description)
    } else if context.isOnTerminal {
      for line in status.lines(RelativeDate(clock: context.clock)) {
        TerminalText.wrap(line, to: context.columns).forEach(context.output.printLine)
      }
    } else {
      context.output.printFields(status.fields)
    }
  }
}
