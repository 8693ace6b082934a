internal import FeedModel
package import FeedStorage
internal import HTMLText
internal import System

extension SearchSort {
  /// Sorts positions that are given newest first; equal ones stay in that order.
  ///
  /// `texts` is for an order by length, `feedName` for one by feed.
  package func sorted(
    _ positions: [Int],
    of items: ItemTable,
    texts: StoryTextIndex?,
    feedName: (String) -> String,
  ) throws -> [Int] {
    let isBefore: ([UInt32], [UInt32]) -> Bool = { $0.lexicographicallyPrecedes($1) }
    switch key {
    case .date: return isReversed ? positions.reversed() : positions
    case .title:
      return try sorted(positions, items, isBefore) { story in
        TextFolding.fold(try story.string(.title) ?? "")
      }
    case .feed:
      return try sorted(positions, items, isBefore) { story in
        TextFolding.fold(try story.strings(.feeds).first.map(feedName) ?? "")
      }
    case .length:
      return try sorted(positions, items, >) { story in
        let whole = try texts?.text(of: story)?.line
        let summary = whole == nil ? try story.string(.summary) : nil
        return (whole ?? summary ?? "").unicodeScalars.count
      }
    case .stored:
      return try sorted(positions, items, >) { story in
        let time = try story.date(.arrived) ?? story.date(.stored)
        return time?.timeIntervalSinceReferenceDate ?? 0
      }
    case .unread:
      return try sorted(positions, items, <) { story in try story.isRead() ? 1 : 0 }
    }
  }

  private func sorted<Value: Equatable>(
    _ positions: [Int],
    _ items: ItemTable,
    _ areInOrder: (Value, Value) -> Bool,
    by value: (borrowing ItemReader) throws -> Value,
  ) throws -> [Int] {
    var values: [(value: Value, position: Int)] = []
    values.reserveCapacity(positions.count)
    try items.forEachStory(at: positions) { position, story in
      values.append((try value(story), position))
    }
    return values.sorted { one, other in
      guard one.value != other.value else { return one.position < other.position }
      return isReversed ? areInOrder(other.value, one.value) : areInOrder(one.value, other.value)
    }.map(\.position)
  }
}
