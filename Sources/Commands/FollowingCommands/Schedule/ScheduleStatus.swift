import CommandLine
package import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage

package struct ScheduleStatus {
  let timer: (any FetchTimer)?
  let state: TimerState?
  let obstacle: TimerObstacle?
  let last: RunRecord?
  private let isMetered: Bool

  package init(_ context: CommandContext) throws {
    let installed = try context.installedTimer()
    (timer, state) = (installed?.timer, installed?.state)
    obstacle = state?.isOn == true ? timer?.obstacle() : nil
    isMetered = state?.isUnmetered == true && MeteredNetwork.isHere(context)
    let store = try context.store()
    last = try store.ledger().last { $0.command == "fetch" && $0.isOnlyDue }
  }

  /// Returns the time since which a feed that may be asked has been due; nil where none is.
  package static func waiting(_ context: CommandContext) throws -> Date? {
    let library = try context.store().read()
    let moment = context.refreshMoment(library)
    return library.subscriptions.compactMap { feed in
      moment.next(feed) == moment.now ? moment.due(feed).date : nil
    }.min()
  }

  private var word: String {
    state.map { $0.isOn ? "on" : "stopped" } ?? "off"
  }

  private var times: String? { state?.times?.text }

  func lines(_ dates: RelativeDate) -> [String] {
    var lines: [String] = []
    if let timer, let state {
      let how = [timer.name, "runs `news fetch --due`", times].compactMap(\.self)
      lines.append("\(word): \(how.joined(separator: " "))")
      if !state.isOn { lines.append("start it again: news schedule install") }
      if let obstacle { lines.append(obstacle.text) }
      if isMetered { lines.append("it waits: the network is metered (--unmetered)") }
    } else {
      lines.append("off: no timer fetches in the background (`news schedule install`)")
    }
    if let last {
      let feeds = last.isMetered ? "" : " in \(Count.of(last.asked, "feed"))"
      let outcome = NewsCount.outcome(of: last) + feeds
      lines.append("last  \(dates.clockText(last.started.wholeSeconds)): \(outcome)")
    }
    if let next = state?.next { lines.append("next  \(dates.clockText(next))") }
    return lines
  }

  var fields: [String] {
    let date = { (date: Date?) in date.map { RFC3339.string($0) } ?? "" }
    return [
      word, timer?.name ?? "", times ?? "", date(last?.started), last?.outcome.rawValue ?? "",
      date(next),
    ]
  }

  private var next: Date? {
    state?.next.map { Date(timeIntervalSince1970: Double($0)) }
  }

  /// Returns the finding of `news doctor`; `waiting` is the time since which a feed has been due.
  package func finding(_ dates: RelativeDate, waiting: Date?) -> Finding {
    let ran = last.map { "it ran last at \(dates.clockText($0.started.wholeSeconds))" }
    // A run that finds nothing due leaves no trace: it is late only where a feed waits.
    let late = last.map { max($0.started.wholeSeconds, waiting?.wholeSeconds ?? dates.now) }
    let isAlive = late.map { dates.now - $0 < 86_400 } ?? false
    guard let timer, let state else {
      return isAlive
        ? .ok("timer", "fetch --due runs, though not by `news schedule`")
        : .note("timer", "nothing fetches in the background", "news schedule install")
    }
    guard state.isOn else {
      return .wrong("timer", "\(timer.name) has it, but it is stopped", "news schedule install")
    }
    let how = "\(timer.name) runs fetch --due \(times ?? "")"
    if let obstacle { return .note("timer", "\(how), but \(obstacle.fault)", obstacle.remedy) }
    if isMetered { return .note("timer", "\(how), and waits for a network that is not metered") }
    if isAlive, let ran { return .ok("timer", "\(how); \(ran)") }
    let fault = ran.map { "but \($0)" } ?? "but it has not run yet"
    return .note("timer", "\(how), \(fault)", "see why: \(timer.diagnosis)")
  }

  static let fields: [JSONField<ScheduleStatus>] = [
    JSONField("state", "on, stopped (installed, but not started) or off") { .string($0.word) },
    JSONField("by", "systemd, launchd or cron; null when it is off") { .text($0.timer?.name) },
    JSONField("obstacle", "what keeps it from running though it is on; null where nothing does") {
      .text($0.obstacle?.text)
    },
    JSONField("metered", "whether it waits for a network that is not metered") {
      .boolean($0.isMetered)
    },
    JSONField("seconds", "from one run to the next; null where nobody knows") {
      $0.state?.times.map { .integer($0.interval * 60) } ?? .null
    },
    JSONField("next", "when it runs next") { .date($0.next) },
    JSONField(
      "last",
      "the last fetch of what was due that asked a feed, or waited as the network was metered",
      object: RunJSON.fields,
    ) { $0.last },
  ]
}
