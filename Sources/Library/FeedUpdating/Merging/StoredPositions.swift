import FeedLibrary
import FeedModel
import FeedStorage
import System

/// The positions of the delivered feeds' stories in the table, found in one pass.
///
/// PERF: everything asked of each stored story is asked here, in their order, and where the index has
/// it, not of the story. The data file may be larger than the memory, and going to and fro in it took
/// half the time of a merge.
struct StoredPositions {
  private(set) var byDelivery: [[Int]]
  private(set) var recognised: [[Recognition]]
  /// Instants of stories in seconds since 2001; not a number for some of other feeds.
  private(set) var instants: [Double] = []

  private let deliveries: [FeedDelivery]
  private var stories: [UInt64: (delivery: Int32, story: Int32)] = [:]
  private var numbers: [String: Int] = [:]
  /// The numbers of deliveries by the objects of lists of feeds.
  private var deliveriesOfLists: [Int: [Int]] = [:]

  init(
    _ deliveries: [FeedDelivery],
    in table: ItemTable,
    _ index: StoryIndex?,
    now: Date,
  ) throws {
    self.deliveries = deliveries
    byDelivery = Array(repeating: [], count: deliveries.count)
    recognised = deliveries.map { Array(repeating: .new, count: $0.ids.count) }
    guard !deliveries.isEmpty, var reader = ItemReader(table) else { return }
    numberDeliveries()
    instants.reserveCapacity(table.count)
    for position in 0..<table.count {
      let keys = index?[position]
      if keys == nil { try reader.move(to: position) }
      let list = keys.map { Int($0.feeds) } ?? reader.feedList
      let found = try list.map { try numbers(ofList: $0, &reader) } ?? []
      for delivery in found { byDelivery[delivery].append(position) }
      let instant = keys?.instant(now: now)
      if instant == nil, keys != nil { try reader.move(to: position) }
      instants.append(try instant ?? (found.isEmpty ? .nan : reader.instant(now: now)))
      guard !found.isEmpty, let id = try keys?.id ?? reader.idNumber() else { continue }
      try recognise(position, id, of: found, &reader)
    }
  }

  private mutating func numberDeliveries() {
    stories.reserveCapacity(deliveries.reduce(0) { $0 + $1.ids.count })
    for (number, delivery) in deliveries.enumerated() {
      numbers[delivery.feed] = number
      for (story, id) in delivery.ids.enumerated() { stories[id] = (Int32(number), Int32(story)) }
    }
  }

  /// Returns the deliveries of the feeds of a list.
  private mutating func numbers(ofList list: Int, _ reader: inout ItemReader) throws -> [Int] {
    if let known = deliveriesOfLists[list] { return known }
    var feeds: [Int] = []
    try reader.forEachFeed(ofList: list) { feeds.append($0) }
    let found = feeds.compactMap { numbers[reader.feeds[$0]] }.distinct(by: \.self)
    // Another program may have written each list for itself.
    if deliveriesOfLists.count < 65_536 { deliveriesOfLists[list] = found }
    return found
  }

  /// Recognises a stored story by its id.
  ///
  /// PERF: nearly all stories go this way: the id says which delivered story it may be, and the
  /// bytes that it is the same. Only if they differ is the identity compared.
  private mutating func recognise(
    _ position: Int,
    _ id: UInt64,
    of feeds: [Int],
    _ reader: inout ItemReader,
  ) throws {
    guard let same = stories[id] else { return }
    let (number, story) = (Int(same.delivery), Int(same.story))
    guard feeds.contains(number), recognised[number][story] == .new else { return }
    try reader.move(to: position)
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
