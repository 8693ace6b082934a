internal import FeedFetching
internal import FeedModel
internal import FeedReading
internal import FeedStorage
internal import System

struct ServerFeedEdit: Hashable, Sendable {
  enum Action: String, Sendable {
    case subscribe, unsubscribe, edit
  }

  let action: Action
  /// The feed's URL here, without an account.
  let url: String
  /// The server's id of the feed, or nil before the server follows it.
  var stream: String?
  /// The new title, or nil for no change.
  var title: String?
  var added: [String] = []
  var removed: [String] = []

  func feed(in feeds: [ServerReading.Feed]) -> ServerReading.Feed? {
    let alias = Subscription.alias(url)
    return feeds.first { $0.stream == stream || Subscription.alias($0.url) == alias }
  }
}

/// The feeds of a home and those of a server, merged.
///
/// A subscription or removal on one side is carried over to the other; if the server has lost many
/// feeds at once, the user is asked first. When both follow a feed at the first merge, the home
/// adds the server's tags to its own, and the server gets the home's only if it has none: most
/// servers know one folder per feed, which would change.
struct ServerFeeds {
  private(set) var all: [Subscription] = []
  private(set) var edits: [ServerFeedEdit] = []
  /// Edits that the server refused lately, to be sent later.
  private(set) var held: [ServerFeedEdit] = []
  /// The agreed values to save for feeds that need no edit.
  private(set) var bases: [String: ServerFeed] = [:]
  /// The number of feeds that the server has lost and that need consent.
  private(set) var lost = 0
  private let consent: SyncConsent
  private let isTooMuch: Bool
  private let server: SyncServer
  private let state: ServerState
  private let now: Date

  private static let maximumFeeds = 10_000

  init(
    _ server: SyncServer,
    _ state: ServerState,
    _ reading: [ServerReading.Feed],
    _ subscriptions: [Subscription],
    now: Date,
    _ consent: SyncConsent = .asked,
  ) {
    (self.server, self.state, self.now, self.consent) = (server, state, now, consent)
    let pairs = ServerPairs(reading, state, subscriptions)
    var taken = pairs.streams
    let shared = subscriptions.map { feed -> SharedFeed? in
      guard server.mayFollow(feed) else { return nil }
      let (base, there) = (state.feeds[feed.sharedURL], pairs.there[feed.url])
      // The feed has moved here, and its former URL is followed again.
      let hasMoved = there == nil && base.map { taken.contains($0.stream) } ?? false
      return SharedFeed(feed, isHere: true, there, hasMoved ? nil : base)
    }
    let lost = shared.count { $0?.isFollowed.isTakenBack ?? false }
    isTooMuch = SyncBounds.isTooMany(lostFeeds: lost, of: state.feeds.count)
    for (feed, shared) in zip(subscriptions, shared) {
      if let shared {
        merge(shared)
      } else {
        all.append(feed.fetched(by: nil, besides: server.name))
      }
    }
    let known = Set(shared.compactMap { $0?.url })
    for (url, base) in state.feeds.sorted(by: { $0.key < $1.key }) where !known.contains(url) {
      guard let there = reading.first(where: { $0.stream == base.stream }),
        taken.insert(there.stream).inserted
      else { continue }
      merge(SharedFeed(Subscription(url: url), isHere: false, there, base))
    }
    for there in reading where !taken.contains(there.stream) {
      guard SyncKey.isFeed(there.url), all.count < Self.maximumFeeds else { continue }
      var feed = Subscription(url: there.url)
      feed.state.title = there.title
      // Access to a private network is granted on each machine by itself.
      feed.state.isOnInternet = !server.allowsPrivate
      merge(SharedFeed(feed, isHere: false, there, nil))
    }
  }

  private mutating func merge(_ shared: SharedFeed) {
    let (url, there) = (shared.url, shared.there)
    switch shared.isFollowed.decided(consent, isTooMuch: isTooMuch) {
    case nil:
      lost += 1
      all.append(shared.feed)
      bases[url] = shared.base
    case .some(.none):
      guard !shared.isHere else { return }
      bases[url] = shared.base
      note(ServerFeedEdit(action: .unsubscribe, url: url, stream: there?.stream), of: nil)
    default:
      let isFetched = there != nil && server.fetchesStories
      let feed = shared.merged.fetched(by: isFetched ? server.name : nil, besides: server.name)
      all.append(feed)
      if let edit = shared.edit {
        note(edit, of: feed)
        // A feed to be edited differs from its base until the edit is sent.
        bases[url] = there == nil ? nil : shared.base
      } else if let there {
        bases[url] = ServerFeed(feed, there)
      }
    }
  }

  private mutating func note(_ edit: ServerFeedEdit, of feed: Subscription?) {
    let refusal = state.refusals[.feed(edit.url)]
    let isHeld =
      refusal?.wish == Self.wish(edit.action, feed) && refusal?.isWaiting(at: now) == true
    if isHeld { held.append(edit) } else { edits.append(edit) }
  }

