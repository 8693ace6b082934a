import Aggregation
import FeedModel

/// The feeds that failed as `refresh` tells of them on a terminal: the name, why, what to do.
struct FailureBlocks {
  let dates: RelativeDate
  let style: Style
  let columns: Int

  /// The lines, with a head that counts the feeds; none when no feed failed.
  func lines(_ report: RefreshReport) -> [String] {
    let failed = report.feeds.filter {
      $0.outcome == .failed && $0.error != nil && !$0.isOffline
    }
    guard !failed.isEmpty else { return [] }
    let head = style.red("Failed") + style.dim(" (\(failed.count))")
    return [head] + failed.flatMap(block)
  }

  private func block(_ feed: FeedReport) -> [String] {
    let url = FeedName.printableURL(feed.url)
    let title = SafeText.line(feed.title)
    let hasTitle = !title.isEmpty && title != feed.url && title != url
    var lines = [name(hasTitle ? title : url)]
    if hasTitle { lines.append("    " + style.dim(url)) }
    lines += wrapped(SafeText.line(feed.error ?? ""))
    if let advice = FailureAdvice.about(feed) {
      lines += wrapped(advice.words) + advice.commands.map { "      " + $0 }
    }
    if let next = feed.nextTry {
      lines += wrapped("next try after \(dates.clockText(next.wholeSeconds))")
    }
    return lines
  }

  private func name(_ text: String) -> String {
    "  " + style.bold(TerminalText.cut(text, to: max(columns - 2, 8)))
  }

  private func wrapped(_ text: String) -> [String] {
    TerminalText.wrap(text, to: max(columns - 4, 16)).map { "    " + $0 }
  }
}
