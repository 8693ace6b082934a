import FeedModel
import FeedStorage

/// Builds the new order of the data file from changes in ascending order.
struct ItemEdits {
  private(set) var items: [ItemEdit] = []
  /// Stories changed or left out.
  private(set) var count = 0
  private var next = 0

  var isEmpty: Bool { count == 0 }

  mutating func replace(_ index: Int, with story: StoredItem) {
    keep(until: index)
    items.append(.replace(index, story))
    next = index + 1
    count += 1
  }

  mutating func mark(_ index: Int, _ marks: ItemMarks) {
    keep(until: index)
    if case .mark(let run, marks)? = items.last, run.upperBound == index {
      items[items.count - 1] = .mark(run.lowerBound..<index + 1, marks)
    } else {
      items.append(.mark(index..<index + 1, marks))
    }
    next = index + 1
    count += 1
  }

  mutating func remove(_ index: Int) {
    keep(until: index)
    next = index + 1
    count += 1
  }

  /// Keeps what is left.
  mutating func finish(count: Int) {
    keep(until: count)
  }

  private mutating func keep(until index: Int) {
    if index > next { items.append(.keep(next..<index)) }
  }
}
