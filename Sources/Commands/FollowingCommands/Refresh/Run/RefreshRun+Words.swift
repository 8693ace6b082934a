import CommandLine
package import CommandSupport
import FeedModel
package import FeedStorage
import FeedUpdating

extension CommandContext {
  /// Refreshes and returns a summary, such as `12 new stories, A failed: server answered 500`.
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
        let selector = context.selector(try store.read().subscriptions)
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
    let answered = report.asked - report.failed
    let waiting = report.unasked.count { $0.retryTime != nil }
    let stored = Count.of(report.stored, "new story", "new stories")
    let none = answered == 0 && report.failed > 0
    let parts = [
      report.stored > 0 ? stored : none ? "" : "nothing new in \(Count.of(answered, "feed"))",
      waiting > 0 ? "\(waiting) whose servers asked to wait" : "",
      failure(report.feeds.filter { $0.outcome == .failed }),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Names the feed that failed, with the reason, or the first of several.
  private static func failure(_ feeds: [FeedReport]) -> String {
    guard let first = feeds.first else { return "" }
    let name = Subscription.printableName(title: first.title, url: first.url)
    let rest = feeds.count - 1
    guard rest == 0 else {
      return "\(feeds.count) feeds failed: \(name) and \(rest) more (:feeds --failing)"
    }
    return "\(name) failed" + (first.error.map { ": \(SafeText.line($0))" } ?? "")
  }
}
