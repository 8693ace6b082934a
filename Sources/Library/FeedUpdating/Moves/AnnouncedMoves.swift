package import FeedFetching
import FeedLibrary
package import FeedModel
import FeedParsing
import FeedReading
import FeedStorage
import System

/// Asks the URLs at which feeds say they live now, and moves feeds there if the same stories are
/// found.
package struct AnnouncedMoves: Sendable {
  let tools: RunTools

  package init(_ tools: RunTools) { self.tools = tools }

  package struct Move: Hashable, Sendable {
    package let from: String
    package let to: String
  }

  /// Follows the feeds that a run has reached; most runs ask nobody.
  package func follow(after report: RefreshReport) throws -> [Move] {
    let reached = Set(report.feeds.filter { $0.announcesMove && $0.outcome != .failed }.map(\.url))
    guard !reached.isEmpty else { return [] }
    let wanted = try tools.store.read().subscriptions.filter { feed in
      guard let move = feed.state.announcedMove else { return false }
      return reached.contains(feed.url) && move.isDue(now: tools.now())
        && !feed.losesSecrets(at: move.url)
    }
    guard !wanted.isEmpty else { return [] }
    return try tools.inTurn { try follow(wanted) } ?? []
  }

  private func follow(_ wanted: [Subscription]) throws -> [Move] {
    let requests = wanted.map { FetchRequest($0, at: $0.state.announcedMove?.url ?? "") }
    let documents = try documents(requests)
    return try tools.store.update(waitAtMost: tools.clock.timeToLock) { library in
      var subscriptions = library.subscriptions
      var moves: [Move] = []
      for (feed, document) in zip(wanted, documents) {
        guard let index = subscriptions.firstIndex(where: { $0.url == feed.url }),
          let place = feed.state.announcedMove?.url,
          subscriptions[index].state.announcedMove?.url == place
        else { continue }
        if try hasSameStories(document, feed.url, library) {
          subscriptions.move(index, to: place)
          moves.append(Move(from: feed.url, to: place))
        } else if let document, document.hadItsTurn {
          subscriptions[index].state.announcedMove?.tried = tools.now()
        }
      }
      var change = LibraryChange(subscriptions: subscriptions)
      change.feeds.moves = moves.map { (from: $0.from, to: $0.to) }
      var merge = ItemMerge(library.items, now: tools.now())
      try merge.move(change.feeds.moves)
      change.stories = try merge.changes()
      return (change, moves)
    }
  }

  /// Returns the documents at URLs of the web, and leaves servers in peace that ask for that.
  func documents(_ requests: [FetchRequest]) throws -> [FetchedDocument?] {
    let options = tools.options(beside: try tools.store.read())
    let reading = { @Sendable (request: FetchRequest) in
      DocumentReading(ParsingLimits(maximumBytes: request.maximumBytes(options)))
    }
    let documents = tools.fetcher.answers(
      to: requests.map { request in request.changed { $0.reading = reading(request).job } },
      options: options,
      cancellation: tools.cancellation,
      make: { DocumentReader(reading($0)).read($0, $1, $2) },
    )
    var busy = BusyServers()
    for document in documents.compactMap(\.self) {
      busy.note(document.outcome, to: document.url, now: tools.now())
    }
    try tools.note(retryTimes: busy.retryTimes)
    return documents
  }

  private static let fewestStories = 3

  /// Returns true if a document has three stories that are stored of a feed, or all of fewer.
  private func hasSameStories(
    _ document: FetchedDocument?,
    _ feed: String,
    _ library: Library,
  ) throws -> Bool {
    guard case .success(let found)? = document?.feed else { return false }
    let known = try KnownStories(of: feed, in: library.items)
    let wanted = min(Self.fewestStories, known.count, found.items.count)
    return wanted > 0 && found.items.count(where: known.contains) >= wanted
  }
}

extension FetchRequest {
  /// Asks for a URL that a feed's document or its site names.
  package init(_ feed: Subscription, at url: String) {
    self.init(feed, validators: nil, index: 0)
    self.url = url
    trust = .part(url, of: [feed])
    if RequestTrust.isOneSite(feed.url, url) {
      useAccount(of: feed.url)
    } else {
      forgetSecrets()
    }
  }

  /// Asks for a URL that a page of a feed's site names, with the trust in that page alone; `asked`
  /// is the URL that the page was asked for by.
  package init(
    _ feed: Subscription,
    at url: String,
    namedBy page: FetchResponse,
    asked: String,
  ) {
    self.init(feed, at: url)
    trust = .announced(url, by: page, asked: asked)
    guard !trust.givesPasswords else { return }
    forgetSecrets()
    // A page elsewhere may name a path of the feed's own site: the account stays here, too.
    self.url = url
  }
}

extension [Subscription] {
  fileprivate mutating func move(_ index: Int, to url: String) {
    let other = indices.first { $0 != index && self[$0].url == url }
    if let other {
      self[other].join(self[index])
      remove(at: index)
    } else {
      self[index].noteFormerURLs([self[index].url])
      self[index].follow(to: url)
      self[index].state.forgetURL()
    }
  }
}

extension Subscription {
  /// Returns true if it has a password, headers or certificates and the new URL is on another site.
  fileprivate func losesSecrets(at place: String) -> Bool {
    (hasSecrets || WebURL.account(of: url) != nil) && !RequestTrust.isOneSite(url, place)
  }
}

extension AnnouncedMove {
  private static let pause = 7 * 86_400.0

  func isDue(now: Date) -> Bool {
    Self.isDue(after: tried, now: now)
  }

  static func isDue(after tried: Date?, now: Date) -> Bool {
    tried.map { abs(now.timeIntervalSince($0)) >= pause } ?? true
  }
}
