package import FeedFetching
import FeedLibrary
import FeedModel
package import FeedStorage
package import FeedUpdating
import HTMLText
package import System

/// Fetches the icons of feeds, once a month each: the picture that the document names, else the
/// icon of its site.
package struct WantedIcons: Sendable {
  private let fetcher: any FeedFetcher
  private let options: FetchOptions
  private let store: LibraryStore
  private let clock: RefreshRunClock
  private let now: @Sendable () -> Date

  private static let mostOfRun = 20
  private static let pause = 30 * 86_400.0

  package init(
    _ fetcher: any FeedFetcher,
    options: FetchOptions,
    in store: LibraryStore,
    clock: RefreshRunClock,
    now: @escaping @Sendable () -> Date,
  ) {
    (self.fetcher, self.options, self.store) = (fetcher, options, store)
    (self.clock, self.now) = (clock, now)
  }

  /// Fetches icons of feeds that a run has reached, in the time that is left of it.
  package func fetch(
    after report: RefreshReport,
    cancellation: FetchCancellation,
  ) throws {
    let reached = Set(report.feeds.filter { $0.error == nil }.map(\.url))
    guard !reached.isEmpty, report.storageError == nil, !report.wasInterrupted else { return }
    let library = try store.read()
    try store.dropIcons(besides: library.subscriptions)
    let wanted = library.subscriptions.filter { reached.contains($0.url) && isDue($0) }
      .prefix(Self.mostOfRun)
    guard !wanted.isEmpty else { return }
    var options = options
    options.deadline = clock.fetchDeadline
    options.stoppedServers = RefreshSchedule.stoppedServers(library.retryTimes, now: now())
    _ = try clock.inTurn(of: store) { [options] in
      try fetch(Array(wanted), options, cancellation)
    }
  }

  private func isDue(_ feed: Subscription) -> Bool {
    guard WebURL.isWeb(feed.url), !feed.isNeverAsked else { return false }
    guard let asked = feed.state.iconAsked, store.hasAskedForIcon(of: feed.url) else { return true }
    return abs(now().timeIntervalSince(asked)) >= Self.pause
  }

  private func fetch(
    _ feeds: [Subscription],
    _ options: FetchOptions,
    _ cancellation: FetchCancellation,
  ) throws {
    let named = feeds.compactMap { feed in feed.state.icon.map { (feed, url: $0) } }
    var icons = try pictures(named, options, cancellation)
    let rest = feeds.filter { icons[$0.url]?.isEmpty ?? ($0.state.icon == nil) }
    let pages = Self.once(rest.map { ($0, url: $0.sitePage) }) {
      PageFetch(fetcher, options: options).pages($0, cancellation)
    }
    let own = zip(rest, pages).compactMap { feed, page in
      (page?.description?.icon
        ?? WebURL.resolve("/favicon.ico", against: page?.url ?? feed.sitePage))
        .map { (feed, url: $0) }
    }
    icons.merge(try pictures(own, options, cancellation)) { $1 }
    try store.save(icons: icons)
    try store.update(waitAtMost: clock.timeToLock) { library in
      var subscriptions = library.subscriptions
      for index in subscriptions.indices where icons[subscriptions[index].url] != nil {
        subscriptions[index].state.iconAsked = now()
      }
      return (LibraryChange(subscriptions: subscriptions), ())
    }
  }

  /// Returns the pictures by the URLs of their feeds, empty where there is none; those for which
  /// there was no time are left out.
  private func pictures(
    _ places: [(Subscription, url: String)],
    _ options: FetchOptions,
    _ cancellation: FetchCancellation,
  ) throws -> [String: [UInt8]] {
    var busy = BusyServers()
    let answers = Self.once(places) { requests in
      let answers = fetcher.answers(
        to: requests.map { request in
          var request = request
          (request.maximumBytes, request.content) = (FeedIcon.maximumBytes, .picture)
          return request
        },
        options: options,
        cancellation: cancellation,
        make: { _, outcome, body in
          (outcome, body.withBytes { FeedIcon(Array($0))?.bytes ?? [] })
        },
      )
      for (request, answer) in zip(requests, answers) {
        if let (outcome, _) = answer { busy.note(outcome, to: request.url, now: now()) }
      }
      return answers
    }
    if !busy.retryTimes.isEmpty {
      try store.note(retryTimes: busy.retryTimes, waitAtMost: clock.timeToLock)
    }
    var pictures: [String: [UInt8]] = [:]
    for ((feed, _), answer) in zip(places, answers) {
      switch answer {
      case nil: break
      case (.content, let bytes)?: pictures[feed.url] = bytes
      case (.failed(let error, _), _)? where error.isUnasked || error == .deadline: break
      default: pictures[feed.url] = []
      }
    }
    return pictures
  }

  /// Asks for each URL once, and returns the answers in the order of the places.
  private static func once<Answer>(
    _ places: [(Subscription, url: String)],
    _ ask: ([FetchRequest]) -> [Answer?],
  ) -> [Answer?] {
    var indices: [String: Int] = [:]
    var requests: [FetchRequest] = []
    for (feed, url) in places where indices[url] == nil {
      indices[url] = requests.count
      var request = FetchRequest(feed, at: url)
      (request.filter, request.maximumBytes) = (nil, nil)
      requests.append(request)
    }
    let answers = ask(requests)
    return places.map { place in indices[place.url].flatMap { answers[$0] } }
  }
}
