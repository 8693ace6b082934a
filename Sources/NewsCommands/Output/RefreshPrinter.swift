import Aggregation
import FeedModel

/// Prints what a run of `refresh` came to.
struct RefreshPrinter {
  let context: CommandContext

  func print(_ report: RefreshReport) throws(CommandError) -> ExitStatus {
    if context.isJSON {
      context.output.printLine(RefreshJSON.value(report).description)
    } else {
      let list = HeadlineList(
        report,
        style: context.style,
        columns: context.isOnTerminal ? context.columns : nil,
      )
      for line in list.lines(report) { context.output.printLine(line) }
    }
    context.output.flush()
    try RunTalk(context: context).tell(report)
    return RunTalk(context: context).status(report)
  }
}
