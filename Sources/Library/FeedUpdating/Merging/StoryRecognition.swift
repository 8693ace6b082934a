import FeedLibrary
import FeedModel

enum Recognition: Hashable, Sendable {
  /// The stored story at this position, equal to the byte.
  case unchanged(Int)
  /// The stored story at this position, matched by a rule, or by its key if nil.
  case known(Int, by: StoryMatch.Rule?)
  case new

  var position: Int? {
    switch self {
    case .unchanged(let position), .known(let position, _): position
    case .new: nil
    }
  }
}

/// The first step of a merge: finds delivered stories among those stored of their feed.
///
/// Each stored story is recognised at most once: first exactly, by identity; then, if another feed
/// brought it, by what identifies a story everywhere. Then stories that vanished from the document
/// and new ones pair one to one if they agree, or if the feed's links are surely its stories' own.
struct StoryRecognition {
  struct Candidate {
    let position: Int
    /// The id, or nil if another program gave it.
    let id: UInt64?
    /// True if the feed brought it, or was left it by the feed that did.
    let isOwn: Bool
    let keys: IdentityKeys
    fileprivate let item: Item

    init(_ story: StoredItem, at position: Int, of feed: String) {
      self.position = position
      item = story.item
      id = ItemID.number(of: story.id.utf8)
      isOwn = story.feeds.first == feed
      keys = IdentityKeys(of: story.item)
    }

    /// Returns true if the feed brought this story and has not renamed it since.
    ///
    /// Other stories came from a feed that has left them, so their guids are not this feed's.
    func isNative(to feed: String) -> Bool {
      isOwn && keys.all.contains { ItemID.number(feed: feed, key: $0) == id }
    }

    /// Returns true if the feed brought it, but the story that has its guid now is another.
    fileprivate func hasGUID(ofOther story: Delivered) -> Bool {
      guard isOwn, !story.isImported, case .guid = story.key else { return false }
      return ItemID.isOther(story.item, underGUIDOf: item)
    }
  }

  fileprivate struct Delivered {
    let index: Int
    let key: ItemKey
    let keys: IdentityKeys
    let item: Item
    let isImported: Bool
  }

  private var recognised: [Recognition]
  private var claimed: Set<Int>
  private let delivery: FeedDelivery
  private var delivered: [Delivered] = []
  private let candidates: [Candidate]
  private var links = UniqueIndex<ItemKey>([])
  private var titles = UniqueIndex<TitleAndInstant>([])

  /// Recognises the stories of a delivery; `known` is what their ids have told.
  ///
  /// `candidates` are all stored stories of the feed that share a guid, link or title with a new
  /// one.
  static func recognise(
    _ delivery: FeedDelivery,
    known: [Recognition],
    among candidates: [Candidate],
  ) throws -> [Recognition] {
    var recognition = try StoryRecognition(delivery, known, candidates)
    recognition.matchByKey()
    recognition.matchByID()
    try recognition.matchStoriesOfOtherFeeds()
    try recognition.pairRenamed()
    return recognition.recognised
  }

  private init(_ delivery: FeedDelivery, _ known: [Recognition], _ candidates: [Candidate]) throws {
    self.delivery = delivery
    self.candidates = candidates
    recognised = known
    claimed = Set(known.compactMap(\.position))
    for story in known.indices where known[story] == .new {
      let item = try delivery.item(story)
      let key = delivery.key(of: story, item)
      delivered.append(
        Delivered(
          index: story,
          key: key,
          keys: IdentityKeys(of: item),
          item: item,
          isImported: delivery.imported(story)?.id != nil,
        )
      )
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

  /// Chooses among stored stories with the document's key.
  ///
  /// A guid or link that a feed once used for several stories does not decide alone.
  private func choice(of same: [Candidate], for story: Delivered) -> Candidate? {
    let keys = story.keys
    switch story.key {
    case .guid:
      let likely = same.filter { !$0.hasGUID(ofOther: story) }
      return likely.count == 1 ? likely.first : likely.first { $0.keys.link == keys.link }
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

  /// Matches stories by ids, which were made from the keys; the stored ones may have been renamed
  /// since.
  private mutating func matchByID() {
    let indices = UniqueIndex(candidates.map(\.id))
    for story in open {
      guard let index = indices[delivery.ids[story.index]],
        !candidates[index].hasGUID(ofOther: story)
      else { continue }
      claim(candidates[index], for: story, by: .id)
    }
  }

  // MARK: Stories that other feeds brought

  private mutating func matchStoriesOfOtherFeeds() throws {
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

  /// The least number of stories that pair by link alone, counting known ones with links of their
  /// own.
  ///
  /// Fewer may as well be new stories that link to one page, as those of a web comic do.
  static let leastByLink = 3

  private mutating func pairRenamed() throws {
    let hasRenamedAll = recognised.allSatisfy { $0 == .new }
    // Another program's stories may lack the guids of the feed.
    guard hasRenamedAll || delivery.isComplete || !delivery.imported.isEmpty else { return }
    let storedLinks = UniqueIndex(candidates.map { $0.keys.link })
    let storedTitles = UniqueIndex(candidates.map { $0.keys.titleAndInstant })
    let mayPair = open.contains { story in
      storedLinks[story.keys.link] != nil || storedTitles[story.keys.titleAndInstant] != nil
    }
    guard mayPair else { return }
    try findUnique()
    pair(by: storedLinks) { $0.keys.agrees(with: $1.keys) }
    pairByTitle(storedTitles, withoutDate: hasRenamedAll)
    guard hasRenamedAll || delivery.isComplete && delivery.imported.isEmpty else { return }
    let known =
      hasRenamedAll
      ? recognised.count { $0 != .new } : links.indices.count { recognised[$0] != .new }
    pairEdited(storedLinks, known: known)
  }

  /// Pairs stories whose guid, title and date the feed has changed at once, so that only the link
  /// is left.
  private mutating func pairEdited(_ stored: UniqueIndex<ItemKey>, known: Int) {
    let byLink = open.count { linkPartner(of: $0, in: stored) != nil }
    let areOwn = byLink + known >= Self.leastByLink
    pair(by: stored) { story, partner in
      let counted = ItemID.countedGUID(story.item.guid)
      let isCounted = counted != nil && counted == ItemID.countedGUID(partner.item.guid)
      return isCounted || areOwn && ItemID.canonicalPageURL(story.item.link) != nil
    }
  }

  private mutating func findUnique() throws {
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
    where isSame: (Delivered, Candidate) -> Bool,
  ) {
    for story in open {
      guard let partner = linkPartner(of: story, in: storedLinks) else { continue }
      if isSame(story, partner) { claim(partner, for: story, by: .link) }
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
