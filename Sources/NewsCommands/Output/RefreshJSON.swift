import Aggregation
import FeedModel

/// The object that `fetch --json` and `refresh --json` print (design §2 "Output").
enum RefreshJSON {
  static func value(_ report: RefreshReport) -> JSONValue {
    .object([
      JSONMember("outcome", .string(report.outcome.rawValue)),
      JSONMember("new", .integer(report.new)),
      JSONMember("stored", .integer(report.stored)),
      JSONMember("seconds", .seconds(report.seconds)),
      JSONMember("feeds", .array(report.feeds.map(value))),
    ])
  }

  private static func value(_ feed: FeedReport) -> JSONValue {
    var members = [
      JSONMember("url", .string(FeedName.withoutPassword(feed.url))),
      JSONMember("title", .text(feed.title)),
      JSONMember("outcome", .string(feed.outcome.rawValue)),
      JSONMember("new", .integer(feed.new)),
      JSONMember("stored", .integer(feed.stored)),
      JSONMember("status", .number(feed.status)),
      JSONMember("bytes", .integer(feed.bytes)),
      JSONMember("seconds", .seconds(feed.seconds)),
      JSONMember("error", .text(feed.error)),
    ]
    if feed.isAllNew { members.append(JSONMember("allNew", .boolean(true))) }
    return .object(members)
  }
}
