internal import FeedModel
internal import FeedReading
internal import FeedStorage

struct ServerPairs {
  private(set) var there: [String: ServerReading.Feed] = [:]
  private(set) var streams: Set<String> = []
  private let reading: [ServerReading.Feed]

  /// Pairs feeds by the same URL first, then by a former or listed URL, then by the stream of the
  /// last agreement.
  init(
    _ reading: [ServerReading.Feed],
    _ state: ServerState,
    _ subscriptions: [Subscription],
  ) {
    self.reading = reading
    var spellings: [[String: String]] = [[:], [:], [:]]
    for feed in subscriptions {
      let aliases = feed.aliases
      spellings[0][aliases[0]] = spellings[0][aliases[0]] ?? feed.url
      for alias in aliases.dropFirst() { spellings[1][alias] = spellings[1][alias] ?? feed.url }
      if let base = state.feeds[feed.sharedURL] { spellings[2][base.stream] = feed.url }
    }
    for (number, known) in spellings.enumerated() {
      for feed in reading where !streams.contains(feed.stream) {
        let name = number < 2 ? Subscription.alias(feed.url) : feed.stream
        guard let url = known[name], there[url] == nil else { continue }
        there[url] = feed
        streams.insert(feed.stream)
      }
    }
  }

  var urls: [String: String] {
    Dictionary(there.map { ($1.stream, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The names under which stories of the server's feeds are looked up, by stream.
  var names: [String: String] {
    let urls = urls
    return reading.reduce(into: [:]) {
      $0[$1.stream] = Subscription.alias(urls[$1.stream] ?? $1.url)
    }
  }
}
