import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage
import FollowingCommands

struct FeedChecks {
  private let subscriptions: [Subscription]
  private let counts: FeedCounts?
  private let retryTimes: [String: RetryTime]
  private let dates: RelativeDate

  private static let day = 86_400
  private static let mostFailures = 3

  init(_ library: Library, clock: WallClock) {
    subscriptions = library.subscriptions
    retryTimes = library.retryTimes
    dates = RelativeDate(clock: clock)
    // The check of the files has reported what cannot be read.
    counts = try? FeedCounts(library.items, now: dates.now)
  }

  func findings() -> [Finding] {
    guard !subscriptions.isEmpty else {
      return [.note("feeds", "no subscriptions yet", "news subscribe URL, or news import FILE")]
    }
    let odd = subscriptions.compactMap(finding)
    let wrong = odd.count { $0.state == .wrong }
    let all = Count.of(subscriptions.count, "feed works", "feeds work")
    let well = "\(subscriptions.count - wrong) of \(all)"
    return [.ok("feeds", well)] + odd + waiting
  }

  private var waiting: [Finding] {
    let moment = RefreshMoment(Date(timeIntervalSince1970: Double(dates.now)), retryTimes)
    let all = subscriptions.compactMap { moment.retryTime(of: $0.url) }
    let byServer = Dictionary(grouping: all, by: \.server).sorted { $0.key < $1.key }
    return byServer.compactMap { server, times in
      times.max { $0.until < $1.until }.map { time in
        .note(
          "hold",
          "\(dates.askedToWait(time)): \(Count.of(times.count, "feed"))",
          "nothing: it is asked again then; to insist: news refresh --force",
        )
      }
    }
  }

  private func finding(_ feed: Subscription) -> Finding? {
    // A feed that a server fetches has its finding there.
    guard !feed.isNeverAsked else { return nil }
    let name = FeedName.printable(feed)
    let word = ShellWord.feed(feed)
    if feed.state.isGone {
      let text = "its server says that it is gone for good"
      let place = feed.state.newAddress
      return .wrong(
        name,
        text,
        place.map { Self.move(word, to: $0) } ?? "news unsubscribe \(word)",
      )
    }
    if feed.state.lastOutcome == .failed { return failing(feed, name, word) }
    if let move = feed.state.pendingMove, move.days > 0 {
      let place = WebURL.printable(move.url)
      let days = Count.of(move.days, "day")
      return .note(
        name,
        "its server has said on \(days) that it moved to \(place)",
        "nothing: news follows when it has said so on three days",
      )
    }
    if let move = feed.state.announcedMove, move.tried != nil {
      let place = WebURL.printable(move.url)
      return .note(
        name,
        "its document says that it lives at \(place) now, where it was not found",
        Self.move(word, to: move.url),
      )
    }
    return silent(feed, name, word)
  }

  private static func move(_ word: String, to place: String) -> String {
    "if it is the same feed: news move \(word) \(ShellWord.proposed(place, or: "URL"))"
  }

  private func failing(_ feed: Subscription, _ name: String, _ word: String) -> Finding {
    let error = SafeText.line(feed.state.lastError ?? "it could not be fetched")
    let count = feed.state.failures
    let times = count > 1 ? "failed \(count) times in a row" : "failed the last time"
    let since = feed.state.lastSucceeded.map { "; it last worked \(dates.text($0.wholeSeconds))" }
    let text = "\(times)\(since ?? "; it never worked"): \(error)"
    let isBusy = [429, 503].contains(feed.state.lastStatus)
    let isWrong = count >= Self.mostFailures || (since == nil && !isBusy)
    var finding =
      isWrong
      ? Finding.wrong(name, text, advice(feed, word))
      : .note(name, text, "wait, or try again: news refresh -v \(word)")
    (finding.cause, finding.isFeed) = (SharedCause.text(error, of: feed.url), true)
    return finding
  }

  private func advice(_ feed: Subscription, _ word: String) -> String {
    if let place = feed.state.newAddress { return Self.move(word, to: place) }
    let page = feed.state.link.flatMap { SafeLink.isSafe($0) ? ShellWord.asNeeded($0) : nil }
    switch feed.state.lastStatus {
    case 401, 403:
      let place =
        feed.url.lowercased().hasPrefix("https:")
        ? "~/.netrc, or subscribe with --password-command" : "its URL"
      return "if it wants a password, put it into \(place); news refresh -v \(word)"
    case 404:
      let search = "look for its new place: news subscribe \(page ?? "URL")"
      return "\(search), then news unsubscribe \(word)"
    default:
      return "see what happens: news refresh -v \(word); give it up: news unsubscribe \(word)"
    }
  }

  private func silent(_ feed: Subscription, _ name: String, _ word: String) -> Finding? {
    guard feed.state.lastAsked != nil else {
      return .note(name, "never asked", "news refresh \(word)")
    }
    guard let counts else { return nil }
    guard let newest = counts.of(feed.url).newest else {
      return .note(name, "it answers, and none of its stories is stored")
    }
    let days = (dates.now - newest) / Self.day
    guard days >= FeedHealth.silentDays else { return nil }
    var finding = Finding.note(
      name,
      "silent: its newest story is \(days) days old",
      "if you expect none any more: news unsubscribe \(word)",
    )
    (finding.cause, finding.isFeed) = ("silent for at least \(FeedHealth.silentDays) days", true)
    finding.command = "news feeds --silent"
    return finding
  }
}
