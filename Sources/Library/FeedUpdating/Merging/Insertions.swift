import FeedLibrary
package import FeedModel
package import FeedStorage
import System

/// The stories that a merge adds, made one at a time.
package struct Insertions: Sendable {
  var deliveries: [FeedDelivery] = []
  /// The insertions; their order in the data file follows from their placements.
  var all: [Insertion] = []
  private var effects: [Int: StoryEffect] = [:]
  let now: Date

  init(now: Date) {
    self.now = now
  }

  package var count: Int { all.count }

  package func feeds(of number: Int) -> [String] {
    all[number].feeds
  }

  package var deliveredCount: Int { deliveries.reduce(0) { $0 + $1.ids.count } }

  package var tags: Set<String> { Set(effects.values.flatMap(\.tags)) }

  package func marks(of number: Int) -> ItemMarks {
    [.read: isRead(number), .starred: effects[number]?.flags[.starred] ?? false]
  }

  /// The marks that rules or imports gave, by number; empty ones came with tags or texts alone.
  package var ruledMarks: [Int: ItemMarks] {
    effects.compactMapValues { effect in
      var marks = ItemMarks(from: StoryFlags(), to: effect.flags)
      if effect.arrivesRead { marks[.read] = true }
      let isMarked = marks != ItemMarks() || !effect.tags.isEmpty || !effect.texts.isEmpty
      return isMarked ? marks : nil
    }
  }

  package var ids: ItemIDs {
    var ids = ItemIDs()
    for insertion in all { ids.insert(insertion.id) }
    return ids
  }

  func item(_ number: Int) throws -> Item {
    try deliveries[Int(all[number].delivery)].item(Int(all[number].story))
  }

  package func story(_ number: Int) throws -> StoredItem {
    let insertion = all[number]
    let id = insertion.id.hexadecimal
    var story = StoredItem(id: id, item: try item(number), feeds: insertion.feeds, stored: now)
    let delivery = deliveries[Int(insertion.delivery)]
    if let imported = delivery.imported(Int(insertion.story))?.original {
      story.stored = min(imported.stored ?? now, now)
      if story.stored != now { story.arrived = now }
      (story.article, story.file) = (imported.article, imported.file)
      (story.matches, story.changes) = (imported.matches, imported.changes)
    }
    story.isRead = insertion.isRead
    story.note(insertion.matches)
    if let effect = effects[number] { story.take(effect) }
    return story
  }

  mutating func begin(_ effect: StoryEffect?, of number: Int) {
    if let effect { effects[number] = effect }
  }

  /// Adds the effect in another feed that brought the story, too.
  ///
  /// A story arrives read only if all its feeds say so.
  mutating func add(_ effect: StoryEffect?, of number: Int) {
    guard effect != nil || effects[number] != nil else { return }
    effects[number, default: StoryEffect()].add(effect ?? StoryEffect())
  }

  /// Puts the last insertion in the place of another, whose effect it returns.
  mutating func replaceByLast(_ number: Int) -> StoryEffect? {
    all[number] = all.removeLast()
    let old = effects[number]
    effects[number] = effects.removeValue(forKey: all.count)
    return old
  }

  /// Adds the feeds of the story in whose place an insertion stands, and the effect in them.
  mutating func inherit(
    from old: StoredItem,
    _ effect: StoryEffect?,
    to number: Int,
    by rule: StoryMatch.Rule,
  ) {
    add(effect, of: number)
    all[number].feeds += old.feeds
    all[number].matches = old.matches
    guard let first = old.feeds.first else { return }
    all[number].matches.append(StoryMatch(feed: first, rule: rule, date: now))
  }

  func isRead(_ number: Int) -> Bool {
    all[number].isRead || effects[number]?.comesRead == true
  }
}

struct Insertion: Hashable, Sendable {
  /// The delivery that brings the story, and its index in that.
  let delivery: Int32
  let story: Int32
  let id: UInt64
  var feeds: [String]
  /// True for an older story, and for one that retention evicted once: neither comes as unread.
  let isRead: Bool
  var matches: [StoryMatch] = []
  let placement: Placement
}

package struct NewItems: Sendable {
  private var saves: [Insertions] = []
  private var entries: [(save: Int32, number: Int32)] = []

  package init() {}

  init(_ numbers: [Int], of insertions: Insertions) {
    saves = [insertions]
    entries = numbers.map { (save: 0, number: Int32($0)) }
    sort()
  }

  mutating func add(_ later: NewItems) {
    guard !later.isEmpty else { return }
    entries += later.entries.map { (save: $0.save + Int32(saves.count), number: $0.number) }
    saves += later.saves
    sort()
  }

  private mutating func sort() {
    let saves = saves
    entries.sort { first, second in
      let one = saves[Int(first.save)].all[Int(first.number)].placement
      let other = saves[Int(second.save)].all[Int(second.number)].placement
      // Places can be compared only within one save.
      guard first.save != second.save, one.instant == other.instant else {
        return one.precedes(other)
      }
      return first.save < second.save
    }
  }

  package var unread: NewItems {
    let saves = saves
    var rest = self
    rest.entries.removeAll { saves[Int($0.save)].isRead(Int($0.number)) }
    return rest
  }

  package func of(othersThan feeds: Set<String>) -> NewItems {
    let saves = saves
    var rest = self
    rest.entries.removeAll {
      saves[Int($0.save)].feeds(of: Int($0.number)).allSatisfy(feeds.contains)
    }
    return rest
  }

  /// Returns the stories on which one of these rules has acted.
  package func matched(by rules: Set<String>) throws -> NewItems {
    var rest = self
    rest.entries = []
    for (index, entry) in entries.enumerated() {
      let story = try item(at: index)
      if story.rules.contains(where: rules.contains) { rest.entries.append(entry) }
    }
    return rest
  }

  package var count: Int { entries.count }
  package var isEmpty: Bool { entries.isEmpty }
  package var indices: Range<Int> { entries.indices }

  package func feeds(of index: Int) -> [String] {
    saves[Int(entries[index].save)].feeds(of: Int(entries[index].number))
  }

  package func item(at index: Int) throws -> StoredItem {
    try saves[Int(entries[index].save)].story(Int(entries[index].number))
  }
}
