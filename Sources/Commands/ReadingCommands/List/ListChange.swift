import FeedModel
import FeedStorage
import System

/// An entry of a followed list: a story, and a hash of what is shown of it.
struct ListEntry: Hashable, Sendable {
  /// The number of its id, or a hash of an id by another program.
  let story: UInt64
  /// An id by another program; nil for those of ours, which are numbers.
  private let otherID: String?
  let shown: Int

  init(_ reader: borrowing ItemReader) throws {
    if let number = try reader.idNumber() {
      (story, otherID) = (number, nil)
    } else {
      let id = try reader.id()
      (story, otherID) = (Self.number(ofOther: id), id)
    }
    shown = try reader.shownHash()
  }

  init(story: UInt64, shown: Int) {
    (self.story, self.shown, otherID) = (story, shown, nil)
  }

  private static func number(ofOther id: String) -> UInt64 {
    UInt64(bitPattern: Int64(id.hashValue))
  }

  func isOf(_ id: String) -> Bool {
    story == ItemID.number(of: id.utf8) ?? Self.number(ofOther: id)
  }

  static func entries(of items: ItemTable, at positions: [Int]) throws -> [ListEntry] {
    var entries: [ListEntry] = []
    entries.reserveCapacity(positions.count)
    try items.forEachStory(at: positions) { _, reader in
      entries.append(try ListEntry(reader))
    }
    return entries
  }

  /// A story of which nothing is known but the id.
  var bareStory: StoredItem {
    let item = Item(title: "", link: "", pubDate: "")
    return StoredItem(id: otherID ?? story.hexadecimal, item: item, feeds: [], stored: nil)
  }
}

struct ListChange: Hashable, Sendable {
  enum Kind: String, Sendable {
    case insert, update, delete, move
  }

  let kind: Kind
  /// The index in the new list; of a deleted story, in the old one.
  let index: Int
  /// The index in the new list of the story that a new or moved one precedes; nil at the end.
  var before: Int?

  /// Returns the fewest steps: deletions first, then the others from the end to the front.
  ///
  /// A story that is inserted or moved precedes one that stands there already. Of a story that
  /// comes twice, the first counts.
  static func steps(from old: [ListEntry], to new: [ListEntry]) -> [ListChange] {
    let indices = Dictionary(zip(old.lazy.map(\.story), old.indices)) { first, _ in first }
    var gone = Set(indices.values)
    var met = Set<UInt64>()
    // Old indices; -1 for a new story, nil for one that comes again.
    let origins = new.map { entry -> Int? in
      guard met.insert(entry.story).inserted else { return nil }
      guard let index = indices[entry.story] else { return -1 }
      gone.remove(index)
      return index
    }
    let staying = longestIncrease(origins.compactMap(\.self).filter { $0 >= 0 })
    var next: Int?
    let steps = new.indices.reversed().compactMap { index -> ListChange? in
      guard let origin = origins[index] else { return nil }
      defer { next = index }
      if origin < 0 { return ListChange(kind: .insert, index: index, before: next) }
      if !staying.contains(origin) { return ListChange(kind: .move, index: index, before: next) }
      return old[origin].shown == new[index].shown ? nil : ListChange(kind: .update, index: index)
    }
    return gone.sorted(by: >).map { ListChange(kind: .delete, index: $0) } + steps
  }

  /// The members of a longest increasing subsequence (patience sorting).
  private static func longestIncrease(_ numbers: [Int]) -> Set<Int> {
    // By length: the index of the lowest number that ends such a subsequence.
    var ends: [Int] = []
    var previous: [Int?] = []
    for (index, number) in numbers.enumerated() {
      let low = ends.firstIndexInOrder { numbers[$0] >= number }
      previous.append(low > 0 ? ends[low - 1] : nil)
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var members = Set<Int>()
    var next = ends.last
    while let index = next {
      members.insert(numbers[index])
      next = previous[index]
    }
    return members
  }
}
