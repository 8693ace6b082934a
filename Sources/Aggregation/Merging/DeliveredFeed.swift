import FeedModel

/// A delivery while it is merged: what of it was recognised, and what is found out.
struct DeliveredFeed {
  let delivery: FeedDelivery
  /// Positions of the feed's stories in the table, newest first.
  let stored: [Int]
  /// For each story of the delivery, the position of the story that it is.
  var positions: [Int?]
  /// What those stories have in common with it that were not recognised by their key.
  var rules: [Int: StoryMatch.Rule] = [:]
  var findings = FeedFindings()

  init(_ delivery: FeedDelivery, stored: [Int], dropped: [UInt64]) {
    self.delivery = delivery
    self.stored = stored
    positions = Array(repeating: nil, count: delivery.items.count)
    findings.dropped = dropped
  }

  /// Stories of the document that are not recognised, in document order.
  var open: [Int] {
    positions.indices.filter { positions[$0] == nil }
  }

  /// Whether retention once dropped this story; it is then no more among the dropped.
  mutating func takeDropped(_ story: Int) -> Bool {
    guard let place = findings.dropped.firstIndex(of: delivery.ids[story]) else { return false }
    findings.dropped.remove(at: place)
    return true
  }
}
