import FeedModel
import FeedStorage

/// Where the stories of a table stand, by their ids.
///
/// Those that `news` gives are kept as the numbers that they are; of stories with one id the first
/// counts.
struct StoryPlaces {
  private var numbers: [UInt64: Int32] = [:]
  private var others: [String: Int32] = [:]

  init(of table: ItemTable) throws(StorageError) {
    numbers.reserveCapacity(table.count)
    try Self.forEachStory(of: table) { (position, number, id) throws(StorageError) in
      if let number {
        if numbers[number] == nil { numbers[number] = Int32(position) }
      } else {
        let id = try id()
        if others[id] == nil { others[id] = Int32(position) }
      }
    }
  }

  /// Calls `body` with the places of the stories that another table has too, there and here.
  func forEachShared(
    with table: ItemTable,
    _ body: (_ there: Int, _ here: Int) -> Void,
  ) throws(StorageError) {
    guard !numbers.isEmpty || !others.isEmpty else { return }
    try Self.forEachStory(of: table) { (position, number, id) throws(StorageError) in
      let place = if let number { numbers[number] } else { others[try id()] }
      if let place { body(position, Int(place)) }
    }
  }

  private static func forEachStory(
    of table: ItemTable,
    _ body: (
      _ position: Int, _ number: UInt64?, _ id: () throws(StorageError) -> String
    ) throws(StorageError) -> Void,
  ) throws(StorageError) {
    guard var scanner = ItemScanner(table) else { return }
    for position in 0..<table.count {
      try scanner.move(to: position)
      try body(position, scanner.idNumber()) { () throws(StorageError) in try table.id(at: position)
      }
    }
  }
}
