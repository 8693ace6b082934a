import FeedStorage
import System

/// Where the stories of the delivered feeds are in the table, found in one pass over it.
///
/// PERF: whatever is asked of each stored story is asked here, in their order: the data file may be
/// larger than the memory, and going to and fro in it took half the time of a merge.
struct StoredPositions {
  struct SameID {
    let story: Int
    let position: Int
    /// Whether it surely has the same content, and so is that story.
    let isUnchanged: Bool
  }

  /// For each delivery its feed's stories, newest first.
  private(set) var byDelivery: [[Int]]
  /// For each delivery, the stories of its feed that have the id of one of its stories.
  private(set) var sameID: [[SameID]]
  /// As of when the stories of the delivered feeds count, in seconds since 2001; not a number for
  /// others.
  private(set) var instants: [Double] = []

  private let deliveries: [FeedDelivery]
  private var stories: [UInt64: (delivery: Int32, story: Int32)] = [:]
  private var numbers: [String: Int] = [:]

  init(
    _ deliveries: [FeedDelivery],
    in table: ItemTable,
    now: Date,
  ) throws(StorageError) {
    self.deliveries = deliveries
    byDelivery = Array(repeating: [], count: deliveries.count)
    sameID = Array(repeating: [], count: deliveries.count)
    guard !deliveries.isEmpty, var reader = ItemReader(table) else { return }
    index()
    instants.reserveCapacity(table.count)
    /// For each feed of the reader its delivery; -1 for feeds without one.
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
      try note(position, of: found, reader)
    }
  }

  private mutating func index() {
    stories.reserveCapacity(deliveries.reduce(0) { $0 + $1.ids.count })
    for (number, delivery) in deliveries.enumerated() {
      numbers[delivery.feed] = number
      for (story, id) in delivery.ids.enumerated() { stories[id] = (Int32(number), Int32(story)) }
    }
  }

  private mutating func note(
    _ position: Int,
    of found: [Int],
    _ reader: borrowing ItemReader,
  ) throws(StorageError) {
    guard !found.isEmpty else { return }
    let same = try reader.idNumber().flatMap { stories[$0] }
    for delivery in found {
      byDelivery[delivery].append(position)
      guard let same, Int(same.delivery) == delivery else { continue }
      let item = try deliveries[delivery].item(Int(same.story))
      let isUnchanged = try reader.surelyHas(item)
      sameID[delivery].append(
        SameID(story: Int(same.story), position: position, isUnchanged: isUnchanged)
      )
    }
  }
}
