import FeedStorage

/// The feeds of stories, as they were and where they are now; each list is made once.
struct FeedLists {
  struct Pair {
    let then, now: [String]
    var isMoved: Bool { then != now }
  }

  private let places: FeedPlaces
  private var lists: [[Int]: Pair] = [:]
  private var last: (numbers: [Int], lists: Pair)?

  init(_ places: FeedPlaces) {
    self.places = places
  }

  /// The feeds of the story that a scanner is at; it has to be the same one each time.
  mutating func feeds(_ scanner: inout ItemScanner) throws(StorageError) -> Pair {
    var numbers: [Int] = []
    try scanner.forEachFeed { numbers.append($0) }
    if let last, last.numbers == numbers { return last.lists }
    let pair = lists[numbers] ?? pair(numbers.map { scanner.feeds[$0] })
    lists[numbers] = pair
    last = (numbers, pair)
    return pair
  }

  private func pair(_ feeds: [String]) -> Pair {
    Pair(then: feeds, now: places.feeds(feeds))
  }
}
