import CommandLine
import FeedModel
import FeedParsing
import FeedStorage

struct ScheduleCommand: Command {
  static let name = "schedule"
  static let summary = "fetch in the background by a timer, and show its status"
  static let synopsis = "install|remove|status [--every TIME] [--notify] [--cron] [--print]"
  static let examples = [
    HelpExample("news schedule install", "fetch in the background from now on"),
    HelpExample(
      "news schedule install --every 1h",
      "look every hour what is due, not every 5min",
    ),
    HelpExample("news schedule install --notify", "and show on the desktop what is new"),
    HelpExample("news schedule install --print", "what would be installed, and where"),
    HelpExample("news schedule status", "whether it is on, when it ran, and what came of it"),
    HelpExample("news schedule remove", "no more"),
  ]
  static let options =
    [
      CommandOption("every", value: "TIME", help: "install: so often (5min), at most 1d"),
      CommandOption("cron", help: "install: by the crontab, whatever else there is"),
      CommandOption("print", help: "install: print what would be installed, and install nothing"),
      .noTexts,
    ] + Announcement.options
  static let notes = [
    "The timer is systemd's for the user, launchd's on macOS, and cron's elsewhere. It runs `news fetch "
      + "--due` for this home: how often a feed is asked is the feed's and its server's matter, not the "
      + "timer's. Its minutes are this machine's own.",
    "Variables that say how to reach the network (proxies, certificates) and the name that news goes by "
      + "are taken along as they are at the time of installing; proxies with a password are not. So are "
      + "--notify and --on-new, as `news fetch` has them; what systemd runs can become no other user, "
      + "as some programs that send mail have to. It writes below the home and the folders of places and "
      + "episodes that there are at the time of installing, and where commands of yours are run then also "
      + "below your own folder: install it again when that has changed.",
    "Piped, status is a line with tabs between its fields: on, off or stopped; by what; how often; when "
      + "fetch --due ran last; its outcome; when it runs next.",
  ]
  static let json: JSONForm? = .object(
    "how the background fetch is scheduled",
    ScheduleStatus.fields,
  )

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.count == 1, let verb = context.arguments.operands.first else {
      throw usage("say what to do: news schedule install, remove or status")
    }
    if verb != "install" {
      for option in Self.options where context.arguments.has(option.name) {
        throw usage("\(option.spelling) goes with install")
      }
    }
    switch verb {
    case "install": try install()
    case "remove": try remove()
    case "status": try printStatus()
    default: throw usage("\(Spelling.quoted(verb)) is none of install, remove and status")
    }
    return .done
  }

  private func install() throws(CommandError) {
    let fetch = try TimedFetch(context, every: context.arguments.value("every") ?? "5min")
    let timer = try wantedTimer()
    if context.arguments.has("print") { return printFiles(timer.files(fetch)) }
    // Two would fetch twice.
    for other in context.timers where other.name != timer.name {
      if try other.state() != nil, try other.remove() { context.say("no more by \(other.name)") }
    }
    let isNew = try timer.install(fetch)
    let what = "\(timer.name) runs `news fetch --due` \(fetch.times.text)"
    context.say(isNew ? "\(what) from now on" : "nothing to change: \(what) already")
    if let obstacle = timer.obstacle() { context.say(obstacle.text) }
  }

  private func wantedTimer() throws(CommandError) -> any FetchTimer {
    let cron = CronTimer(context)
    if context.arguments.has("cron") { return cron }
    if context.environment.isMacOS { return LaunchdTimer(context) }
    let systemd = SystemdTimer(context)
    if systemd.isThere { return systemd }
    if cron.isThere { return cron }
    guard context.arguments.has("print") else {
      throw .failed(
        "neither a systemd for users nor a crontab is here: apt-get install cron, or the like"
      )
    }
    return systemd
  }

  private func printFiles(_ files: [TimerFile]) {
    for file in files {
      if files.count > 1 { context.output.printLine("# \(file.path)") }
      context.output.print(file.text)
    }
  }

  private func remove() throws(CommandError) {
    var removed: [String] = []
    for timer in context.timers where try timer.state() != nil {
      if try timer.remove() { removed.append(timer.name) }
    }
    context.say(
      removed.isEmpty
        ? "nothing to change: no timer fetches" : "no more by \(removed.joined(separator: " and "))"
    )
  }

  private func printStatus() throws(CommandError) {
    let status = try ScheduleStatus(context)
    if context.isJSON {
      context.output.printLine(PrintedJSON.object(ScheduleStatus.fields, status).description)
    } else if context.isOnTerminal {
      status.lines(RelativeDate(clock: context.clock)).forEach(context.output.printLine)
    } else {
      context.output.printLine(TabSeparated.line(status.fields) { $1 })
    }
  }
}
