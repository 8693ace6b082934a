import Aggregation
import FeedModel

/// What a run says on standard error, and how it ends.
struct RunTalk {
  let context: CommandContext
  let form: FailureForm

  func tell(_ report: RefreshReport) throws(CommandError) {
    if report.subscribed == 0, report.storageError == nil { throw NoSubscriptions.error }
    let dates = RelativeDate(clock: context.environment.clock)
    if form == .blocks { printBlocks(report, dates) }
    let lines = FailureLines(dates: dates, form: form)
    for line in lines.lines(report) { context.complain(line) }
    if context.isVerbose { for feed in report.feeds { context.say(Self.detail(feed)) } }
    for feed in report.feeds where feed.movedTo != nil { context.say(Self.move(feed)) }
    for feed in report.feeds where feed.isAllNew { context.say(Self.allNew(feed)) }
    if report.wasInterrupted {
      context.complain("interrupted; what had arrived is stored")
    } else if report.storageError == nil, report.outcome != .failed {
      sayNothingNew(report)
    }
  }

  private func printBlocks(_ report: RefreshReport, _ dates: RelativeDate) {
    let blocks = FailureBlocks(dates: dates, style: context.errorStyle, columns: context.columns)
    let lines = blocks.lines(report)
    let isBelowHeadlines = context.isOnTerminal && !report.newItems.isEmpty && !context.isJSON
    if isBelowHeadlines, !lines.isEmpty { context.environment.errorOutput.printLine() }
    for line in lines { context.environment.errorOutput.printLine(line) }
  }

  func status(_ report: RefreshReport) -> ExitStatus {
    if report.wasInterrupted, let signal = context.environment.interruption() {
      return .interrupted(by: signal)
    }
    return report.outcome == .failed ? .failed : .done
  }

  /// `refresh` on a terminal would say nothing at all when nothing is new.
  private func sayNothingNew(_ report: RefreshReport) {
    guard report.newItems.isEmpty, context.environment.terminal.isErrorTerminal,
      context.isOnTerminal, !context.isJSON
    else { return }
    context.say("nothing new in \(Count.of(report.asked - report.failed, "feed"))")
  }

  /// `200  51333 bytes  0.101 s  3 new, 3 stored  https://…`.
  private static func detail(_ feed: FeedReport) -> String {
    let status = feed.status.map(String.init) ?? "-"
    var text = "\(status)  \(Count.of(feed.bytes, "byte"))  \(Seconds.text(feed.seconds)) s  "
    text += "\(feed.outcome.rawValue): \(feed.new) new, \(feed.stored) stored, "
    text += "\(feed.updated) updated  \(FeedName.printableURL(feed.url))"
    for note in feed.notes { text += "\n    \(SafeText.line(note))" }
    return text
  }

  private static func allNew(_ feed: FeedReport) -> String {
    let newer = feed.new == 0 ? "none" : feed.new == 1 ? "only 1" : "only \(feed.new)"
    let verb = feed.new > 1 ? "are newer and count" : "is newer and counts"
    return "\(FeedName.printableURL(feed.url)): delivered everything as new; "
      + "\(Count.of(feed.stored, "story", "stories")) stored, \(newer) of them \(verb)"
  }

  private static func move(_ feed: FeedReport) -> String {
    let place = FeedName.printableURL(feed.movedTo ?? "")
    return "\(FeedName.printableURL(feed.url)): moved for good to \(place)"
  }
}
