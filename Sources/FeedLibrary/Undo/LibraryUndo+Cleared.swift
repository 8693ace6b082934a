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
      try reader.move(to: position)
      let own = try reader.feedURLs()
      var feeds = moved.feeds(own)
      // Stories that other machines have deleted since stay away, unless starred.
      if !step.isForGood, try elsewhere?.isDeleted(&reader, since: step.date) ?? false,
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
    var loss = try elsewhere?.loss(of: &reader, awaySince: step.date) ?? ItemAdjustment()
    guard let current else {
      if feeds != own { loss.feeds = feeds }
      return .returned(position, loss)
    }
    let new = try library.items.item(at: current)
    var story = try reader.item()
    story.isRead = loss.marks.isRead ?? story.isRead
    story.isStarred = loss.marks.isStarred ?? story.isStarred
    story.tags = loss.tags ?? story.tags
    for mark in loss.texts.keys { story.typedTexts[mark] = nil }
    story.typedTexts.merge(new.typedTexts) { $1 }
    story.item = new.item
    if new.article.isBeside { story.article = new.article }
    story.feeds = feeds + new.feeds.filter { !feeds.contains($0) }
    story.isRead = story.isRead || new.isRead
    story.isStarred = story.isStarred || new.isStarred
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
    var fresh: [ItemKey: [Int]] = [:]
    for current in 0..<library.items.count where !order.changes.leaves(current) {
      try new.move(to: current)
      if let position = positions[try Self.id(new)], back[position] == nil {
        back[position] = current
      } else if let stored = try new.date(.stored), stored >= step.date {
        fresh[ItemID.key(of: try new.identity()), default: []].append(current)
      }
    }
    if !fresh.isEmpty { try findRenamed(cleared, among: &fresh, &back) }
    return back
  }

  /// Finds stories that came back with new ids: their feed has moved, or had renamed them before
  /// they were cleared.
  private func findRenamed(
    _ cleared: ItemTable,
    among fresh: inout [ItemKey: [Int]],
    _ back: inout [Int: Int],
  ) throws {
    guard var reader = ItemReader(cleared) else { return }
    for position in 0..<cleared.count where back[position] == nil {
      try reader.move(to: position)
      let item = try reader.identity()
      let key = ItemID.key(of: item)
      guard let others = fresh[key] else { continue }
      let own = Set(moved.feeds(try reader.feedURLs()))
      for current in others {
        let story = try library.items.story(at: current)
        guard try !own.isDisjoint(with: story.strings(.feeds)),
          try !ItemID.isOther(story.identity(), underGUIDOf: item)
        else { continue }
        fresh[key]?.removeAll { $0 == current }
        back[position] = current
        break
      }
    }
  }

  /// The number of a story's id, or a hash of an id that another program gave.
  private static func id(_ reader: borrowing ItemReader) throws -> UInt64 {
    if let id = try reader.idNumber() { return id }
    return UInt64(bitPattern: Int64(try reader.id().hashValue))
  }
}
