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
      return "\(report.outcome.rawValue): \(new), \(failed)\(seconds)"
    case .failed:
      // What cannot be stored has failed, however well it was fetched.
      let failed = report.storageError == nil ? report.failed : report.asked
      return "failed: \(failed) \(asked) failed, \(seconds)"
    }
  }
}
