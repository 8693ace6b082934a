internal import FeedFetching
package import FeedModel
internal import FeedStorage
package import System

/// A change of what a server follows.
package struct ServerFeedEdit: Hashable, Sendable {
  package enum Action: String, Sendable {
    case subscribe, unsubscribe, edit
  }

  package let action: Action
  /// The feed's URL here, without an account.
  package let url: String
  /// What the server calls it; nil as long as it does not follow it.
  package var stream: String?
  /// nil leaves it as it is.
  package var title: String?
  package var added: [String] = []
  package var removed: [String] = []
}

/// What a home follows and what a server follows, merged: a value.
///
/// Whoever has begun or ended to follow a feed since the last merge is followed by the other side; of
/// many feeds that the server has lost at once the reader is asked first.
/// Of a title or tags that have changed on both sides, those here win. Where both follow a feed
/// before they ever were merged, the home gets the server's tags too, and the server those of the
/// home where it has none: most servers know one folder of a feed, which would be another then.
package struct ServerFeeds {
  package private(set) var all: [Subscription] = []
  package private(set) var gone: [Subscription] = []
  package private(set) var edits: [ServerFeedEdit] = []
  /// Those that the server has refused lately: they are sent later.
  package private(set) var held: [ServerFeedEdit] = []
  /// What is to be remembered, of what needs no edit.
  package private(set) var bases: [String: ServerFeed] = [:]
  /// What the server no longer follows that is to be asked about.
  package private(set) var pending = PendingConsent()
  private let consent: SyncConsent
  private var isWaiting = false
  /// Streams of the server that are feeds here.
  private var taken: Set<String> = []
  private let server: SyncServer
  private let state: ServerState
  private let now: Date

  private static let maximumFeeds = 10_000

  package init(
    _ server: SyncServer,
    _ state: ServerState,
    _ reading: [ServerReading.Feed],
    _ subscriptions: [Subscription],
    now: Date,
    _ consent: SyncConsent = .asked,
  ) {
    (self.server, self.state, self.now, self.consent) = (server, state, now, consent)
    let pairs = Self.pairs(reading, state, subscriptions)
    taken = pairs.streams
    let lost = subscriptions.count { feed in
      isShared(feed) && pairs.there[feed.url] == nil
        && state.feeds[feed.sharedURL].map { !taken.contains($0.stream) } ?? false
    }
    isWaiting =
      consent != .accepted && SyncBounds.isTooMany(lostFeeds: lost, of: state.feeds.count)
    if isWaiting, consent == .asked { pending.removed = lost }
    var (known, leaving): (Set<String>, Set<String>) = ([], [])
    for feed in subscriptions {
      let url = feed.sharedURL
      guard isShared(feed), known.insert(url).inserted else {
        all.append(feed.fetched(by: nil, besides: server.name))
        continue
      }
      merge(feed, pairs.there[feed.url])
    }
    for (url, base) in state.feeds.sorted(by: { $0.key < $1.key }) where !known.contains(url) {
      guard let there = reading.first(where: { $0.stream == base.stream }),
        !pairs.streams.contains(there.stream)
      else { continue }
      bases[url] = base
      note(ServerFeedEdit(action: .unsubscribe, url: url, stream: there.stream), of: nil)
      leaving.insert(there.stream)
    }
    for there in reading
    where !pairs.streams.contains(there.stream) && !leaving.contains(there.stream) {
      add(there)
    }
  }

  /// Whether the server may know of a feed, and can ask for it.
  private func isShared(_ feed: Subscription) -> Bool {
    guard SyncKey.isFeed(feed.url), feed.passwordCommand == nil, feed.headers.isEmpty,
      feed.filter == nil
    else {
      return false
    }
    let isPrivate = WebURL.host(of: feed.url).map(LocalHost.contains) ?? true
    return !isPrivate || (WebURL.host(of: server.url).map(LocalHost.contains) ?? false)
  }

  private mutating func merge(_ feed: Subscription, _ there: ServerReading.Feed?) {
    let url = feed.sharedURL
    switch (state.feeds[url], there) {
    case (nil, nil): subscribe(feed)
    case (nil, let there?): join(feed, there)
    // The feed has moved here, and the place where it was is followed again.
    case (let base?, nil) where taken.contains(base.stream): subscribe(feed)
    case (_?, nil) where !isWaiting: gone.append(feed)
    case (_?, nil) where consent == .restored: subscribe(feed)
    case (let base?, nil):
      all.append(feed)
      bases[url] = base
    case (let base?, let there?): merge(feed, there, base)
    }
  }

  private mutating func subscribe(_ feed: Subscription) {
    all.append(feed.fetched(by: nil, besides: server.name))
    var edit = ServerFeedEdit(action: .subscribe, url: feed.sharedURL)
    (edit.title, edit.added) = (feed.title, feed.tags)
    note(edit, of: feed)
  }

  /// Has an edit sent, unless the server has refused the same lately.
  private mutating func note(_ edit: ServerFeedEdit, of feed: Subscription?) {
    let refusal = state.refused[edit.url].flatMap { refusal in
      refusal.wish == Self.wish(edit.action, feed) && refusal.isWaiting(at: now) ? refusal : nil
    }
    if refusal == nil { edits.append(edit) } else { held.append(edit) }
  }

  /// A hash of what is wanted for a feed, by which the same wish is known again.
  static func wish(_ action: ServerFeedEdit.Action, _ feed: Subscription?) -> UInt64 {
    let facts = action == .edit ? [feed?.title ?? ""] + (feed?.tags ?? []).sorted() : []
    // Property lists hold numbers with a sign.
    return SHA256.prefix(joining: [action.rawValue] + facts) >> 1
  }

  private mutating func join(_ feed: Subscription, _ there: ServerReading.Feed) {
    var feed = feed
    let own = feed.tags
    feed.tags += there.tags.filter { !own.contains($0) }
    var edit = ServerFeedEdit(action: .edit, url: feed.sharedURL, stream: there.stream)
    if there.tags.isEmpty { edit.added = own }
    // What a feed calls itself is known once it has been asked.
    let isOwn = feed.state.title.map { ServerTitle.isSame($0, there.title) } ?? true
    if let title = feed.title {
      if !ServerTitle.isSame(title, there.title) { edit.title = title }
    } else if !isOwn, feed.state.lastSucceeded != nil {
      feed.title = ServerTitle.folded(there.title)
    }
    finish(feed, there, edit)
  }

  private mutating func merge(
    _ feed: Subscription,
    _ there: ServerReading.Feed,
    _ base: ServerFeed,
  ) {
    var feed = feed
    var edit = ServerFeedEdit(action: .edit, url: feed.sharedURL, stream: there.stream)
    if Set(feed.tags) != Set(base.tags) {
      edit.added = feed.tags.filter { !there.tags.contains($0) }
      edit.removed = there.tags.filter { !feed.tags.contains($0) }
    } else {
      feed.tags.removeAll { base.serverTags.contains($0) && !there.tags.contains($0) }
      feed.tags += there.tags.filter { !base.serverTags.contains($0) && !feed.tags.contains($0) }
    }
    if feed.title != base.title {
      let title = feed.title ?? feed.state.title ?? there.title
      if !ServerTitle.isSame(title, there.title) { edit.title = title }
    } else if !ServerTitle.isSame(there.title, base.serverTitle) {
      let isOwn = feed.state.title.map { ServerTitle.isSame($0, there.title) } ?? false
      feed.title = isOwn ? nil : ServerTitle.folded(there.title)
    }
    finish(feed, there, edit, base)
  }

  private mutating func finish(
    _ feed: Subscription,
    _ there: ServerReading.Feed,
    _ edit: ServerFeedEdit,
    _ base: ServerFeed? = nil,
  ) {
    all.append(feed.fetched(by: server.fetchesStories ? server.name : nil, besides: server.name))
    if edit.title != nil || !edit.added.isEmpty || !edit.removed.isEmpty {
      note(edit, of: feed)
      // Until it was sent it differs from the base.
      bases[edit.url] = base
    } else {
      bases[edit.url] = Self.base(feed, there)
    }
  }

  private mutating func add(_ there: ServerReading.Feed) {
    guard SyncKey.isFeed(there.url), all.count < Self.maximumFeeds else { return }
    var feed = Subscription(url: there.url)
    feed.tags = there.tags
    feed.state.title = there.title
    // Leave to be in a private network is given on each machine by itself.
    feed.state.isOnInternet = !server.allowsPrivate
    all.append(feed.fetched(by: server.fetchesStories ? server.name : nil, besides: nil))
    bases[feed.sharedURL] = Self.base(feed, there)
  }

  /// What both have when they were merged.
  package static func base(_ feed: Subscription, _ there: ServerReading.Feed) -> ServerFeed {
    ServerFeed(
      stream: there.stream,
      title: feed.title,
      tags: feed.tags,
      serverTitle: there.title,
      serverTags: there.tags,
    )
  }

  // MARK: Which feed here is which there

  private typealias Pairs = (there: [String: ServerReading.Feed], streams: Set<String>)

  /// The server's feeds by the URLs of those here, and the streams of all that are here: the same
  /// URL first, then another spelling of it, then a place where the feed was, then what the server
  /// has called it before.
  private static func pairs(
    _ reading: [ServerReading.Feed],
    _ state: ServerState,
    _ subscriptions: [Subscription],
  ) -> Pairs {
    var pairs: Pairs = ([:], [])
    var spellings: [[String: String]] = [[:], [:], [:]]
    for feed in subscriptions {
      let aliases = feed.aliases
      spellings[0][aliases[0]] = spellings[0][aliases[0]] ?? feed.url
      for alias in aliases.dropFirst() { spellings[1][alias] = spellings[1][alias] ?? feed.url }
      if let base = state.feeds[feed.sharedURL] { spellings[2][base.stream] = feed.url }
    }
    for (number, known) in spellings.enumerated() {
      for there in reading where !pairs.streams.contains(there.stream) {
        let name = number < 2 ? Subscription.alias(there.url) : there.stream
        guard let url = known[name], pairs.there[url] == nil else { continue }
        pairs.there[url] = there
        pairs.streams.insert(there.stream)
      }
    }
    return pairs
  }

  /// What the stories of each of the server's feeds are known by, by its stream.
  static func names(
    of reading: [ServerReading.Feed],
    _ state: ServerState,
    _ subscriptions: [Subscription],
  ) -> [String: String] {
    let pairs = pairs(reading, state, subscriptions)
    var names: [String: String] = [:]
    for there in reading { names[there.stream] = Subscription.alias(there.url) }
    for (url, there) in pairs.there { names[there.stream] = Subscription.alias(url) }
    return names
  }

  /// The URLs here of the server's feeds, by their streams.
  package static func urls(
    of reading: [ServerReading.Feed],
    _ state: ServerState,
    _ subscriptions: [Subscription],
  ) -> [String: String] {
    let pairs = pairs(reading, state, subscriptions).there
    return Dictionary(pairs.map { ($1.stream, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Subscription {
  /// The same fetched by a server, or with nil not by the one of the name `other`.
  fileprivate func fetched(by server: String?, besides other: String?) -> Subscription {
    guard server != nil || state.server == other else { return self }
    var feed = self
    feed.state.server = server
    return feed
  }
}
