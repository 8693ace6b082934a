import Aggregation
import FeedModel

/// The object that `fetch --json` and `refresh --json` print (design §2 "Output").
enum RefreshJSON {
  static let keys = [
    JSONKey("outcome", "newData, noData or failed"),
    JSONKey("new", "stories newer than the newest that their feed had stored"),
    JSONKey("stored", "stories that were added, the new ones included"),
    JSONKey("seconds", "how long it took until everything was saved"),
    JSONKey(
      "feeds",
      "each feed that was asked; beside it stand held, where a server wants to be left in peace, and "
        + "gone, where it said 410: how many were not asked for that",
      inside: feedKeys,
    ),
  ]

  private static let feedKeys = [
    JSONKey("url", "without user and password"),
    JSONKey("title", "what it is called"),
    JSONKey("outcome", "newData, noData or failed"),
    JSONKey(
      "new",
      "as above, of this feed; beside it stands allNew, true, where the feed has nothing any more "
        + "that was known of it",
    ),
    JSONKey("stored", "as above, of this feed"),
    JSONKey(
      "status",
      "of the last answer: 200, 304, 404…; 200 for a file; null without an answer",
    ),
    JSONKey("bytes", "of the body after decompression"),
    JSONKey("seconds", "how long it took"),
    JSONKey("error", "why it failed, null when it did not"),
  ]

  static func value(_ report: RefreshReport) -> JSONValue {
    var members = [
      JSONMember("outcome", .string(report.outcome.rawValue)),
      JSONMember("new", .integer(report.new)),
      JSONMember("stored", .integer(report.stored)),
      JSONMember("seconds", .seconds(report.seconds)),
      JSONMember("feeds", .array(report.feeds.map(value))),
    ]
    let held = report.unasked.count { $0.hold != nil }
    let gone = report.unasked.count { $0.reason == .gone }
    if held > 0 { members.append(JSONMember("held", .integer(held))) }
    if gone > 0 { members.append(JSONMember("gone", .integer(gone))) }
    return .object(members)
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
