import Aggregation
import FeedStorage

/// Decides of one story after the other whether a query wants it.
///
/// Asks the cheap questions first; builds no value of what it skips.
struct StoryFilter: ~Copyable {
  private let query: StoryQuery
  /// Seconds since 2001.
  private let now: Double
  private var reader: ItemReader
  private var text = FoldedText()
  private var matcher: TextExpression.Matcher?
  /// Which of the reader's feeds are among the query's, as far as they were met.
  private var isWanted: [Bool] = []

  /// nil for a table without stories.
  ///
  /// A story dated later than `now`, in seconds since 1970, counts as of when it was stored.
  init?(_ query: StoryQuery, _ items: ItemTable, now: Double) {
    guard let reader = ItemReader(items) else { return nil }
    self.query = query
    self.now = now - Date.timeIntervalBetween1970AndReferenceDate
    self.reader = reader
    if case .expression(let expression) = query.text {
      matcher = TextExpression.Matcher(expression)
    }
  }

  mutating func passes(_ index: Int) throws(StorageError) -> Bool {
    try reader.move(to: index)
    if query.isUnread, try reader.isRead() { return false }
    if query.isStarred, try !reader.isStarred() { return false }
    if let feeds = query.feeds, try !isOf(feeds) { return false }
    guard try isInTime() else { return false }
    guard let pattern = query.text else { return true }
    return try matches(pattern)
  }

  private mutating func isOf(_ feeds: Set<String>) throws(StorageError) -> Bool {
    let known = isWanted
    var (isOfKnown, first) = (false, Int.max)
    try reader.forEachFeed { number in
      if number < known.count {
        if known[number] { isOfKnown = true }
      } else {
        first = min(first, number)
      }
    }
    guard first < reader.feeds.count else { return isOfKnown }
    for url in reader.feeds[known.count...] { isWanted.append(feeds.contains(url)) }
    return isOfKnown || isWanted[first...].contains(true)
  }

  private func isInTime() throws(StorageError) -> Bool {
    guard query.since != nil || query.until != nil else { return true }
    let (date, stored) = try reader.instants()
    guard let time = StoryTime.instant(date: date, stored: stored, now: now) else { return false }
    let instant = Int(clamping: time + Date.timeIntervalBetween1970AndReferenceDate)
    return instant >= query.since ?? Int.min && instant <= query.until ?? Int.max
  }

  private mutating func matches(_ pattern: TextPattern) throws(StorageError) -> Bool {
    text.removeAll()
    if let title = try reader.text(.title) { text.append(title) }
    if let summary = try reader.text(.summary) { text.append(summary) }
    switch pattern {
    case .words(let words): return words.allSatisfy { $0.occurs(in: text.bytes) }
    case .expression: return try matcher?.matches(text.bytes) ?? false
    }
  }
}
