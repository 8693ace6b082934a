internal import FeedModel

/// The streams, times, order and number of the stories that an app asks for.
struct StreamQuery: Sendable {
  /// Streams of which the story is in at least one.
  var streams: [StreamID]
  /// Streams that all have the story, and those that do not.
  var (including, excluding): ([StreamID], [StreamID]) = ([], [])
  /// The times of coming to this home, in microseconds since 1970.
  var arrived = Int64.min...Int64.max
  var isOldestFirst = false
  var count: Int
  /// The last story of the page before.
  var last: StreamPlace?

  /// The microseconds for which a story may have arrived before the save that shows it has ended.
  ///
  /// An app that asks meanwhile does not get it, and asks next for what came since.
  static let longestSave: Int64 = 60_000_000

  init(_ streams: [StreamID]) { (self.streams, count) = (streams, .max) }

  /// Reads `s`, `n`, `r`, `ot`, `nt`, `xt`, `it` and `c`, with a number of stories for queries
  /// without `n`, and throws for invalid streams and continuations.
  ///
  /// Numbers that are none, and times before 1970, bound nothing, as in FreshRSS and Miniflux:
  /// Twine begins at the year -99999.
  init(
    _ fields: FormFields,
    stream: String? = nil,
    count usual: Int,
    atMost limit: Int,
  ) throws(RequestFault) {
    let names = stream.map { [$0] } ?? fields.values("s")
    streams = try names.map(Self.stream)
    guard !streams.isEmpty else { throw .badRequest("no stream: s=user/-/state/com.google/…") }
    including = try fields.values("it").map(Self.stream)
    excluding = try fields.values("xt").map(Self.stream)
    let from = Self.bound(fields["ot"]).map { $0 - Self.longestSave } ?? .min
    let end = Self.bound(fields["nt"]) ?? .max
    arrived = from...max(from, end)
    isOldestFirst = fields["r"] == "o"
    let wanted = fields["n"].map { Int($0).flatMap { $0 > 0 ? $0 : nil } ?? limit } ?? usual
    count = from > end ? 0 : min(wanted, limit)
    // Some apps write the name of their language's nothing for it.
    if let text = fields["c"], text != "null", text != "undefined" {
      guard let place = StreamPlace(text) else { throw .badRequest("c is no continuation") }
      last = place
    }
  }

  static func stream(_ text: String) throws(RequestFault) -> StreamID {
    guard let stream = StreamID(text) else { throw .badRequest("unknown stream") }
    return stream
  }

  static func number(_ text: String?) throws(RequestFault) -> Int? {
    guard let text else { return nil }
    guard let number = Int(text), number >= 0 else { throw .badRequest("no number of stories") }
    return number
  }

  /// Reads the time up to which a change is asked for; nil for none, and for 0.
  static func time(_ text: String?) throws(RequestFault) -> Int64? {
    guard let text else { return nil }
    guard let time = Int64(text), time >= 0 else { throw .badRequest("no time") }
    return microseconds(time)
  }

  /// Reads a time before or after which stories are left out; the fraction of a second does not
  /// count.
  private static func bound(_ text: String?) -> Int64? {
    text.flatMap { Int64($0.prefix { $0 != "." }) }.flatMap(microseconds)
  }

  /// Returns a time in seconds, milliseconds, microseconds or nanoseconds since 1970, which apps do
  /// not tell apart, in microseconds; nil for one before.
  private static func microseconds(_ time: Int64) -> Int64? {
    switch time {
    case ...0: nil
    // Seconds before the year 5138, milliseconds before 2286, microseconds before 5138.
    case ..<100_000_000_000: time * 1_000_000
    case ..<10_000_000_000_000: time * 1_000
    case ..<100_000_000_000_000_000: time
    default: time / 1_000
    }
  }

  /// Returns a page of the wanted stories, and the place of its last one if there are more.
  func page(of stories: ServedStories) -> (stories: ArraySlice<ServedStory>, next: StreamPlace?) {
    let filter = StreamFilter(self, of: stories)
    var page: [ServedStory] = []
    let all = stories.all
    for index in all.indices where page.count <= count {
      let story = all[isOldestFirst ? all.count - 1 - index : index]
      if last.map({ isOldestFirst ? story.place >= $0 : story.place <= $0 }) ?? false { continue }
      if filter.contains(story) { page.append(story) }
    }
    let hasMore = page.count > count
    return (page.prefix(count), hasMore ? page.prefix(count).last?.place : nil)
  }

  func matches(of stories: ServedStories) -> [ServedStory] {
    let filter = StreamFilter(self, of: stories)
    return stories.all.filter(filter.contains)
  }
}

/// A test of stories by a query.
struct StreamFilter {
  private enum Condition {
    case all, none, starred
    case read(Bool)
    /// The lists of feeds, and of tags, that have a wanted one.
    case lists(feeds: [Bool], tags: [Bool])
  }

  private let (streams, including, excluding): ([Condition], [Condition], [Condition])
  private let arrived: ClosedRange<Int64>

  init(_ query: StreamQuery, of stories: ServedStories) {
    let condition = { Self.condition($0, stories) }
    streams = query.streams.map(condition)
    including = query.including.map(condition)
    excluding = query.excluding.map(condition)
    arrived = query.arrived
  }

  func contains(_ story: ServedStory) -> Bool {
    arrived.contains(story.place.arrived) && streams.contains { Self.holds($0, story) }
      && including.allSatisfy { Self.holds($0, story) }
      && !excluding.contains { Self.holds($0, story) }
  }

  private static func holds(_ condition: Condition, _ story: ServedStory) -> Bool {
    switch condition {
    case .all: true
    case .none: false
    case .starred: story.isStarred
    case .read(let isRead): story.isRead == isRead
    case .lists(let feeds, let tags): feeds[Int(story.feeds)] || tags[Int(story.tags)]
    }
  }

  private static func condition(_ stream: StreamID, _ stories: ServedStories) -> Condition {
    switch stream {
    case .readingList: return .all
    case .read: return .read(true)
    case .unread: return .read(false)
    case .starred: return .starred
    case .empty: return .none
    case .feed(let name):
      let wanted = stories.feeds.feed(named: name).map { ServedFeeds.name(ofFeed: $0.url) } ?? name
      return .lists(
        feeds: stories.feedNames.map { $0.contains(wanted) },
        tags: stories.tagLists.map { _ in false },
      )
    case .label(let label):
      let wanted = label.lowercased()
      let urls = stories.feeds.all.filter { $0.tags.contains { $0.lowercased() == wanted } }
      let feeds = Set(urls.map(\.url))
      return .lists(
        feeds: stories.feedLists.map { !feeds.isDisjoint(with: $0) },
        tags: stories.tagLists.map { $0.contains { $0.lowercased() == wanted } },
      )
    }
  }
}
