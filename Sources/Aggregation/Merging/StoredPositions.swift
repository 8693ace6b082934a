import FeedStorage

/// Where the stories of the delivered feeds are in the table, found in one pass over it.
struct StoredPositions {
  /// For each delivery its feed's stories, newest first.
  private(set) var byDelivery: [[Int]]
  /// For each delivery, the stories of its feed that have the id of one of its stories.
  private(set) var sameID: [[(story: Int, position: Int)]]

  init(_ deliveries: [FeedDelivery], in table: some StoryTable) throws(StorageError) {
    byDelivery = Array(repeating: [], count: deliveries.count)
    sameID = Array(repeating: [], count: deliveries.count)
    guard !deliveries.isEmpty, var scanner = table.scanner() else { return }
    var numbers: [String: Int] = [:]
    var stories: [UInt64: (delivery: Int, story: Int)] = [:]
    for (number, delivery) in deliveries.enumerated() {
      numbers[delivery.feed] = number
      for (story, id) in delivery.ids.enumerated() { stories[id] = (number, story) }
    }
    /// For each feed of the scanner its delivery; -1 for feeds without one.
    var deliveryOfFeed: [Int] = []
    var found: [Int] = []
    for position in 0..<table.count {
      try scanner.move(to: position)
      found.removeAll(keepingCapacity: true)
      try scanner.forEachFeed { found.append($0) }
      for url in scanner.feeds[deliveryOfFeed.count...] {
        deliveryOfFeed.append(numbers[url] ?? -1)
      }
      let same = found.isEmpty ? nil : try scanner.id().flatMap { stories[$0] }
      for feed in found {
        let delivery = deliveryOfFeed[feed]
        guard delivery >= 0 else { continue }
        byDelivery[delivery].append(position)
        if let same, same.delivery == delivery { sameID[delivery].append((same.story, position)) }
      }
    }
  }
}
