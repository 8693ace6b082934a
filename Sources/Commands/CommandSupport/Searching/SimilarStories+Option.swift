package import CommandLine
package import FeedStorage
package import Searching

extension SimilarStories {
  package static let option = CommandOption(
    "group",
    help: "similar stories of several feeds in one row",
  )

  package init(
    _ context: CommandContext,
    among positions: [Int],
    of items: ItemTable,
    rows limit: Int,
  ) throws {
    let now = context.clock.date.timeIntervalSinceReferenceDate
    self = try SimilarStories(among: positions, of: items, now: now, rows: limit)
  }
}
