package import FeedModel
package import FeedStorage

/// The stories that are news, newest first, made one at a time.
package struct NewItems: Sendable {
  /// A story by its number among those of one save.
  private struct Place {
    let save: Int
    let number: Int
  }

  private var saves: [Insertions] = []
  private var places: [Place] = []

  /// None.
  package init() {}

  init(_ numbers: [Int], of insertions: Insertions) {
    guard !numbers.isEmpty else { return }
    saves = [insertions]
    places = numbers.map { Place(save: 0, number: $0) }
    sort()
  }

  /// Adds those of a later save.
  mutating func add(_ later: NewItems) {
    guard !later.isEmpty else { return }
    places += later.places.map { Place(save: $0.save + saves.count, number: $0.number) }
    saves += later.saves
    sort()
  }

  private mutating func sort() {
    let saves = saves
    places.sort { first, second in
      let one = saves[first.save].all[first.number].placement
      let other = saves[second.save].all[second.number].placement
      // Only within one save do places in the order say anything.
      guard first.save != second.save, one.instant == other.instant else {
        return one.precedes(other)
      }
      return first.save < second.save
    }
  }

  package var count: Int { places.count }
  package var isEmpty: Bool { places.isEmpty }
  package var indices: Range<Int> { places.indices }

  /// The feeds that carry a story, the first one first.
  package func feeds(of index: Int) -> [String] {
    saves[places[index].save].feeds(of: places[index].number)
  }

  /// - Throws: when what was fetched cannot be read back.
  package func item(at index: Int) throws(StorageError) -> StoredItem {
    try saves[places[index].save].story(places[index].number)
  }
}
