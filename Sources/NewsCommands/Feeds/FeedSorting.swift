import CommandLine
import FeedModel
import Searching

/// How `news feeds` sorts feeds; without it they stand as in the file.
enum FeedSorting: String, CaseIterable {
  /// The most unread stories first.
  case unread
  case title
  /// Those that post most often first.
  case activity

  static let option = CommandOption(
    "sort",
    value: allCases.map(\.rawValue).joined(separator: "|"),
    help: "sort by unread stories, title or how often they post",
  )

  static func read(_ context: CommandContext) throws(CommandError) -> FeedSorting? {
    try context.choice(option)
  }

  /// Feeds that are alike stay in their order.
  func sorted(_ feeds: [FeedHealth]) -> [FeedHealth] {
    switch self {
    case .unread: feeds.sorted { $0.activity.unread > $1.activity.unread }
    case .activity: feeds.sorted { ($0.interval ?? .max) < ($1.interval ?? .max) }
    case .title:
      feeds.map { (TextFolding.fold($0.subscription.displayTitle), $0) }
        .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    }
  }
}
