internal import FeedModel
internal import FeedStorage
internal import System

/// The stored stories by which a server's stories are found: by feed and link, or by title and date
/// if the link is missing or shared.
struct ServerStories {
  private(set) var ids: [UInt64] = []
  private var indices: [UInt64: Int] = [:]
  /// Indices by hash; `several` for a hash of more than one story.
  private var places: [UInt64: Int] = [:]
  private static let several = -1

  init(_ items: ItemTable, _ subscriptions: [Subscription]) throws {
    var aliases: [String: [String]] = [:]
    for feed in subscriptions { aliases[feed.url] = feed.aliases }
    let names = { (story: inout ItemReader) in
      try story.feedURLs().flatMap { aliases[$0] ?? [Subscription.alias($0)] }
    }
    ids.reserveCapacity(items.count)
    places.reserveCapacity(items.count)
    indices.reserveCapacity(items.count)
    var ambiguous: Set<Int> = []
    try items.forEachStory(at: 0..<items.count) { index, story in
      let id = try story.number()
      ids.append(id)
      indices[id] = index
      let link = ItemID.canonicalPageURL(try story.string(.link) ?? "")
      guard let link else {
        ambiguous.insert(index)
        return
      }
      for alias in try names(&story) {
        let other = note(index, by: Self.key(alias, link: link))
        if let other { ambiguous.formUnion([index, other]) }
      }
    }
    try items.forEachStory(at: ambiguous.subtracting([Self.several]).sorted()) { index, story in
      let date = try story.date(.date)?.timeIntervalSince1970
      guard let date, let title = try story.string(.title) else { return }
      for alias in try names(&story) {
        _ = note(index, by: Self.key(alias, title: title, date: Int(date.rounded(.down))))
      }
    }
  }

  private mutating func note(_ index: Int, by key: UInt64) -> Int? {
    guard let other = places.updateValue(index, forKey: key), other != index else { return nil }
    places[key] = Self.several
    return other
  }

  /// The index of the stored story, or nil if there is none or more than one.
  func index(of item: ServerItem) -> Int? {
    if item.story != 0, let index = indices[item.story] { return index }
    return [item.link, item.title].lazy.compactMap { places[$0] }.first { $0 != Self.several }
  }

  static func key(_ feed: String, link: String) -> UInt64 {
    SHA256.prefix(joining: [feed, "link", link])
  }

  /// A hash of the folded title, since FreshRSS replaces characters of markup with full-width ones.
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

  /// The title with FreshRSS's replacement characters turned back, for comparisons.
  static func folded(_ title: String) -> String {
    let line = SafeText.line(title)
    // PERF: nearly all titles are ASCII, which has none of these characters.
    return line.utf8.allSatisfy { $0 < 0x80 } ? line : String(line.map { replaced[$0] ?? $0 })
  }
}

extension Subscription {
  /// The feed's present, former and listed URLs in canonical form.
  var aliases: [String] {
    let all = [url] + state.formerURLs + [listedURL].compactMap(\.self)
    return all.map(Self.alias).distinct(by: \.self)
  }

  static func alias(_ url: String) -> String { WebURL.canonical(WebURL.withoutAccount(url)) }
}
