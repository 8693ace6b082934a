import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage

struct DueSentences {
  let feed: Subscription
  let activity: FeedActivity
  let moment: RefreshMoment
  let dates: RelativeDate

  private var now: Date { moment.now }
  private var state: FeedState { feed.state }

  var text: String {
    if let server = state.server {
      return "Not asked from here: \(server) fetches it, and its stories come from there."
    }
    if feed.isOfSavedPages { return "Not asked: its stories are pages that `news save` stored." }
    if state.isGone { return "Not asked: its server said that it is gone for good (410)." }
    if feed.settings.isPaused(at: now), let until = feed.settings.pausedUntil {
      let end = until == 0 ? "" : " until \(clock(Date(timeIntervalSince1970: Double(until))))"
      return
        "Not asked: you have paused it\(end); `news feeds set \(ShellWord.feed(feed)) --resume` ends that."
    }
    let last = state.lastAsked.map { "Last asked \(at($0))." }
    return ["\(rhythm)\(next).", last, limit].compactMap(\.self).joined(separator: " ")
  }

  private var rhythm: String {
    if state.nextDue == nil {
      return state.lastAsked == nil ? "It was never asked" : "It will be fetched completely"
    }
    if state.failures > 0 {
      let times = state.failures > 1 ? "\(state.failures) times in a row" : "the last time"
      return "It failed \(times), so it is asked less often"
    }
    if let interval = feed.settings.interval {
      return "Asked every \(Self.span(interval / .seconds(1))), because you want it so"
    }
    let own = (state.rhythm ?? .seconds(3600)) / .seconds(1)
    if let asked = state.lastAsked, let earliest = state.earliestDue, let due = state.nextDue,
      earliest >= due, earliest.timeIntervalSince(asked) > own * 1.5
    {
      let wait = Self.span(earliest.timeIntervalSince(asked))
      let reason =
        isAskedToWait
        ? "it or its server asks not to be asked more often"
        : state.validators == nil
          ? "its server cannot say that nothing has changed" : "no feed is asked more often"
      return "Asked every \(wait), because \(reason)"
    }
    guard state.rhythm != nil else {
      return "Asked every hour, because little is known yet of how often it posts"
    }
    return "Asked every \(Self.span(own)), because it \(posts)"
  }

  private var posts: String {
    guard let interval = activity.interval(now: now.wholeSeconds) else { return "seldom posts" }
    let (day, seconds) = (86_400.0, Double(interval))
    return seconds < day * 0.7
      ? "posts about \(Int((day / seconds).rounded())) stories a day"
      : "posts about one story every \(Self.span(seconds))"
  }

  private var next: String {
    guard let next = moment.next(feed) else { return "" }
    guard next > now else { return "; due now" }
    return "; next \(at(next))\(reading)"
  }

  private var reading: String {
    switch moment.due(feed).reason {
    case .never, .rhythm: ""
    case .broughtForward(let hour): ", because you usually look from \(clock(hour)) on"
    case .putOff(let hour?): ", because you usually do not look before \(clock(hour))"
    case .putOff(nil): ", because you usually do not look until then"
    }
  }

  private var limit: String? {
    if let retryTime = moment.retryTime(of: feed.url) {
      return "\(dates.askedToWait(retryTime))."
    }
    // After a failure the wait is ours.
    guard let earliest = state.earliestDue, earliest > now, state.nextDue != nil,
      state.failures == 0
    else { return nil }
    let reason = isAskedToWait ? "it or its server asked for that" : "no feed is asked more often"
    return "Not before \(clock(earliest)): \(reason)."
  }

  /// Tells a wait that the feed or its server asked for from the one that all feeds have.
  private var isAskedToWait: Bool {
    guard let asked = state.lastAsked, let earliest = state.earliestDue else { return false }
    var visit = Visit(feed)
    visit.hasValidators = state.validators != nil
    return earliest > RefreshSchedule.earliestDue(after: visit, now: asked)
  }

  private func clock(_ date: Date) -> String { dates.clockText(date.wholeSeconds) }

  private func at(_ date: Date) -> String {
    let text = clock(date)
    return text.contains(" ") ? "on \(text)" : "at \(text)"
  }

  /// Returns words to follow "every": `15 minutes`, `hour`, `6 hours`, `day`, `3 days`.
  private static func span(_ seconds: Double) -> String {
    let units = [(86_400.0, "day"), (3600.0, "hour"), (60.0, "minute")]
    let (length, name) = units.first { seconds >= $0.0 * 0.95 } ?? (60, "minute")
    let count = Int(max((seconds / length).rounded(), 1))
    return count == 1 ? name : "\(count) \(name)s"
  }
}
