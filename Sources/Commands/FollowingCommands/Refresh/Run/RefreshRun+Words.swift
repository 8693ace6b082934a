import CommandLine
package import CommandSupport
import FeedModel
package import FeedStorage
import FeedUpdating

extension CommandContext {
  /// Refreshes and returns a summary, such as `12 new stories, 1 feed failed`.
  ///
  /// `feeds` are words that name feeds; none means all.
  package func refresh(_ feeds: [String], in store: LibraryStore, _ line: ProgressLine) -> String {
    RefreshRun(context: self, store: store).words(feeds, line)
  }
}

extension RefreshRun {
  fileprivate func words(_ feeds: [String], _ line: ProgressLine) -> String {
    do {
      var options = try RefreshOptions.read(context)
      if !feeds.isEmpty {
        let selector = context.selector(try store.library().subscriptions)
        options.feeds = try feeds.flatMap { try selector.subscriptions($0).map(\.url) }
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
