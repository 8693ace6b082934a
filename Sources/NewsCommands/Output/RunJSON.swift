import FeedModel
import FeedParsing

/// What is told of a run wherever one is printed as JSON.
enum RunJSON {
  static let keys = [
    JSONKey("started", "as YYYY-MM-DDTHH:MM:SSZ"),
    JSONKey("command", "refresh or fetch"),
    JSONKey("outcome", "newData, noData or failed"),
    JSONKey("new", "stories newer than the newest that their feed had stored"),
    JSONKey("stored", "stories that were added, the new ones included"),
  ]

  static func members(_ run: RunRecord) -> [JSONMember] {
    [
      JSONMember("started", .string(FeedDate.rfc3339String(run.started))),
      JSONMember("command", .text(run.command)),
      JSONMember("outcome", .string(run.outcome.rawValue)),
      JSONMember("new", .integer(run.new)),
      JSONMember("stored", .integer(run.stored)),
    ]
  }
}
