import Aggregation
import FeedModel
import FeedStorage

/// The feeds that failed, and what became of others.
extension RefreshMessages {
  func failures(_ report: RefreshReport) -> [String] {
    var lines: [String] = []
    if let error = report.storageError { lines.append(error) }
    let unreached = report.feeds.filter(\.isOffline)
    if let feed = unreached.first { lines.append(offline(feed, unreached.count)) }
    if form != .blocks { lines += report.feeds.filter { !$0.isOffline }.compactMap(line) }
    lines += suspects(report)
    // To a timer a feed that waits is nothing to tell.
    if !report.isOnlyDue { lines += held(report.unasked) }
    if form != .lines { lines += gone(report.unasked) }
    return lines + report.warnings
  }

  /// What earlier runs died of, as far as anybody can tell, and what is left alone for it.
  private func suspects(_ report: RefreshReport) -> [String] {
    let suspects = report.suspects.filter { !$0.state.isHeld }
    var lines: [String] = []
    if let feed = suspects.first {
      let what = suspects.count == 1 ? FeedName.printableURL(feed.url) : "\(suspects.count) feeds"
      lines = ["an earlier run ended without a word while it asked \(what): asked last now"]
    }
    let told = Set(report.suspects.map(\.url))
    let held = report.unasked.filter { feed in
      feed.reason == .held && (!report.isOnlyDue || told.contains(feed.url))
    }
    return lines
      + held.map { feed in
        "\(FeedName.printableURL(feed.url)): left alone, three runs ended without a word while it was "
          + "being asked; to try it all the same: news refresh --force \(ShellWord.proposed(feed.url, or: "FEED"))"
      }
  }

  /// `https://…: server answered 503; next try after 10:42`, and what to do where that is wanted.
  private func line(_ feed: FeedReport) -> String? {
    guard feed.outcome == .failed, let error = feed.error else { return nil }
    let next = feed.nextTry.map { "; next try after \(dates.clockText($0.wholeSeconds))" } ?? ""
    let advice = form == .advice ? FailureAdvice.about(feed).map { "; \($0.line)" } ?? "" : ""
    return "\(FeedName.printableURL(feed.url)): \(SafeText.line(error))\(next)\(advice)"
  }

  /// A line for each server: some have hundreds of feeds.
  private func held(_ feeds: [UnaskedFeed]) -> [String] {
    var groups: [String: [UnaskedFeed]] = [:]
    for feed in feeds { groups[feed.hold?.server ?? "", default: []].append(feed) }
    let order = feeds.compactMap(\.hold?.server)
    var told: Set<String> = []
    return order.filter { told.insert($0).inserted }.compactMap { groups[$0].flatMap(line) }
  }

  private func line(_ feeds: [UnaskedFeed]) -> String? {
    guard let hold = feeds.compactMap(\.hold).max(by: { $0.until < $1.until }) else { return nil }
    let url = FeedName.printableURL(feeds[0].url)
    let whom = feeds.count == 1 ? "\(url) was" : "\(feeds.count) feeds were"
    let name = feeds.count == 1 ? " \(ShellWord.proposed(feeds[0].url, or: "FEED"))" : ""
    return "\(dates.wish(hold)): \(whom) not asked; to insist: `news refresh --force\(name)`"
  }

  private func gone(_ feeds: [UnaskedFeed]) -> [String] {
    feeds.filter { $0.reason == .gone }.map { feed in
      let url = FeedName.printableURL(feed.url)
      return "\(url): not asked, its server said that it is gone for good (410); to leave it: "
        + "`news unsubscribe \(ShellWord.proposed(feed.url, or: "FEED"))`"
    }
  }

  private func offline(_ feed: FeedReport, _ count: Int) -> String {
    let reason = feed.error.map { " (\(SafeText.line($0)))" } ?? ""
    return "this machine seems to be offline: none of \(count) feeds was reached\(reason)"
  }
}

extension RelativeDate {
  /// `https://example.com asked to wait until 12:10 (429)`.
  func wish(_ hold: ServerHold) -> String {
    let until = clockText(hold.until.wholeSeconds)
    return "\(SafeText.line(hold.server)) asked to wait until \(until) (\(hold.status))"
  }
}

/// How a run tells of the feeds that failed.
enum FailureForm: Hashable, Sendable {
  /// A line each (design §2 "Output").
  case lines
  /// A line each, with what to do about it.
  case advice
  /// A few lines each, for a terminal.
  case blocks
}
