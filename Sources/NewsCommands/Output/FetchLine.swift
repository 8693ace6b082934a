import Aggregation
import FeedModel

/// The one line that `news fetch` prints, whatever happens (design §2 "Output").
enum FetchLine {
  static func text(_ report: RefreshReport) -> String {
    let asked = "of \(report.asked) feeds"
    let seconds = "\(Seconds.text(report.seconds)) s"
    switch report.outcome {
    case .newData, .noData:
      let failed = report.failed > 0 ? "\(report.failed) failed, " : ""
      let new = "\(report.new) new in \(report.feedsWithNewData) \(asked)"
      return
        "\(report.outcome.rawValue): \(new), \(failed)\(allNew(report))\(waiting(report))\(seconds)"
    case .failed:
      // What cannot be stored has failed, however well it was fetched.
      let failed = report.storageError == nil ? report.failed : report.asked
      return "failed: \(failed) \(asked) failed, \(seconds)"
    }
  }

  /// For what the feeds wait of a run that asked none.
  private static func waiting(_ report: RefreshReport) -> String {
    guard report.asked == 0 else { return "" }
    let gone = report.unasked.count { $0.reason == .gone }
    let held = report.unasked.count { $0.hold != nil }
    let leftAlone = report.unasked.count { $0.reason == .held }
    let counts = [
      (report.unasked.count - gone - held - leftAlone, "not due"), (held, "held by their servers"),
      (gone, "gone"), (leftAlone, "left alone"),
    ]
    return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1), " }.joined()
  }

  /// Says that the stories of some feeds are stored but do not all count.
  private static func allNew(_ report: RefreshReport) -> String {
    let feeds = report.feeds.filter(\.isAllNew)
    guard !feeds.isEmpty else { return "" }
    let stored = feeds.map(\.stored).reduce(0, +)
    return "\(Count.of(feeds.count, "feed")) delivered everything as new (\(stored) stored), "
  }
}
