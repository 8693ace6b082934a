import Aggregation
import FeedModel

/// Prints what a run of `fetch` came to.
struct FetchPrinter {
  let context: CommandContext

  func print(_ report: RefreshReport) throws(CommandError) -> ExitStatus {
    let line = context.isJSON ? RefreshJSON.value(report).description : FetchLine.text(report)
    context.output.printLine(line)
    context.output.flush()
    let talk = RunTalk(context: context, form: .lines)
    try talk.tell(report)
    let isWanted = context.arguments.has("exit-status") && report.outcome == .noData
    let status = talk.status(report)
    return status == .done && isWanted ? .noData : status
  }
}
