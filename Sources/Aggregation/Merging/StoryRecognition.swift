import FeedModel
import FeedStorage

/// The first step of a merge: recognises the stories of one delivery among those that its feed has stored.
///
/// Each stored story is recognised at most once. First by identity, exactly; then, for stories
/// that other feeds brought, by what identifies a story everywhere; then as churn: what vanished
/// from the document and what is new in it pair one to one when they agree.
struct StoryRecognition {
  struct Candidate {
    let position: Int
    /// nil where another program gave it.
    let id: UInt64?
    let keys: IdentityKeys
    /// Its id as it is stored, where this feed brought it.
    let ownID: String?

    /// Whether the feed brought this story, and it has not been renamed since.
    ///
    /// Others came from a feed that has left it to this one: their guids are not this feed's.
    func isNative(to feed: String) -> Bool {
      guard let ownID else { return false }
      return keys.all.contains { ItemID.id(feed: feed, key: $0) == ownID }
    }
  }

  /// A story of the delivery that was not known before.
  private struct Delivered {
    let place: Int
    /// By its document.
    let key: ItemKey
    let keys: IdentityKeys
  }

  /// For each story of the delivery, the position in the table of the story that it is.
  private(set) var positions: [Int?]
  /// By what the stories were recognised that were not by their key.
  private(set) var rules: [Int: StoryMatch.Rule] = [:]
  private var claimed: Set<Int>
  private let delivery: FeedDelivery
  private var delivered: [Delivered] = []
  private let candidates: [Candidate]
  /// What no other story of the document has; not known before stories are to be paired.
  private var links = UniqueIndex<ItemKey>([])
  private var titles = UniqueIndex<TitleAndInstant>([])

  /// The candidates are all stories of the feed that share a guid, link or title with an open one.
  init(
    _ delivery: FeedDelivery,
    positions: [Int?],
    candidates: [Candidate],
  ) throws(StorageError) {
    self.delivery = delivery
    self.positions = positions
    self.candidates = candidates
    claimed = Set(positions.compactMap { $0 })
    for story in delivery.stories.indices where positions[story] == nil {
      let item = try delivery.item(story)
      let key = delivery.key(of: story, item)
      delivered.append(Delivered(place: story, key: key, keys: IdentityKeys(of: item)))
    }
  }

  mutating func run() throws(StorageError) {
    matchExactly()
    matchByID()
    try matchStoriesOfOtherFeeds()
    try pairRenamed()
  }

  private var open: [Delivered] {
    delivered.filter { positions[$0.place] == nil }
  }

  private mutating func claim(
    _ candidate: Candidate,
    for story: Delivered,
    by rule: StoryMatch.Rule? = nil,
  ) {
    guard claimed.insert(candidate.position).inserted else { return }
    positions[story.place] = candidate.position
    rules[story.place] = rule
  }

  private func isFree(_ candidate: Candidate) -> Bool {
    !claimed.contains(candidate.position)
  }

  // MARK: Identity

  private mutating func matchExactly() {
    let places = placesByKey()
    for story in open {
      let same = (places[story.key] ?? []).map { candidates[$0] }.filter(isFree)
      if let found = choice(of: same, for: story) { claim(found, for: story) }
    }
  }

  private func placesByKey() -> [ItemKey: [Int]] {
    var places: [ItemKey: [Int]] = [:]
    for (place, candidate) in candidates.enumerated() {
      for key in candidate.keys.all { places[key, default: []].append(place) }
    }
    return places
  }

  /// Which of several stored stories with the document's key it is.
  ///
  /// Where a feed has once used one guid or link for several stories, that does not decide alone.
  private func choice(of same: [Candidate], for story: Delivered) -> Candidate? {
    let keys = story.keys
    switch story.key {
    case .guid:
      return same.count == 1 ? same.first : same.first { $0.keys.link == keys.link }
    case .link:
      let likely = same.filter { $0.keys.guid == keys.guid }
      return likely.count == 1
        ? likely.first : likely.first { $0.keys.titleAlone == keys.titleAlone }
    case .titleAndDate:
      let likely = same.filter { $0.keys.guid == keys.guid && $0.keys.link == keys.link }
      return likely.first { $0.keys.title == keys.title }
        ?? (keys.link == nil ? nil : likely.first)
    }
  }

