import FeedStorage
package import System

/// The instant that a story counts as of in the order of stories (design 3, Order).
package enum StoryTime {
  /// Its date; when it was stored where it has none or one in the future; nil when neither is known.
  ///
  /// All three in seconds since the same moment.
  @inlinable
  package static func instant(date: Double?, stored: Double?, now: Double) -> Double? {
    if let date, date <= now { return date }
    return stored
  }

  package static func instant(date: Date?, stored: Date?, now: Date) -> Date? {
    instant(
      date: date?.timeIntervalSinceReferenceDate,
      stored: stored?.timeIntervalSinceReferenceDate,
      now: now.timeIntervalSinceReferenceDate,
    ).map(Date.init(timeIntervalSinceReferenceDate:))
  }

  /// The same in seconds since 2001 for a place in the order: stories of which nothing is known come
  /// last.
  static func place(date: Date?, stored: Date?, now: Date) -> Double {
    (instant(date: date, stored: stored, now: now) ?? .distantPast).timeIntervalSinceReferenceDate
  }
}

extension ItemReader {
  func instant(now: Date) throws(StorageError) -> Double {
    let (date, stored) = try instants()
    return StoryTime.instant(
      date: date,
      stored: stored,
      now: now.timeIntervalSinceReferenceDate,
    ) ?? Date.distantPast.timeIntervalSinceReferenceDate
  }
}

extension ItemTable {
  /// As of when each story counts, in seconds since 2001; of those that are `known`, others are not a
  /// number.
  func instants(now: Date, known: [Double] = []) throws(StorageError) -> [Double] {
    guard var reader = ItemReader(self) else { return [] }
    var instants = known.isEmpty ? Array(repeating: .nan, count: count) : known
    for position in instants.indices where instants[position].isNaN {
      try reader.move(to: position)
      instants[position] = try reader.instant(now: now)
    }
    return instants
  }
}
