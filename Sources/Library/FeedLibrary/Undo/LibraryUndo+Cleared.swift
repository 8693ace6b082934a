import FeedModel
import FeedStorage
import System

/// Returns cleared stories to those stored now.
///
/// A story that has come back by itself is not doubled: it is the one that was cleared again, with
/// the content, feeds and marks that it got since.
extension LibraryUndo {
  mutating func putBack(_ cleared: ItemTable) throws {
    guard var reader = ItemReader(cleared) else { return }
    order.changes.returning = ReturningStories(cleared)
    let back = try returnedStories(of: cleared)
    let anchors = try anchors()
    var (run, end) = (-1, 0)
    for position in 0..<cleared.count {
      while position >= end, run + 1 < step.runs.count {
        run += 1
        end += step.runs[run].count
      }
      guard chosen?.contains(position) ?? true else { continue }
      try reader.move(to: position)
      let own = try reader.feedURLs()
      var feeds = moved.feeds(own)
      // Stories that other machines have deleted since stay away, unless starred.
      if !step.origin.isForGood,
        try elsewhere?.isDeleted(&reader, since: step.origin.date) ?? false,
        try !reader.isStarred(), back[position] == nil
      {
        continue
      }
      try noted.note(reader, feeds: feeds)
      if let current = back[position] {
        order.changes.removed.insert(current)
        wereBack += 1
      } else {
        // A story of feeds that are no longer followed stays away, unless it is starred.
        if feeds.isEmpty, !own.isEmpty {
          guard try reader.isStarred() else { continue }
          feeds = own
        }
        returned += 1
      }
      let story = try story(position, &reader, feeds, was: own, over: back[position])
      let instant = try reader.instant(now: now)
      let anchor = run < 0 ? nil : step.runs[run].after.flatMap { anchors[$0] }
      let current = anchor?.instant == instant ? anchor?.current ?? -1 : -1
      order.place(
        story,
        at: Placement(instant: instant, anchor: Int32(current), sequence: Int32(position)),
      )
    }
  }

  /// The positions and instants of the stored stories after which the runs of cleared ones stood,
  /// by id.
  private func anchors() throws -> [String: (current: Int, instant: Double)] {
    var anchors: [String: (current: Int, instant: Double)] = [:]
    let moved = try library.items.positions(of: ItemIDs(step.runs.lazy.compactMap(\.after)))
    try library.items.forEachStory(at: moved) { current, story in
      anchors[try story.id()] = (current, try story.instant(now: now))
    }
    return anchors
  }

  /// A cleared story as it is to be stored; `current` is its position if it has come back.
  private func story(
    _ position: Int,
    _ reader: inout ItemReader,
    _ feeds: [String],
    was own: [String],
    over current: Int?,
  ) throws -> PlacedStory {
    var loss = try elsewhere?.loss(of: &reader, awaySince: step.origin.date) ?? ItemAdjustment()
    guard let current else {
      if feeds != own { loss.feeds = feeds }
      return .returned(position, loss)
    }
    let new = try library.items.item(at: current)
    var story = try reader.item()
    story.flags = loss.marks.applied(to: story.flags)
    story.tags = loss.tags ?? story.tags
    for mark in loss.texts.keys { story.typedTexts[mark] = nil }
    story.typedTexts.merge(new.typedTexts) { $1 }
    story.item = new.item
    if new.id != story.id, !new.textKeys.isEmpty {
      // The texts beside the data file lie under the id.
      (story.id, story.article) = (new.id, new.article)
    } else if new.article.isBeside {
      story.article = new.article
    }
    story.feeds = feeds + new.feeds.filter { !feeds.contains($0) }
    story.flags.formUnion(new.flags)
    story.tags += new.tags.filter { !story.tags.contains($0) }
    return .returnedReplaced(position, story)
  }

  /// The present positions of cleared stories that have come back by themselves, by their positions
  /// among the cleared ones.
  private func returnedStories(of cleared: ItemTable) throws -> [Int: Int] {
    guard var old = ItemReader(cleared), var new = ItemReader(library.items) else { return [:] }
    var positions: [UInt64: Int] = [:]
    for position in (0..<cleared.count).reversed() {
      try old.move(to: position)
      positions[try Self.id(old)] = position
    }
    var back: [Int: Int] = [:]
    var fresh: [Int] = []
    for current in 0..<library.items.count where !order.changes.leaves(current) {
      try new.move(to: current)
      if let position = positions[try Self.id(new)], back[position] == nil {
        back[position] = current
      } else if let stored = try new.date(.stored), stored >= step.origin.date {
        fresh.append(current)
      }
    }
    if !fresh.isEmpty { try findRenamed(cleared, among: fresh, &back) }
    return back
  }

  /// Finds stories that came back with new ids: their feed has moved, or had renamed them before
  /// they were cleared, or another feed or a saved page brought them.
  private func findRenamed(
    _ cleared: ItemTable,
    among fresh: [Int],
    _ back: inout [Int: Int],
  ) throws {
    var others = FreshStories()
    try library.items.forEachStory(at: fresh) { try others.add($0, &$1) }
    let away = (0..<cleared.count).filter { back[$0] == nil }
    try cleared.forEachStory(at: away) { try others.notePages(of: $1.identity()) }
    try cleared.forEachStory(at: away) { position, story in
      let feeds = moved.feeds(try story.feedURLs())
      back[position] = others.take(try story.identity(), of: Set(feeds))
    }
  }

  /// The number of a story's id, or a hash of an id that another program gave.
  private static func id(_ reader: borrowing ItemReader) throws -> UInt64 {
    if let id = try reader.idNumber() { return id }
    return UInt64(bitPattern: Int64(try reader.id().hashValue))
  }
}

/// The stories that were stored since others were cleared, each of which may be one of those.
private struct FreshStories {
  private var stories: [Int: (item: Item, feeds: [String])] = [:]
  private var keys: [ItemKey: [Int]] = [:]
  private var pages: [String: [Int]] = [:]
  /// The numbers of cleared stories that lead to one of these pages.
  private var cleared: [String: Int] = [:]

  mutating func add(_ position: Int, _ story: inout ItemReader) throws {
    let item = try story.identity()
    stories[position] = (item, try story.feedURLs())
    keys[ItemID.key(of: item), default: []].append(position)
    for page in item.possibleStoryKeys { pages[page, default: []].append(position) }
  }

  mutating func notePages(of item: Item) {
    for page in item.possibleStoryKeys where pages[page] != nil { cleared[page, default: 0] += 1 }
  }

  /// Removes and returns the story that came back for a cleared one: a story of its feeds with the
  /// same key, or else the only story of other feeds that links to its page.
  mutating func take(_ item: Item, of feeds: Set<String>) -> Int? {
    let own = keys[ItemID.key(of: item)]?.first { position in
      stories[position].map { story in
        !feeds.isDisjoint(with: story.feeds) && !ItemID.isOther(story.item, underGUIDOf: item)
      } ?? false
    }
    let found = own ?? item.possibleStoryKeys.compactMap { elsewhere($0, item, feeds) }.first
    if let found { stories[found] = nil }
    return found
  }

  private func elsewhere(_ page: String, _ item: Item, _ feeds: Set<String>) -> Int? {
    guard let found = pages[page], found.count == 1, cleared[page] == 1,
      let story = stories[found[0]], feeds.isDisjoint(with: story.feeds),
      feeds.union(story.feeds).contains(Subscription.savedURL)
        || StoryWords.haveOneTitle(item, story.item)
    else { return nil }
    return found[0]
  }
}
