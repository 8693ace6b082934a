import CommandLine
package import CommandSupport
import FeedModel
package import FeedStorage
import FeedUpdating

extension CommandContext {
  /// Refreshes and returns a summary, such as `12 new stories, 1 feed failed`.
  ///
  /// `feed` names feeds; nil means all.
  package func refresh(_ feed: String?, in store: LibraryStore, _ line: ProgressLine) -> String {
    RefreshRun(context: self, store: store).words(feed, line)
  }
}

extension RefreshRun {
  fileprivate func words(_ feed: String?, _ line: ProgressLine) -> String {
    do {
      var options = try RefreshOptions.read(context)
      options.feeds = try feed.map { word in
        let subscriptions = try store.library().subscriptions
        return try context.selector(subscriptions).subscriptions(word).map(\.url)
      }
      let report = try run(options, progress: line)
      fetchPages(options, after: report, line)
      return Self.words(report)
    } catch {
      return error.line
    }
  }

  private static func words(_ report: RefreshReport) -> String {
    if let error = report.storageError { return error }
    if report.subscribed == 0 { return Failure.noSubscriptions.lines[0] }
    if report.isOffline { return "this machine is offline" }
    let asked = Count.of(report.asked - report.failed, "feed")
    let waiting = report.unasked.count { $0.retryTime != nil }
    let stored = Count.of(report.stored, "new story", "new stories")
    let parts = [
      report.stored == 0 ? "nothing new in \(asked)" : stored,
      report.failed > 0 ? "\(Count.of(report.failed, "feed")) failed" : "",
      waiting > 0 ? "\(waiting) whose servers asked to wait" : "",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
