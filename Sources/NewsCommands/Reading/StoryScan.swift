import FeedModel
import FeedStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Goes through the stored stories, newest first, for those that a query wants.
///
/// Asks the cheap questions first, and nothing at all of stories that are not reached.
struct StoryScan {
  let items: ItemTable
  let query: StoryQuery

  /// The positions of the first stories that pass.
  func positions(atMost limit: Int) throws(CommandError) -> [Int] {
    if query.takesAll { return Array(0..<min(limit, items.count)) }
    var found: [Int] = []
    do throws(StorageError) {
      for index in 0..<items.count {
        if found.count >= limit { break }
        if try passes(index) { found.append(index) }
      }
    } catch {
      throw .failed("\(error)")
    }
    return found
  }

  private func passes(_ index: Int) throws(StorageError) -> Bool {
    if query.isUnread, try items.isRead(at: index) { return false }
    if query.isStarred, try !items.isStarred(at: index) { return false }
    if let feed = query.feed, try !items.feeds(at: index).contains(feed) { return false }
    guard try isInTime(index) else { return false }
    guard let text = query.text else { return true }
    return try contains(text, index)
  }

  private func isInTime(_ index: Int) throws(StorageError) -> Bool {
    guard query.since != nil || query.until != nil else { return true }
    let instant = StoryInstant.instant(
      date: try items.date(at: index),
      stored: try items.stored(at: index),
    )
    guard let instant else { return false }
    return instant >= query.since ?? Int.min && instant <= query.until ?? Int.max
  }

  private func contains(_ text: [UInt32], _ index: Int) throws(StorageError) -> Bool {
    if TextFolding.contains(try items.title(at: index), text) { return true }
    let item = try items.item(at: index).item
    return [item.summary, item.author].contains { field in
      field.map { TextFolding.contains($0, text) } ?? false
    }
  }
}

/// When a story appeared: the time by which it is ordered and shown.
enum StoryInstant {
  /// Seconds since 1970; nil when nothing is known.
  ///
  /// A story without a date, or dated after it was stored, counts as of when it was stored
  /// (design §3 "Order").
  static func instant(date: Date?, stored: Date?) -> Int? {
    guard let time = [date, stored].compactMap(\.self).min() else { return nil }
    return time.wholeSeconds
  }
}
