import Aggregation
import FeedModel

/// What a run says on standard error, and how it ends.
struct RefreshMessages {
  private let context: CommandContext
  let form: FailureForm
  let dates: RelativeDate

  init(_ context: CommandContext, _ form: FailureForm) {
    self.context = context
    self.form = form
    dates = RelativeDate(clock: context.clock)
  }

  func print(_ report: RefreshReport) throws(CommandError) {
    if report.subscribed == 0, report.storageError == nil { throw .noSubscriptions }
    if form == .blocks { printBlocks(report) }
    for line in failures(report) { context.complain(line) }
    if context.isVerbose { sayDetails(report) }
    for feed in report.feeds where feed.movedTo != nil { context.say(Self.move(feed)) }
    for feed in report.feeds where feed.isAllNew { context.say(Self.allNew(feed)) }
    if report.wasInterrupted {
      context.complain("interrupted; what had arrived is stored")
    } else if report.storageError == nil, report.outcome != .failed {
      sayNothingNew(report)
    }
  }

  private func printBlocks(_ report: RefreshReport) {
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
    guard report.newItems.isEmpty, report.asked > 0, context.environment.terminal.isErrorTerminal,
      context.isOnTerminal, !context.isJSON
    else { return }
    context.say("nothing new in \(Count.of(report.asked - report.failed, "feed"))")
  }

  private func sayDetails(_ report: RefreshReport) {
    for feed in report.feeds { context.say(detail(feed)) }
    for feed in report.unasked { context.say(unasked(feed)) }
  }

  /// `https://…: newData, 3 new, 3 stored, 0 updated; asked because all feeds were; due in 1 h`.
  private func detail(_ feed: FeedReport) -> String {
    var text = "\(FeedName.printableURL(feed.url)): \(feed.outcome.rawValue), "
    text += "\(feed.new) new, \(feed.stored) stored, \(feed.updated) updated; "
    text += "asked because \(reason(feed))"
    if let next = feed.nextTry.map(\.wholeSeconds) { text += "; due \(dates.dueText(next))" }
    for note in feed.notes { text += "\n    \(SafeText.line(note))" }
    return text
  }

  private func reason(_ feed: FeedReport) -> String {
    guard context.arguments.has("due") else {
      return context.arguments.operands.isEmpty ? "all feeds were" : "it was named"
    }
    guard let due = feed.wasDue else { return "it never was before" }
    return "it was due at \(dates.clockText(due.wholeSeconds))"
  }

  private func unasked(_ feed: UnaskedFeed) -> String {
    let reason =
      switch feed.reason {
      case .notDue(let until?): "not due before \(dates.clockText(until.wholeSeconds))"
      case .notDue(nil): "not due"
      case .askedToWait(let hold): dates.wish(hold)
      case .gone: "its server said that it is gone for good (410)"
      case .held: "three runs ended without a word while it was being asked"
      }
    return "\(FeedName.printableURL(feed.url)): not asked, \(reason)"
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
