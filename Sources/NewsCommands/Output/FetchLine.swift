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
      return "\(report.outcome.rawValue): \(new), \(failed)\(allNew(report))\(seconds)"
    case .failed:
      // What cannot be stored has failed, however well it was fetched.
      let failed = report.storageError == nil ? report.failed : report.asked
      return "failed: \(failed) \(asked) failed, \(seconds)"
    }
  }

  /// Says that the stories of some feeds are stored but do not all count.
  private static func allNew(_ report: RefreshReport) -> String {
    let feeds = report.feeds.filter(\.isAllNew)
    guard !feeds.isEmpty else { return "" }
    let stored = feeds.map(\.stored).reduce(0, +)
    return "\(Count.of(feeds.count, "feed")) delivered everything as new (\(stored) stored), "
  }
}
