import FeedModel
import FeedStorage
import System

/// Stories that came since a clearing, to be found among the cleared ones by what they are known by.
///
/// PERF: of each a few prints and its place are held; those that may be one are read again.
struct ReappearedStories {
  private let fresh: ItemTable
  private var places: [ItemKey.Print: [Int32]] = [:]
  private var wanted = UnmatchedStories()

  /// - Parameters:
  ///   - fresh: the table in which they are.
  ///   - date: when the others were cleared.
  ///   - isOpen: whether a story of the table is not recognised yet.
  /// - Throws: when the table cannot be read.
  init(
    in fresh: ItemTable,
    since date: Date,
    isOpen: (Int) -> Bool,
  ) throws(StorageError) {
    self.fresh = fresh
    let seconds = date.timeIntervalSinceReferenceDate
    guard var scanner = ItemScanner(fresh) else { return }
    for position in 0..<fresh.count where isOpen(position) {
      try scanner.move(to: position)
      guard let stored = try scanner.instants().stored, stored >= seconds else { continue }
      let item = try fresh.item(at: position).item
      wanted.add(item)
      places[ItemKey.Print(ItemID.key(of: item)), default: []].append(Int32(position))
    }
  }

  /// The places of each such story and of the cleared one that it is.
  func pairs(
    with cleared: ItemTable,
    isOpen: (Int) -> Bool,
    isSame: (_ fresh: StoredItem, _ cleared: StoredItem) -> Bool,
  ) throws(StorageError) -> [(fresh: Int, cleared: Int)] {
    var pairs: [(fresh: Int, cleared: Int)] = []
    guard !places.isEmpty, var scanner = ItemScanner(cleared) else { return pairs }
    var places = places
    for position in 0..<cleared.count where isOpen(position) {
      try scanner.move(to: position)
      guard try wanted.mayBeOne(scanner) else { continue }
      let old = try cleared.item(at: position)
      let key = ItemID.key(of: old.item)
      for place in places[ItemKey.Print(key)] ?? [] {
        let new = try fresh.item(at: Int(place))
        guard ItemID.key(of: new.item) == key, isSame(new, old) else { continue }
        places[ItemKey.Print(key)]?.removeAll { $0 == place }
        pairs.append((fresh: Int(place), cleared: position))
        break
      }
    }
    return pairs
  }
}

extension ItemKey {
  /// What is held of a key; different keys nearly always have different ones.
  fileprivate struct Print: Hashable {
    private let number: Int

    init(_ key: ItemKey) {
      number = key.hashValue
    }
  }
}
