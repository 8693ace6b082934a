import FeedModel
import FeedStorage

/// What a delivered story is to the store.
enum Recognition: Hashable, Sendable {
  /// The stored story at this position, the same to the byte.
  case unchanged(Int)
  /// The stored story at this position; without a rule it has its key.
  case known(Int, by: StoryMatch.Rule?)
  case new

  var position: Int? {
    switch self {
    case .unchanged(let position), .known(let position, _): position
    case .new: nil
    }
  }
}

/// The first step of a merge: which of its feed's stored stories the stories of a delivery are.
///
/// Each stored story is recognised at most once. First by identity, exactly; then, for stories
/// that other feeds brought, by what identifies a story everywhere; then as churn: what vanished
/// from the document and what is new in it pair one to one when they agree.
struct StoryRecognition {
  /// A story that is stored of the feed.
  struct Candidate {
    let position: Int
    /// nil where another program gave it.
    let id: UInt64?
    /// Whether the feed brought it, or was left it by the one that did.
    let isOwn: Bool
    let keys: IdentityKeys

    init(_ story: StoredItem, at position: Int, of feed: String) {
      self.position = position
      id = ItemID.number(of: story.id.utf8)
      isOwn = story.feeds.first == feed
      keys = IdentityKeys(of: story.item)
    }

    /// Whether the feed brought this story, and has not renamed it since.
    ///
    /// Others came from a feed that has left it to this one: their guids are not this feed's.
    func isNative(to feed: String) -> Bool {
      isOwn && keys.all.contains { ItemID.number(feed: feed, key: $0) == id }
    }
  }

  /// A story of the delivery that was not recognised by its id.
  private struct Delivered {
    let index: Int
    /// By its document.
    let key: ItemKey
    let keys: IdentityKeys
  }

  private var recognised: [Recognition]
  private var claimed: Set<Int>
  private let delivery: FeedDelivery
  private var delivered: [Delivered] = []
  private let candidates: [Candidate]
  /// Of the document; not known before stories are to be paired.
  private var links = UniqueIndex<ItemKey>([])
  private var titles = UniqueIndex<TitleAndInstant>([])

  /// What each story of the delivery is; `known` is what its id has told of it.
  ///
  /// The candidates are all stored stories of the feed that share a guid, link or title with a new
  /// one.
  static func recognise(
    _ delivery: FeedDelivery,
    known: [Recognition],
    among candidates: [Candidate],
  ) throws(StorageError) -> [Recognition] {
    var recognition = try StoryRecognition(delivery, known, candidates)
    recognition.matchByKey()
    recognition.matchByID()
    try recognition.matchStoriesOfOtherFeeds()
    try recognition.pairRenamed()
    return recognition.recognised
  }

  private init(
    _ delivery: FeedDelivery,
    _ known: [Recognition],
    _ candidates: [Candidate],
  ) throws(StorageError) {
    self.delivery = delivery
    self.candidates = candidates
    recognised = known
    claimed = Set(known.compactMap(\.position))
    for story in known.indices where known[story] == .new {
      let item = try delivery.item(story)
      let key = delivery.key(of: story, item)
      delivered.append(Delivered(index: story, key: key, keys: IdentityKeys(of: item)))
    }
  }

  private var open: [Delivered] {
    delivered.filter { recognised[$0.index] == .new }
  }

  private mutating func claim(
    _ candidate: Candidate,
    for story: Delivered,
    by rule: StoryMatch.Rule?,
  ) {
    guard claimed.insert(candidate.position).inserted else { return }
    recognised[story.index] = .known(candidate.position, by: rule)
  }

  private func isFree(_ candidate: Candidate) -> Bool {
    !claimed.contains(candidate.position)
  }

  // MARK: Identity

  private mutating func matchByKey() {
    var indices: [ItemKey: [Int]] = [:]
    for (index, candidate) in candidates.enumerated() {
      for key in candidate.keys.all { indices[key, default: []].append(index) }
    }
    for story in open {
      let same = (indices[story.key] ?? []).map { candidates[$0] }.filter(isFree)
      if let found = choice(of: same, for: story) { claim(found, for: story, by: nil) }
    }
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
    let indices = UniqueIndex(candidates.map(\.id))
    for story in open {
      guard let index = indices[delivery.ids[story.index]] else { continue }
      claim(candidates[index], for: story, by: .id)
    }
  }

  // MARK: Stories that other feeds brought

  private mutating func matchStoriesOfOtherFeeds() throws(StorageError) {
    let wanted = Set(open.compactMap { delivery.storyKey($0.index) })
    var foreign: [Int: Int] = [:]
    for (index, candidate) in candidates.enumerated() where isFree(candidate) {
      let keys = candidate.keys.storyKeys.map(\.hashValue).filter {
        wanted.contains($0) && foreign[$0] == nil
      }
      guard !keys.isEmpty, !candidate.isNative(to: delivery.feed) else { continue }
      for key in keys { foreign[key] = index }
    }
    for story in open {
      guard let index = delivery.storyKey(story.index).flatMap({ foreign[$0] }) else { continue }
      claim(candidates[index], for: story, by: try delivery.storyRule(of: story.index))
    }
  }

  // MARK: Churn

  /// The least number of stories that pair by link alone: fewer may as well be new stories that
  /// link to the same page, as those of a web comic do to its front page.
  private static let leastPairsByLink = 3

  private mutating func pairRenamed() throws(StorageError) {
    let hasRenamedAll = recognised.allSatisfy { $0 == .new }
    // What another program hands over may lack the guids that the feed has.
    guard hasRenamedAll || delivery.isComplete || !delivery.imported.isEmpty else { return }
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
    guard byLink + recognised.count(where: { $0 != .new }) >= Self.leastPairsByLink else { return }
    pair(by: storedLinks, where: { _, _ in true })
  }

  private mutating func findUnique() throws(StorageError) {
    var links: [ItemKey?] = []
    var titles: [TitleAndInstant?] = []
    for story in recognised.indices {
      let item = try delivery.item(story)
      links.append(ItemID.linkKey(item.link))
      titles.append(TitleAndInstant(of: item))
    }
    self.links = UniqueIndex(links)
    self.titles = UniqueIndex(titles)
  }

  private func linkPartner(of story: Delivered, in stored: UniqueIndex<ItemKey>) -> Candidate? {
    guard let link = story.keys.link, links[link] == story.index, let index = stored[link] else {
      return nil
    }
    return isFree(candidates[index]) ? candidates[index] : nil
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

  private mutating func pairByTitle(_ stored: UniqueIndex<TitleAndInstant>, withoutDate: Bool) {
    for story in open {
      guard let title = story.keys.titleAndInstant, titles[title] == story.index,
        title.date != nil || withoutDate, let index = stored[title]
      else { continue }
      claim(candidates[index], for: story, by: .titleAndDate)
    }
  }
}

/// Finds the one element that has a key; a key that several have finds none.
struct UniqueIndex<Key: Hashable> {
  /// nil for a key that several have.
  private var indices: [Key: Int?] = [:]

  init(_ keys: some Sequence<Key?>) {
    for (index, key) in keys.enumerated() {
      guard let key else { continue }
      indices.updateValue(indices[key] == nil ? index : nil, forKey: key)
    }
  }

  subscript(key: Key?) -> Int? {
    key.flatMap { indices[$0] ?? nil }
  }
}
