import FeedStorage

/// Counts the stories of each feed in one pass.
struct FeedCounts {
  private var counts: [String: StoryCounts] = [:]

  init(_ items: ItemTable) throws(CommandError) {
    do throws(StorageError) {
      for index in 0..<items.count {
        let isRead = try items.isRead(at: index)
        for feed in try items.feeds(at: index) {
          counts[feed, default: StoryCounts()].total += 1
          if !isRead { counts[feed, default: StoryCounts()].unread += 1 }
        }
      }
    } catch {
      throw .failed("\(error)")
    }
  }

  func of(_ feed: String) -> StoryCounts {
    counts[feed] ?? StoryCounts()
  }
}
