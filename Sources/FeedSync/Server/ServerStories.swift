internal import FeedModel
internal import FeedStorage
internal import System

/// The stored stories, by what a server's stories are found again with: the feed and the link, and
/// where a link is of none or of several, the title and the date.
struct ServerStories {
  /// The numbers of their ids.
  private(set) var ids: [UInt64] = []
  private var indices: [UInt64: Int] = [:]
  private var links: [UInt64: Int] = [:]
  private var titles: [UInt64: Int] = [:]
  private static let several = -1

  init(_ items: ItemTable, _ subscriptions: [Subscription]) throws(StorageError) {
    guard var reader = ItemReader(items) else { return }
    var aliases: [String: [String]] = [:]
    for feed in subscriptions { aliases[feed.url] = feed.aliases }
    ids.reserveCapacity(items.count)
    links.reserveCapacity(items.count)
    indices.reserveCapacity(items.count)
    var ambiguous: Set<Int> = []
    for index in 0..<items.count {
      try reader.move(to: index)
      let id = try reader.number()
      ids.append(id)
      indices[id] = index
      let link = ItemID.canonicalPageURL(try reader.string(.link) ?? "")
      guard let link else {
        ambiguous.insert(index)
        continue
      }
      for feed in try reader.feedURLs() {
        for alias in aliases[feed] ?? [Subscription.alias(feed)] {
          guard let other = links.updateValue(index, forKey: Self.key(alias, link: link)),
            other != index
          else { continue }
          links[Self.key(alias, link: link)] = Self.several
          ambiguous.insert(index)
          if other != Self.several { ambiguous.insert(other) }
        }
      }
    }
    for index in ambiguous.sorted() {
      try reader.move(to: index)
      let date = try reader.date(.date)?.timeIntervalSince1970
      guard let date, let title = try reader.string(.title) else { continue }
      for feed in try reader.feedURLs() {
        for alias in aliases[feed] ?? [Subscription.alias(feed)] {
          let key = Self.key(alias, title: title, date: Int(date.rounded(.down)))
          titles[key] = titles[key] == nil || titles[key] == index ? index : Self.several
        }
      }
    }
  }

  func index(ofID id: UInt64) -> Int? { id == 0 ? nil : indices[id] }

  /// The index of the story that a server's story is; nil where there is none, or no telling which.
  func index(of item: ServerItem) -> Int? {
    if let index = index(ofID: item.story) { return index }
    if let index = links[item.link], index != Self.several { return index }
    return titles[item.title].flatMap { $0 == Self.several ? nil : $0 }
  }

  static func key(_ feed: String, link: String) -> UInt64 {
    SHA256.prefix(joining: [feed, "link", link])
  }

  /// FreshRSS writes what would be markup with letters of East Asian width.
  static func key(_ feed: String, title: String, date: Int) -> UInt64 {
    SHA256.prefix(joining: [feed, "title", ServerTitle.folded(title), "\(date)"])
  }
}

enum ServerTitle {
  private static let replaced: [Character: Character] = [
    "＆": "&", "＜": "<", "＞": ">", "’": "'", "＂": "\"", "＾": "^", "？": "?", "＼": "\\",
    "／": "/", "，": ",", "；": ";",
  ]

  static func isSame(_ one: String, _ other: String) -> Bool { folded(one) == folded(other) }

  /// The same for two titles of which one has been through FreshRSS, which replaces some characters.
  static func folded(_ title: String) -> String {
    let line = SafeText.line(title)
    // PERF: nearly all titles are ASCII, in which nothing is to be replaced.
    return line.utf8.allSatisfy { $0 < 0x80 } ? line : String(line.map { replaced[$0] ?? $0 })
  }
}

extension Subscription {
  /// What servers may call the feed.
  var aliases: [String] {
    var all = [Self.alias(url)]
    for other in state.formerURLs + [listedURL].compactMap(\.self) {
      let alias = Self.alias(other)
      if !all.contains(alias) { all.append(alias) }
    }
    return all
  }

  /// The same for all spellings of a feed's URL.
  static func alias(_ url: String) -> String { WebURL.canonical(WebURL.withoutAccount(url)) }
}
