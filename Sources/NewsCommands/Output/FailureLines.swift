import Aggregation
import FeedModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a run says on standard error: the feeds that failed, and what became of others.
struct FailureLines {
  let dates: RelativeDate
  let form: FailureForm

  /// The lines to print after `news: `.
  func lines(_ report: RefreshReport) -> [String] {
    var lines: [String] = []
    if let error = report.storageError { lines.append(error) }
    let unreached = report.feeds.filter(\.isOffline)
    if let feed = unreached.first { lines.append(offline(feed, unreached.count)) }
    if form != .blocks { lines += report.feeds.filter { !$0.isOffline }.compactMap(line) }
    return lines + suspects(report) + postponed(report.postponed) + report.warnings
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
    let next = feed.nextTry.map { "; next try after \(clockText($0))" } ?? ""
    let advice = form == .advice ? FailureAdvice.about(feed).map { "; \($0.line)" } ?? "" : ""
    return "\(FeedName.printableURL(feed.url)): \(SafeText.line(error))\(next)\(advice)"
  }

  /// A line for each host: some have hundreds of feeds.
  private func postponed(_ feeds: [PostponedFeed]) -> [String] {
    var groups: [[PostponedFeed]] = []
    var places: [String: Int] = [:]
    for feed in feeds {
      let host = WebURL.host(of: feed.url) ?? feed.url
      if let place = places[host] {
        groups[place].append(feed)
      } else {
        places[host] = groups.count
        groups.append([feed])
      }
    }
    return groups.map(line)
  }

  private func line(_ feeds: [PostponedFeed]) -> String {
    let (url, until) = (feeds[0].url, clockText(feeds[0].until))
    guard feeds.count > 1, let host = WebURL.host(of: url) else {
      return "\(FeedName.printableURL(url)): its server asked to wait until \(until)"
    }
    return "\(host) asked to wait until \(until): \(feeds.count) feeds were not asked"
  }

  private func offline(_ feed: FeedReport, _ count: Int) -> String {
    let reason = feed.error.map { " (\(SafeText.line($0)))" } ?? ""
    return "this machine seems to be offline: none of \(count) feeds was reached\(reason)"
  }

  private func clockText(_ date: Date) -> String {
    dates.clockText(date.wholeSeconds)
  }
}
