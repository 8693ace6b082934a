package import FeedModel
package import FeedStorage

/// The stories that are news, newest first, made one at a time.
package struct NewItems: Sendable {
  private let numbers: [Int]
  private let insertions: Insertions?

  /// None.
  package init() {
    numbers = []
    insertions = nil
  }

  init(_ numbers: [Int], of insertions: Insertions) {
    self.numbers = numbers.sorted {
      insertions.all[$0].placement.precedes(insertions.all[$1].placement)
    }
    self.insertions = insertions
  }

  package var count: Int { numbers.count }
  package var isEmpty: Bool { numbers.isEmpty }
  package var indices: Range<Int> { numbers.indices }

  /// The feeds that carry a story, the first one first.
  package func feeds(of index: Int) -> [String] {
    insertions?.feeds(of: numbers[index]) ?? []
  }

  /// - Throws: when what was fetched cannot be read back.
  package func item(at index: Int) throws(StorageError) -> StoredItem {
    guard let insertions else { preconditionFailure("there are none") }
    return try insertions.story(numbers[index])
  }
}
