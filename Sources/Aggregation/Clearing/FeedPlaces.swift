import FeedModel
import FeedStorage

/// Where the feeds are by now that stories were of when they were cleared.
struct FeedPlaces {
  /// nil for feeds that were unsubscribed from.
  private var places: [String: String?] = [:]

  init(_ then: [Subscription], now: [Subscription]) {
    let urls = Set(now.map(\.url))
    var moved: [String: String] = [:]
    for subscription in now {
      for url in subscription.state.formerURLs { moved[url] = subscription.url }
    }
    for subscription in then where !urls.contains(subscription.url) {
      places[subscription.url] = .some(moved[subscription.url])
    }
  }

  /// Whether every feed is where it was.
  var isUnchanged: Bool { places.isEmpty }

  /// The same feeds, each once, where they are now.
  func feeds(_ feeds: [String]) -> [String] {
    guard !isUnchanged else { return feeds }
    var seen: Set<String> = []
    return feeds.compactMap { url in places[url] ?? .some(url) }.filter { seen.insert($0).inserted }
  }
}

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