  /// The id was made from the key once; the stored story may have been renamed since.
  private mutating func matchByID() {
    let places = UniqueIndex(candidates.map(\.id))
    for story in open {
      guard let place = places[delivery.ids[story.place]] else { continue }
      claim(candidates[place], for: story, by: .id)
    }
  }

  private mutating func matchStoriesOfOtherFeeds() throws(StorageError) {
    let wanted = Set(open.compactMap { delivery.storyKey(of: $0.place) })
    var foreign: [StoryKeyHash: Int] = [:]
    for (place, candidate) in candidates.enumerated() where isFree(candidate) {
      let keys = candidate.keys.storyKeys.map(StoryKeyHash.init).filter {
        wanted.contains($0) && foreign[$0] == nil
      }
      guard !keys.isEmpty, !candidate.isNative(to: delivery.feed) else { continue }
      for key in keys { foreign[key] = place }
    }
    for story in open {
      guard let place = delivery.storyKey(of: story.place).flatMap({ foreign[$0] }) else {
        continue
      }
      claim(candidates[place], for: story, by: try delivery.storyRule(of: story.place))
    }
  }

  // MARK: Churn

  /// The least number of stories that pair by link alone: fewer may as well be new stories that
  /// link to the same page, as those of a web comic do to its front page.
  private static let leastPairsByLink = 3

  private mutating func pairRenamed() throws(StorageError) {
    let hasRenamedAll = positions.allSatisfy { $0 == nil }
    guard hasRenamedAll || delivery.isComplete else { return }
    let storedLinks = UniqueIndex(candidates.map { $0.keys.link })
    let storedTitles = UniqueIndex(candidates.map { $0.keys.titleAndInstant })
    let mayPair = open.contains { story in
      storedLinks[story.keys.link] != nil || storedTitles[story.keys.titleAndInstant] != nil
    }
    guard mayPair else { return }
    try findUnique()
    pair(by: storedLinks, where: { $0.agrees(with: $1) })
    pairByTitle(storedTitles, withoutDate: hasRenamedAll)
    guard hasRenamedAll else { return }
    let byLink = open.count { linkPartner(of: $0, in: storedLinks) != nil }
    guard byLink + positions.count(where: { $0 != nil }) >= Self.leastPairsByLink else { return }
    pair(by: storedLinks, where: { _, _ in true })
  }

  private mutating func findUnique() throws(StorageError) {
    var links: [ItemKey?] = []
    var titles: [TitleAndInstant?] = []
    for story in delivery.stories.indices {
      let item = try delivery.item(story)
      links.append(ItemID.linkKey(item.link))
      titles.append(TitleAndInstant(of: item))
    }
    self.links = UniqueIndex(links)
    self.titles = UniqueIndex(titles)
  }

  private func linkPartner(
    of story: Delivered,
    in storedLinks: UniqueIndex<ItemKey>,
  ) -> Candidate? {
    guard let link = story.keys.link, links[link] == story.place else { return nil }
    guard let place = storedLinks[link], isFree(candidates[place]) else { return nil }
    return candidates[place]
  }

  private mutating func pair(
    by storedLinks: UniqueIndex<ItemKey>,
    where agree: (IdentityKeys, IdentityKeys) -> Bool,
  ) {
    for story in open {
      guard let partner = linkPartner(of: story, in: storedLinks) else { continue }
      if agree(story.keys, partner.keys) { claim(partner, for: story, by: .link) }
    }
  }

  private mutating func pairByTitle(
    _ stored: UniqueIndex<TitleAndInstant>,
    withoutDate: Bool,
  ) {
    for story in open {
      guard let title = story.keys.titleAndInstant, titles[title] == story.place else { continue }
      guard title.date != nil || withoutDate, let place = stored[title] else { continue }
      claim(candidates[place], for: story, by: .titleAndDate)
    }
  }
}

/// Finds the one element that has a key; a key that several have finds none.
struct UniqueIndex<Key: Hashable> {
  private var places: [Key: Int] = [:]
  private static var ambiguous: Int { -1 }

  init(_ keys: some Sequence<Key?>) {
    for (place, key) in keys.enumerated() {
      guard let key else { continue }
      places[key] = places[key] == nil ? place : Self.ambiguous
    }
  }

  subscript(key: Key?) -> Int? {
    guard let key, let place = places[key], place != Self.ambiguous else { return nil }
    return place
  }
}