  static func wish(_ action: ServerFeedEdit.Action, _ feed: Subscription?) -> UInt64 {
    let facts = action == .edit ? [feed?.title ?? ""] + (feed?.tags ?? []).sorted() : []
    // Property lists hold signed numbers, hence 63 bits.
    return SHA256.prefix(joining: [action.rawValue] + facts) >> 1
  }
}

private struct SharedFeed {
  let feed: Subscription
  let isHere: Bool
  let there: ServerReading.Feed?
  let base: ServerFeed?
  let isFollowed: ServerValue

  init(
    _ feed: Subscription,
    isHere: Bool,
    _ there: ServerReading.Feed?,
    _ base: ServerFeed?,
  ) {
    (self.feed, self.isHere, self.there, self.base) = (feed, isHere, there, base)
    let side = ServerValue.Side(base: base.map { _ in .yes }, there: there == nil ? .none : .yes)
    isFollowed = ServerValue(isHere ? .yes : SyncValue.none, [side])
  }

  var url: String { feed.sharedURL }

  var merged: Subscription {
    var feed = feed
    (feed.title, feed.tags) = (title.merged.text, tags.merged.texts ?? [])
    return feed
  }

  var edit: ServerFeedEdit? {
    var edit = ServerFeedEdit(
      action: there == nil ? .subscribe : .edit,
      url: url,
      stream: there?.stream,
    )
    let (title, tags) = (title, tags)
    if title.sides[0].there != title.merged {
      let name = title.merged.text ?? feed.state.title ?? there?.title ?? ""
      if !(there.map { ServerTitle.isSame(name, $0.title) } ?? false) { edit.title = name }
    }
    if tags.sides[0].there != tags.merged {
      let (new, old) = (tags.merged.texts ?? [], there?.tags ?? [])
      edit.added = new.filter { !old.contains($0) }
      edit.removed = old.filter { !new.contains($0) }
    }
    let isEmpty = edit.title == nil && edit.added.isEmpty && edit.removed.isEmpty
    return isEmpty && there != nil ? nil : edit
  }

  /// The agreed value of a feed that both still follow.
  private var agreed: ServerFeed? { there == nil ? nil : base }

  private var title: ServerValue {
    ServerValue(
      SyncValue(text: feed.title),
      [ServerValue.Side(base: agreed.map { SyncValue(text: $0.title) }, there: titleThere)],
    )
  }

  /// The server's title as the home would have it: none if it is the feed's own title.
  private var titleThere: SyncValue {
    guard let there else { return .none }
    let isOpen = agreed?.isTitleOpen ?? true
    if let agreed, ServerTitle.isSame(there.title, agreed.serverTitle), !isOpen || feed.isTitleOpen
    {
      return SyncValue(text: agreed.title)
    }
    let isOwn = feed.state.title.map { ServerTitle.isSame($0, there.title) } ?? isOpen
    let isUnknown = agreed == nil && feed.isTitleOpen
    return isOwn || isUnknown ? .none : .text(ServerTitle.folded(there.title))
  }

  private var tags: ServerValue {
    let all = feed.tags + (there?.tags ?? []) + (agreed?.tags ?? [])
    let ordered = all.distinct(by: \.self)
    let value = { (tags: Set<String>) in SyncValue(texts: ordered.filter(tags.contains)) }
    return ServerValue(
      value(Set(feed.tags)),
      [ServerValue.Side(base: agreed.map { value(Set($0.tags)) }, there: value(tagsThere))],
    )
  }

  /// The server's folders as the home would have them, with those that the server could not take.
  private var tagsThere: Set<String> {
    let there = Set(there?.tags ?? [])
    if let agreed {
      let old = Set(agreed.serverTags)
      return Set(agreed.tags).subtracting(old.subtracting(there)).union(there.subtracting(old))
    }
    return there.isEmpty ? there : there.union(feed.tags)
  }
}

extension ServerFeed {
  init(_ feed: Subscription, _ there: ServerReading.Feed) {
    self.init(
      stream: there.stream,
      title: feed.title,
      tags: feed.tags,
      serverTitle: there.title,
      serverTags: there.tags,
    )
    isTitleOpen = feed.isTitleOpen && feed.title == nil
  }
}

extension Subscription {
  /// Tells whether the feed was never fetched: its own title is not known.
  fileprivate var isTitleOpen: Bool { state.lastSucceeded == nil }
}

extension SyncServer {
  /// True if the server may know of the feed and can fetch it: the feed needs no secret, no way
  /// of its own and no filter, and is public unless the server is local too.
  fileprivate func mayFollow(_ feed: Subscription) -> Bool {
    guard SyncKey.isFeed(feed.url), feed.passwordCommand == nil, feed.headers.isEmpty,
      feed.filter == nil, feed.route.isEmpty
    else { return false }
    let isPrivate = WebURL.host(of: feed.url).map(LocalHost.contains) ?? true
    return !isPrivate || (WebURL.host(of: url).map(LocalHost.contains) ?? false)
  }
}

extension Subscription {
  /// The feed as fetched by a server; nil ends the fetching by the server `other` alone.
  fileprivate func fetched(by server: String?, besides other: String?) -> Subscription {
    guard server != nil || state.server == other else { return self }
    var feed = self
    feed.state.server = server
    return feed
  }
}
