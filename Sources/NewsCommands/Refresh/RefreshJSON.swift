import Aggregation
import FeedModel

/// The object that `fetch --json` and `refresh --json` print (design §2 "Output").
enum RefreshJSON {
  static let fields: [JSONField<RefreshReport>] = [
    JSONField("outcome", "newData, noData or failed") { .string($0.outcome.rawValue) },
    JSONField("new", "stories newer than the newest that their feed had stored") {
      .integer($0.new)
    },
    JSONField("stored", "stories that were added, the new ones included") {
      .integer($0.stored)
    },
    JSONField("seconds", "how long it took until everything was saved") {
      .seconds($0.seconds)
    },
    JSONField(
      "feeds",
      "each feed that was asked; beside it stand held, where a server wants to be left in peace, and "
        + "gone, where it said 410: how many were not asked for that",
      inside: feedFields.map(\.key),
    ) { .array($0.feeds.map(value)) },
  ]

  private static let feedFields: [JSONField<FeedReport>] = [
    JSONField("url", "without user and password") { .string(WebURL.redacted($0.url)) },
    JSONField("title", "what it is called") { .text($0.title) },
    JSONField("outcome", "newData, noData or failed") { .string($0.outcome.rawValue) },
    JSONField(
      "new",
      "as above, of this feed; beside it stands allNew, true, where the feed has nothing any more "
        + "that was known of it",
    ) { .integer($0.new) },
    JSONField("stored", "as above, of this feed") { .integer($0.stored) },
    JSONField(
      "status",
      "of the last answer: 200, 304, 404…; 200 for a file; null without an answer",
    ) { .number($0.status) },
    JSONField("bytes", "of the body after decompression") { .integer($0.bytes) },
    JSONField("seconds", "how long it took") { .seconds($0.seconds) },
    JSONField("error", "why it failed, null when it did not") { .text($0.error) },
  ]

  static func value(_ report: RefreshReport) -> PrintedJSON {
    let held = report.unasked.count { $0.hold != nil }
    let gone = report.unasked.count { $0.reason == .gone }
    return .object(fields, report)
      .adding("held", held > 0 ? .integer(held) : nil)
      .adding("gone", gone > 0 ? .integer(gone) : nil)
  }

  private static func value(_ feed: FeedReport) -> PrintedJSON {
    .object(feedFields, feed).adding("allNew", feed.isAllNew ? .boolean(true) : nil)
  }
}
