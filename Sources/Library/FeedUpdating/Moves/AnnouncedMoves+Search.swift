import FeedFetching
package import FeedModel
import FeedParsing
import FeedStorage
import System

extension AnnouncedMoves {
  private static let mostOfRun = 4

  /// Asks the sites of feeds that have failed for days which feed they name, and remembers it.
  ///
  /// Nothing moves by that. A site is asked for one feed in a run, and for each at most once a week.
  package func search(after report: RefreshReport) throws -> [Move] {
    let failed = Set(
      report.feeds.filter { $0.remedy?.isOfAddress ?? false }.map(\.url)
        + report.unasked.filter { $0.reason == .gone }.map(\.url)
    )
    guard !failed.isEmpty else { return [] }
    let all = try tools.store.read().subscriptions
    var sites: Set<String> = []
    let lost = all.filter { feed in
      failed.contains(feed.url) && feed.mayBeSearched(now: tools.now())
        && sites.insert(WebURL.origin(of: feed.sitePage) ?? feed.sitePage).inserted
    }
    guard !lost.isEmpty else { return [] }
    let known = Set(all.flatMap { [$0.url] + $0.state.formerURLs }.map(WebURL.canonical))
    return try tools.inTurn {
      try search(Array(lost.prefix(Self.mostOfRun)), besides: known)
    } ?? []
  }

  private func search(_ feeds: [Subscription], besides known: Set<String>) throws -> [Move] {
    let pages = try documents(feeds.map { FetchRequest($0, at: $0.sitePage) })
    let requests = zip(feeds, pages).map { feed, page in
      (page?.namedFeeds ?? []).filter { !known.contains(WebURL.canonical($0)) }
        .compactMap { url in page.flatMap { FetchRequest(feed, at: url, namedBy: $0) } }
    }
    var documents = try documents(Array(requests.joined()))[...]
    let found = requests.map { requests -> (url: String?, isFinal: Bool) in
      defer { documents = documents.dropFirst(requests.count) }
      let answers = documents.prefix(requests.count)
      let url = answers.lazy.compactMap(\.self)
        .first { $0.isFeed && !known.contains(WebURL.canonical($0.source ?? $0.url)) }
        .map { WebURL.withoutAccount($0.url) }
      return (url, url != nil || answers.allSatisfy { $0?.hadItsTurn ?? false })
    }
    return try tools.store.update(waitAtMost: tools.clock.timeToLock) { library in
      var subscriptions = library.subscriptions
      var moves: [Move] = []
      for (feed, (page, found)) in zip(feeds, zip(pages, found)) {
        guard let page, page.hadItsTurn, found.isFinal,
          let index = subscriptions.firstIndex(where: { $0.url == feed.url }),
          subscriptions[index].state.isFailing
        else { continue }
        subscriptions[index].state.siteAsked = tools.now()
        guard let url = found.url, url != subscriptions[index].state.newAddress else { continue }
        subscriptions[index].state.newAddress = url
        moves.append(Move(from: feed.url, to: url))
      }
      return (LibraryChange(subscriptions: subscriptions), moves)
    }
  }
}

extension Subscription {
  fileprivate func mayBeSearched(now: Date) -> Bool {
    WebURL.isWeb(url) && filter == nil && !isNeverAsked && !settings.isPaused(at: now)
      && FailureRemedy.isLost(state, now: now)
      && AnnouncedMove.isDue(after: state.siteAsked, now: now)
  }

  /// The page of the feed by its document, else the root of its host.
  package var sitePage: String {
    state.link.flatMap { WebURL.isWeb($0) ? $0 : nil }
      ?? WebURL.resolve("/", against: WebURL.withoutAccount(url)) ?? url
  }
}

extension FetchedDocument {
  /// The feed that a page announces, or the addresses that feeds usually have there.
  fileprivate var namedFeeds: [String] {
    switch feed {
    case .success: [url]
    case .failure(.webPage(let announced)):
      announced.first { $0.isLikely && !$0.isOfComments }.map { [$0.url] }
        ?? FeedAddress.usual(in: "./", of: source ?? url)
    default: []
    }
  }

  fileprivate var isFeed: Bool { if case .success? = feed { true } else { false } }
}

extension FetchRequest {
  fileprivate init?(_ feed: Subscription, at url: String, namedBy page: FetchedDocument) {
    guard let response = page.outcome.response else { return nil }
    self.init(feed, at: url, namedBy: response, asked: page.url)
  }
}
