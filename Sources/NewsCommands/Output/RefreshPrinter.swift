import Aggregation
import FeedModel
import FeedStorage

/// Prints what a run of `refresh` came to.
struct RefreshPrinter {
  let context: CommandContext

  func print(_ report: RefreshReport) throws(CommandError) -> ExitStatus {
    if context.isJSON {
      context.output.printLine(RefreshJSON.value(report).description)
    } else {
      try printHeadlines(report)
    }
    context.output.flush()
    try RunTalk(context: context).tell(report)
    return RunTalk(context: context).status(report)
  }

  private func printHeadlines(_ report: RefreshReport) throws(CommandError) {
    let list = HeadlineList(
      report,
      style: context.style,
      columns: context.isOnTerminal ? context.columns : nil,
    )
    do throws(StorageError) {
      try list.forEachLine(of: report) { context.output.printLine($0) }
    } catch {
      throw .failed(error.description)
    }
  }
}
