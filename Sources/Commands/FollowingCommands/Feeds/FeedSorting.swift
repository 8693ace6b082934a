import CommandLine
import CommandSupport
import FeedModel
import Searching

enum FeedSorting: String, CaseIterable {
  case unread
  case title
  case activity
  case read

  static let option = CommandOption(
    "sort",
    value: allCases.map(\.rawValue).joined(separator: "|"),
    help: "sort by unread stories, title, how often they post, or how much is read",
  )

  /// Sorts feeds; those that are alike stay in their order.
  func sorted(_ feeds: [FeedHealth]) -> [FeedHealth] {
    switch self {
    case .unread: feeds.sorted { $0.activity.unread > $1.activity.unread }
    case .activity: feeds.sorted { ($0.interval ?? .max) < ($1.interval ?? .max) }
    case .read: feeds.sorted { $0.activity.readShare > $1.activity.readShare }
    case .title:
      feeds.map { (TextFolding.fold($0.subscription.displayTitle), $0) }
        .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    }
  }
}
