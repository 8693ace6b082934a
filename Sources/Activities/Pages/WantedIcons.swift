import FeedFetching
import FeedLibrary
import FeedModel
import FeedStorage
package import FeedUpdating
import HTMLText
import System

/// Fetches the icons of feeds, once a month each: the picture that the document names, else the
/// icon of its site.
package struct WantedIcons: Sendable {
  private let tools: RunTools

  private static let mostOfRun = 20
  private static let pause = 30 * 86_400.0

  package init(_ tools: RunTools) { self.tools = tools }

  /// Fetches icons of feeds that a run has reached, in the time that is left of it.
  package func fetch(after report: RefreshReport) throws {
    let reached = Set(report.feeds.filter { $0.error == nil }.map(\.url))
    guard !reached.isEmpty else { return }
    let library = try tools.store.read()
    let wanted = library.subscriptions.filter { reached.contains($0.url) && isDue($0) }
      .prefix(Self.mostOfRun)
    guard !wanted.isEmpty else { return }
    let options = tools.options(beside: library)
    _ = try tools.inTurn {
      var fetch = IconFetch(tools: tools, options: options)
      let icons = fetch.icons(of: Array(wanted))
      try tools.note(retryTimes: fetch.busy.retryTimes)
      try save(icons)
    }
  }

  private func isDue(_ feed: Subscription) -> Bool {
    guard WebURL.isWeb(feed.url), !feed.isNeverAsked else { return false }
    guard let asked = feed.state.iconAsked, tools.store.hasAskedForIcon(of: feed.url) else {
      return true
    }
    return abs(tools.now().timeIntervalSince(asked)) >= Self.pause
  }

  private func save(_ icons: [String: [UInt8]]) throws {
    guard !icons.isEmpty else { return }
    try tools.store.save(icons: icons, waitAtMost: tools.clock.timeToLock)
    try tools.store.update(waitAtMost: tools.clock.timeToLock) { library in
      var subscriptions = library.subscriptions
      for index in subscriptions.indices where icons[subscriptions[index].url] != nil {
        subscriptions[index].state.iconAsked = tools.now()
      }
      return (LibraryChange(subscriptions: subscriptions), ())
    }
  }
}

/// The icons of some feeds, asked for in up to three steps.
private struct IconFetch {
  let tools: RunTools
  let options: FetchOptions
  var busy = BusyServers()

  mutating func icons(of feeds: [Subscription]) -> [String: [UInt8]] {
    let named = feeds.compactMap { feed in
      feed.state.icon.map { (feed, FetchRequest(feed, at: $0)) }
    }
    var icons = pictures(named)
    let rest = feeds.filter { icons[$0.url]?.isEmpty ?? ($0.state.icon == nil) }
    let pages = pages(of: rest)
    // The next run asks again for a feed whose site has no turn in this one.
    for (feed, page) in zip(rest, pages) { icons[feed.url] = page?.isTooSlow == true ? [] : nil }
    let own = zip(rest, pages).compactMap { feed, page in
      Self.request(feed, page).map { (feed, $0) }
    }
    icons.merge(pictures(own)) { $1 }
    return icons
  }

  private var currentOptions: FetchOptions {
    var options = options
    options.stoppedServers.merge(busy.stopped) { $1 }
    return options
  }

  /// Asks for the icon that a page names, else for that of its site, at the page's word alone.
  private static func request(_ feed: Subscription, _ page: FetchedPage?) -> FetchRequest? {
    guard let page, let response = page.response else {
      return WebURL.resolve("/favicon.ico", against: feed.sitePage)
        .map { FetchRequest(feed, at: $0) }
    }
    return (page.description?.icon ?? WebURL.resolve("/favicon.ico", against: page.url))
      .map { FetchRequest(feed, at: $0, namedBy: response, asked: feed.sitePage) }
  }

  private mutating func pages(of feeds: [Subscription]) -> [FetchedPage?] {
    let fetch = PageFetch(tools.fetcher, options: currentOptions, for: [])
    let places = feeds.map { ($0, FetchRequest($0, at: $0.sitePage)) }
    let pages = Self.once(places) { fetch.pages($0, tools.cancellation) }
    for ((_, request), page) in zip(places, pages) {
      if case .failed(let error, let response, _)? = page?.answer {
        busy.note(.failed(error, response), to: request.url, now: tools.now())
      }
    }
    return pages
  }

  /// Returns the pictures by the URLs of their feeds, empty where there is none; those for which
  /// there was no time are left out.
  private mutating func pictures(
    _ places: [(Subscription, FetchRequest)]
  ) -> [String: [UInt8]] {
    let answers = Self.once(places) { requests in
      tools.fetcher.answers(
        to: requests.map { request in
          request.changed { ($0.maximumBytes, $0.content) = (FeedIcon.maximumBytes, .picture) }
        },
        options: currentOptions,
        cancellation: tools.cancellation,
        make: { _, outcome, body in
          PictureAnswer(
            outcome: outcome,
            hadItsTurn: outcome.error?.hadItsTurn(after: body.elapsed) ?? true,
            bytes: body.withBytes { FeedIcon(Array($0))?.bytes ?? [] },
          )
        },
      )
    }
    var pictures: [String: [UInt8]] = [:]
    for ((feed, request), answer) in zip(places, answers) {
      guard let answer else { continue }
      busy.note(answer.outcome, to: request.url, now: tools.now())
      if case .content = answer.outcome {
        pictures[feed.url] = answer.bytes
      } else if answer.hadItsTurn {
        pictures[feed.url] = []
      }
    }
    return pictures
  }

  /// Makes each request once, and returns the answers in the order of the places.
  private static func once<Answer>(
    _ places: [(Subscription, FetchRequest)],
    _ ask: ([FetchRequest]) -> [Answer?],
  ) -> [Answer?] {
    var indices: [FetchRequest: Int] = [:]
    var requests: [FetchRequest] = []
    for (_, request) in places where indices[request] == nil {
      indices[request] = requests.count
      var plain = request
      (plain.filter, plain.maximumBytes) = (nil, nil)
      requests.append(plain)
    }
    let answers = ask(requests)
    return places.map { _, request in indices[request].flatMap { answers[$0] } }
  }
}

private struct PictureAnswer: Sendable {
  let outcome: FetchOutcome
  let hadItsTurn: Bool
  let bytes: [UInt8]
}

extension FetchedPage {
  /// Tells whether its server had its turn, and did not answer before the deadline.
  fileprivate var isTooSlow: Bool {
    if case .failed(.deadline, _, hadItsTurn: true) = answer { true } else { false }
  }
}
