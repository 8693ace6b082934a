import Aggregation
import FeedModel

/// Prints what a run of `refresh` came to.
struct RefreshPrinter {
  let context: CommandContext

  /// The form of `--format`; nil without it.
  let template: StoryTemplate?

  func print(_ report: RefreshReport) throws(CommandError) -> ExitStatus {
    if context.isJSON {
      context.output.printLine(RefreshJSON.value(report).description)
    } else if let template {
      printStories(report, template)
    } else {
      let list = HeadlineList(
        report,
        style: context.style,
        columns: context.isOnTerminal ? context.columns : nil,
      )
      for line in list.lines(report) { context.output.printLine(line) }
    }
    context.output.flush()
    let isSeen = context.environment.terminal.isErrorTerminal
    let talk = RunTalk(context: context, form: isSeen ? .blocks : .advice)
    try talk.tell(report)
    return talk.status(report)
  }

  private func printStories(_ report: RefreshReport, _ template: StoryTemplate) {
    let names = HeadlineList(report, style: .plain, columns: nil)
    let dates = StoryDates(nil, clock: context.environment.clock)
    for story in report.newItems where !context.output.hasFailed {
      let feed = names.name(of: story)
      let text = template.text(TemplateStory(number: nil, story: story, feed: feed, dates: dates))
      context.output.print(text)
    }
  }
}
