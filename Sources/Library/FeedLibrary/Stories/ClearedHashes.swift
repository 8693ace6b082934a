package import FeedModel
package import FeedStorage

/// Hashes by which a feed remembers cleared stories that it still carries.
///
/// A hash does not contain the feed's URL, so it survives a move of the feed. A link counts only
/// with the title, or if it is surely the story's own: a link that all stories of a feed have in
/// turn must hide none of them.
package struct ClearedHashes {
  /// The most hashes that a clearing leaves in a feed, those of the newest stories.
  package static let most = 75_000
  /// The most hashes kept of stories that the feed no longer carries, the latest ones.
  package static let mostUncarried = 7500

  package enum Recognition: Hashable {
    case cleared
    /// The story shares nothing but the link with a cleared one.
    case clearedIfLinkIsOwn
    /// The story has the guid of a cleared one, but is another (`ItemID.isOther`).
    case other
    case unknown
  }

  package let all: Set<UInt64>

  package init(_ hashes: some Sequence<UInt64>) {
    all = Set(hashes)
  }

  package func recognition(of item: Item, key: ItemKey) -> Recognition {
    if all.contains(Self.hash(of: item, key: key)) { return .cleared }
    if case .guid = key, all.contains(Self.hash(ofReusable: key)) {
      guard let others = Self.othersHashes(of: item, key) else { return .cleared }
      return others.contains(where: all.contains) ? .cleared : .other
    }
    let link = ItemID.linkKey(item.link).map { ItemID.number(feed: "", key: $0) }
    return link.map(all.contains) == true ? .clearedIfLinkIsOwn : .unknown
  }

  package static func hashes(of item: Item) -> [UInt64] {
    guard let guid = ItemID.guidKey(item.guid), let link = ItemID.linkKey(item.link),
      let others = othersHashes(of: item, guid)
    else { return formerHashes(of: item) }
    return Set([hash(ofReusable: guid), hash(of: item, key: link)] + others).sorted()
  }

  /// The hashes of a story with those that earlier versions made, which hold whatever of it is
  /// edited.
  package static func hashesEver(of item: Item) -> Set<UInt64> {
    Set(hashes(of: item) + formerHashes(of: item))
  }

  static func formerHashes(of item: Item) -> [UInt64] {
    let guid = ItemID.guidKey(item.guid)
    var keys = [guid, ItemID.linkKey(item.link)].compactMap { $0 }
    if guid == nil {
      let titles = IdentityKeys(of: item)
      keys += [titles.title, titles.titleAlone]
    }
    return Set(keys.map { hash(of: item, key: $0) }).sorted()
  }

  private static func hash(ofReusable guid: ItemKey) -> UInt64 {
    ItemID.number(feed: "guid", key: guid)
  }

  /// The hashes of link, title and date, which tell a story from another with its guid; nil if one
  /// of them is missing, since such a story is never another (`ItemID.isOther`).
  private static func othersHashes(of item: Item, _ guid: ItemKey) -> [UInt64]? {
    let title = ItemID.identityTitle(of: item)
    guard let link = ItemID.linkKey(item.link), !title.isEmpty, !item.pubDate.isEmpty else {
      return nil
    }
    return [
      ItemID.number(feed: "", key: link),
      ItemID.number(feed: "title \(title)", key: guid),
      ItemID.number(feed: "date \(item.pubDate)", key: guid),
    ]
  }

  static func hash(of item: Item, key: ItemKey) -> UInt64 {
    switch key {
    case .link(let link):
      ItemID.number(feed: link, key: .titleAndDate(title: item.title, pubDate: ""))
    case .guid, .titleAndDate: ItemID.number(feed: "", key: key)
    }
  }
}

extension FeedState {
  package mutating func remember(cleared hashes: [UInt64]) {
    cleared = Array((cleared + hashes.reversed()).suffix(ClearedHashes.most))
  }

  mutating func forget(cleared hashes: Set<UInt64>) {
    if !cleared.isEmpty { cleared.removeAll(where: hashes.contains) }
  }
}

extension Subscription {
  /// Returns the subscription without these hashes, whose stories come back with its next document.
  package func forgetting(cleared hashes: Set<UInt64>) -> Subscription {
    guard !hashes.isEmpty, state.cleared.contains(where: hashes.contains) else { return self }
    var copy = forgettingDocument()
    copy.state.forget(cleared: hashes)
    return copy
  }
}

extension ItemReader {
  package func clearedHashes() throws -> Set<UInt64> {
    ClearedHashes.hashesEver(of: try identity())
  }
}

/// Hashes that feeds must remember or forget.
///
/// They are taken from the newest stories on, until a feed has `ClearedHashes.most` to remember, or
/// twice as many to forget.
struct ClearedHashUpdates {
  private let feeds: Set<String>?
  private var hashes: [String: [UInt64]] = [:]

  init(feeds: Set<String>? = nil) {
    self.feeds = feeds
  }

  func hashes(of feed: String) -> [UInt64] {
    hashes[feed] ?? []
  }

  mutating func note(_ reader: borrowing ItemReader, feeds: [String]) throws {
    let most = self.feeds == nil ? ClearedHashes.most : 2 * ClearedHashes.most
    let open = feeds.filter {
      self.feeds?.contains($0) != false && hashes[$0, default: []].count < most
    }
    guard !open.isEmpty else { return }
    // PERF: a million stories may be cleared at once; to read only what counts is a third of the work.
    let item = try reader.identity()
    let new =
      self.feeds == nil ? ClearedHashes.hashes(of: item) : Array(ClearedHashes.hashesEver(of: item))
    for feed in open { hashes[feed, default: []] += new }
  }
}
