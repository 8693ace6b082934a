import Aggregation
import FeedModel
import FeedStorage

/// Prints what a run of `refresh` came to.
struct RefreshPrinter {
  let context: CommandContext

  /// The form of `--format`; nil without it.
  let template: StoryTemplate?

  func print(_ report: RefreshReport) throws(CommandError) -> ExitStatus {
    if context.isJSON {
      context.output.printLine(RefreshJSON.value(report).description)
    } else if let template {
      try reading { () throws(StorageError) in try printStories(report, template) }
    } else {
      try reading { () throws(StorageError) in try printHeadlines(report) }
    }
    context.output.flush()
    let isSeen = context.environment.terminal.isErrorTerminal
    let talk = RunTalk(context: context, form: isSeen ? .blocks : .advice)
    try talk.tell(report)
    // Who asks only what is gone has to be told so by the status too.
    let isGone = report.asked == 0 && report.unasked.contains { $0.reason == .gone }
    return isGone ? .failed : talk.status(report)
  }

  private func printStories(
    _ report: RefreshReport,
    _ template: StoryTemplate,
  ) throws(StorageError) {
    let names = HeadlineList(report, style: .plain, columns: nil)
    let dates = StoryDates(nil, clock: context.environment.clock)
    for index in report.newItems.indices where !context.output.hasFailed {
      let story = try report.newItems.item(at: index)
      let feed = names.name(of: story)
      let text = template.text(TemplateStory(number: nil, story: story, feed: feed, dates: dates))
      context.output.print(text)
    }
  }

  private func printHeadlines(_ report: RefreshReport) throws(StorageError) {
    let list = HeadlineList(
      report,
      style: context.style,
      columns: context.isOnTerminal ? context.columns : nil,
    )
    try list.forEachLine(of: report) { context.output.printLine($0) }
  }

  /// The new stories are read back from where they waited to be stored.
  private func reading(_ body: () throws(StorageError) -> Void) throws(CommandError) {
    do throws(StorageError) { try body() } catch { throw .failed(error.description) }
  }
}
