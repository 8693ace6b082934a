import FeedModel
import FeedStorage

/// A delivery while it is merged: what of it was recognised, and what is found out.
struct DeliveredFeed {
  /// Which of the merge's deliveries it is.
  let number: Int
  let delivery: FeedDelivery
  /// Positions of the feed's stories in the table, newest first.
  let stored: [Int]
  /// For each story of the delivery, the position of the story that it is.
  var positions: [Int?]
  var findings = FeedFindings()
  /// Its feed, in a list that its new stories share.
  let url: [String]

  init(_ delivery: FeedDelivery, number: Int, stored: [Int], dropped: [UInt64]) {
    self.number = number
    self.delivery = delivery
    url = [delivery.feed]
    self.stored = stored
    positions = Array(repeating: nil, count: delivery.stories.count)
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
