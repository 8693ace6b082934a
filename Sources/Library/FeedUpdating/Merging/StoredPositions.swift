import FeedLibrary
import FeedModel
import FeedStorage
import System

/// The positions of the delivered feeds' stories in the table, found in one pass.
///
/// PERF: everything asked of each stored story is asked here, in their order. The data file may be
/// larger than the memory, and going to and fro in it took half the time of a merge.
struct StoredPositions {
  private(set) var byDelivery: [[Int]]
  private(set) var recognised: [[Recognition]]
  /// Instants of the delivered feeds' stories in seconds since 2001; not a number for others.
  private(set) var instants: [Double] = []

  private let deliveries: [FeedDelivery]
  private var stories: [UInt64: (delivery: Int32, story: Int32)] = [:]
  private var numbers: [String: Int] = [:]

  init(_ deliveries: [FeedDelivery], in table: ItemTable, now: Date) throws {
    self.deliveries = deliveries
    byDelivery = Array(repeating: [], count: deliveries.count)
    recognised = deliveries.map { Array(repeating: .new, count: $0.ids.count) }
    guard !deliveries.isEmpty, var reader = ItemReader(table) else { return }
    index()
    instants.reserveCapacity(table.count)
    var deliveryOfFeed: [Int] = []
    var found: [Int] = []
    for position in 0..<table.count {
      try reader.move(to: position)
      found.removeAll(keepingCapacity: true)
      try reader.forEachFeed { found.append($0) }
      for url in reader.feeds[deliveryOfFeed.count...] {
        deliveryOfFeed.append(numbers[url] ?? -1)
      }
      found = found.compactMap { deliveryOfFeed[$0] < 0 ? nil : deliveryOfFeed[$0] }
      instants.append(found.isEmpty ? .nan : try reader.instant(now: now))
      for delivery in found { byDelivery[delivery].append(position) }
      if !found.isEmpty { try recognise(position, of: found, reader) }
    }
  }

  private mutating func index() {
    stories.reserveCapacity(deliveries.reduce(0) { $0 + $1.ids.count })
    for (number, delivery) in deliveries.enumerated() {
      numbers[delivery.feed] = number
      for (story, id) in delivery.ids.enumerated() { stories[id] = (Int32(number), Int32(story)) }
    }
  }

  /// Recognises a stored story by its id.
  ///
  /// PERF: nearly all stories go this way: the id says which delivered story it may be, and the
  /// bytes that it is the same. Only if they differ is the identity compared.
  private mutating func recognise(
    _ position: Int,
    of feeds: [Int],
    _ reader: borrowing ItemReader,
  ) throws {
    guard let same = try reader.idNumber().flatMap({ stories[$0] }) else { return }
    let (number, story) = (Int(same.delivery), Int(same.story))
    guard feeds.contains(number), recognised[number][story] == .new else { return }
    let item = try deliveries[number].item(story)
    if try reader.surelyHas(item) {
      recognised[number][story] = .unchanged(position)
    } else if try deliveries[number].isKnown(story, item, as: reader.item()) {
      recognised[number][story] = .known(position, by: nil)
    }
  }
}

extension FeedDelivery {
  fileprivate func isKnown(_ story: Int, _ item: Item, as stored: StoredItem) -> Bool {
    let key = key(of: story, item)
    guard stored.item.has(key) else { return false }
    guard case .guid = key, stored.feeds.first == feed, imported(story)?.id == nil else {
      return true
    }
    return !ItemID.isOther(item, underGUIDOf: stored.item)
  }
}
