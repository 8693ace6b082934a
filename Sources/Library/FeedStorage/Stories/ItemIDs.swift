internal import FeedModel
package import System

/// A set of stories' ids.
///
/// Ids that `news` gives are kept as numbers; other programs may give any text.
package struct ItemIDs: Hashable, Sendable {
  private(set) var numbers: Set<UInt64> = []
  private(set) var others: Set<String> = []

  package init(_ ids: some Sequence<String> = []) {
    for id in ids { insert(id) }
  }

  package var count: Int { numbers.count + others.count }
  package var isEmpty: Bool { count == 0 }

  var all: [String] { numbers.map(\.hexadecimal) + others }

  package mutating func insert(_ id: String) {
    if let number = ItemID.number(of: id.utf8) { numbers.insert(number) } else { others.insert(id) }
  }

  package mutating func insert(_ number: UInt64) {
    numbers.insert(number)
  }

  mutating func insert(idOf story: borrowing ItemReader) throws {
    if let number = try story.idNumber() { insert(number) } else { insert(try story.id()) }
  }

  package mutating func formUnion(_ ids: ItemIDs) {
    numbers.formUnion(ids.numbers)
    others.formUnion(ids.others)
  }

  package func isDisjoint(with ids: ItemIDs) -> Bool {
    numbers.isDisjoint(with: ids.numbers) && others.isDisjoint(with: ids.others)
  }

  package func contains(_ id: String) -> Bool {
    ItemID.number(of: id.utf8).map(numbers.contains) ?? others.contains(id)
  }
}

extension ItemTable {
  /// The positions of the stories with these ids, newest first; the search stops when all are
  /// found.
  package func positions(of ids: ItemIDs) throws -> [Int] {
    var found: [Int] = []
    guard !ids.isEmpty, var stories = ItemReader(self) else { return found }
    for position in 0..<count where found.count < ids.count {
      try stories.move(to: position)
      if try contains(ids, position, stories) { found.append(position) }
    }
    return found
  }

  private func contains(
    _ ids: ItemIDs,
    _ position: Int,
    _ stories: borrowing ItemReader,
  ) throws -> Bool {
    if let number = try stories.idNumber() { return ids.numbers.contains(number) }
    return try ids.contains(id(at: position))
  }

  package func ids(at positions: some Sequence<Int>) throws -> ItemIDs {
    var ids = ItemIDs()
    try forEachStory(at: positions) { try ids.insert(idOf: $1) }
    return ids
  }
}

extension ItemIDs: RecordValue {
  package static let blank = ItemIDs()

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    var own = numbers.map { Int(truncatingIfNeeded: $0) }
    coder.code(&own, in: Int.min...Int.max)
    numbers = Set(own.map { UInt64(truncatingIfNeeded: $0) })
    var texts = Array(others)
    coder.code(&texts, .source)
    others = Set(texts)
  }
}
