import FeedModel
import FeedStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is stored of each feed, counted in one pass.
struct FeedCounts {
  private var activities: [String: FeedActivity] = [:]

  /// Looks at all stories; a date after `now` (seconds since 1970) is not believed.
  init(_ items: ItemTable, now: Int) throws(CommandError) {
    do throws(StorageError) {
      for index in 0..<items.count { try add(items, index, now) }
    } catch {
      throw .failed("\(error)")
    }
  }

  func of(_ feed: String) -> FeedActivity {
    activities[feed] ?? FeedActivity()
  }

  private mutating func add(
    _ items: ItemTable,
    _ index: Int,
    _ now: Int,
  ) throws(StorageError) {
    let isRead = try items.isRead(at: index)
    let feeds = try items.feeds(at: index)
    var date: Int?
    var stored: Int?
    if feeds.contains(where: { activities[$0]?.wantsDates ?? true }) {
      date = try items.date(at: index)?.wholeSeconds
      if let published = date, published > now { date = nil }
      stored = try items.stored(at: index)?.wholeSeconds
    }
    for feed in feeds {
      activities[feed, default: FeedActivity()].add(isRead: isRead, date: date, stored: stored)
    }
  }
}
