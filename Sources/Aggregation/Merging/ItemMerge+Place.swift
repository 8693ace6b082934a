import FeedModel
import FeedStorage
import System

extension ItemMerge {
  /// Adds what is new, and takes note of what is newer than all that was there.
  mutating func place(
    _ feed: inout MergedFeed,
    _ order: inout DocumentOrder,
    _ shared: inout SharedStories,
  ) throws(StorageError) {
    let before = try newestInstant(of: feed)
    try find(&feed, before: before)
    defer { feed.pruneCleared() }
    guard feed.hasNew || !changed.isEmpty else { return }
    order.beginDocument()
    for (story, recognition) in feed.recognised.enumerated() {
      if let position = recognition.position {
        if try placeRedated(position, &order) { continue }
        order.pass(position, at: try storedInstant(position))
      } else if try feed.isCleared(story) {
        continue
      } else if feed.isWithheld(story) {
        feed.findings.withheld += 1
        if feed.delivery.handed(story) != nil {
          feed.findings.cleared += ClearedHashes.hashes(of: try feed.delivery.item(story))
        }
      } else if let match = try shared.match(story, of: feed.delivery, in: current) {
        try join(match, story, of: feed)
        _ = try placeRedated(match.position, &order)
      } else if try !joinInsertion(story, of: feed, shared) {
        try insert(story, of: &feed, before: before, &order, &shared)
      }
    }
  }

  /// Gives a stored story a new place if it is re-dated; whether it is.
  private mutating func placeRedated(
    _ position: Int,
    _ order: inout DocumentOrder,
  ) throws(StorageError) -> Bool {
    guard let instant = newInstant(position), try instant != storedInstant(position) else {
      return false
    }
    placements[position] = order.placement(at: instant)
    return true
  }

  private mutating func join(
    _ match: SharedStories.Match,
    _ story: Int,
    of feed: MergedFeed,
  ) throws(StorageError) {
    if let handed = feed.delivery.handed(story) { try takeMarks(of: handed, at: match.position) }
    var item = try current(match.position)
    item.feeds.append(feed.delivery.feed)
    item.note(StoryMatch(feed: feed.delivery.feed, rule: match.rule, date: now))
    // Dropped by its last feed in this very merge: it stays after all, with a new owner.
    if removed.remove(match.position) != nil {
      item.take(try feed.delivery.item(story), at: now)
      note(story, of: feed, as: item.id)
    }
    changed[match.position] = item
  }

  /// Adds the feed to a story that this run adds; whether it is one of those.
  private mutating func joinInsertion(
    _ story: Int,
    of feed: MergedFeed,
    _ shared: SharedStories,
  ) throws(StorageError) -> Bool {
    let name = feed.delivery.feed
    // What another home told apart stays apart.
    guard feed.delivery.handed(story)?.id == nil else { return false }
    guard let number = shared.insertion(of: story, in: feed.delivery),
      !insertions.all[number].feeds.contains(name)
    else { return false }
    insertions.all[number].feeds.append(name)
    let rule = try feed.delivery.storyRule(of: story)
    insertions.all[number].matches.append(StoryMatch(feed: name, rule: rule, date: now))
    insertions.take(feed.verdicts[story], of: number)
    return true
  }

  private mutating func insert(
    _ story: Int,
    of feed: inout MergedFeed,
    before: Double?,
    _ order: inout DocumentOrder,
    _ shared: inout SharedStories,
  ) throws(StorageError) {
    let id = try shared.newID(of: story, in: feed.delivery)
    let wasDropped = feed.takeDropped(story)
    let handed = feed.delivery.handed(story)
    let stored = min(handed?.frame.stored ?? now, now)
    let instant = StoryTime.place(date: feed.delivery.dates[story], stored: stored, now: now)
    feed.findings.stored += 1
    if !wasDropped, instant >= before ?? -.infinity {
      feed.findings.newer.append(insertions.count)
    }
    note(story, of: feed, as: id.hexadecimal)
    insertions.take(feed.verdicts[story], of: insertions.count)
    shared.note(insertion: insertions.count, of: story, in: feed.delivery)
    insertions.all.append(
      Insertion(
        delivery: feed.number,
        story: story,
        id: id,
        feeds: feed.url + (handed?.frame.feeds ?? []),
        isRead: wasDropped,
        placement: order.placement(at: instant, handedAt: handed?.place),
      )
    )
  }
}

/// What the decision on a feed's outcome needs beside the counts of stories.
extension ItemMerge {
  private func find(_ feed: inout MergedFeed, before: Double?) throws(StorageError) {
    feed.findings.hadStories = !feed.stored.isEmpty
    feed.findings.recognised = feed.recognised.count { $0 != .new }
    feed.findings.hasOldStory = try hasOldStory(feed)
    try findNewest(&feed, before: before)
  }

  /// Whether a story was the feed's before redirects led elsewhere: one that another feed brought
  /// first may have come to this one with the answer of a stranger.
  private func hasOldStory(_ feed: MergedFeed) throws(StorageError) -> Bool {
    guard let oldBefore = feed.delivery.oldBefore else { return feed.findings.recognised > 0 }
    for position in feed.recognised.compactMap(\.position) {
      let story = try table.item(at: position)
      if story.feeds.first == feed.delivery.feed, story.stored.map({ $0 < oldBefore }) ?? true {
        return true
      }
    }
    return false
  }

  /// As of when the newest story counts that was stored of the feed; nil without any.
  ///
  /// One that is re-dated counts as of the earlier of both dates: neither a story that is always
  /// dated in the future nor one that was brought up again makes others old that came since.
  private func newestInstant(of feed: MergedFeed) throws(StorageError) -> Double? {
    var newest: Double?
    for position in feed.stored {
      let (old, new) = (try storedInstant(position), newInstant(position))
      let instant = min(old, new ?? old)
      newest = max(newest ?? instant, instant)
      if new == nil { break }
    }
    return newest
  }

  private func findNewest(_ feed: inout MergedFeed, before: Double?) throws(StorageError) {
    var newest: (story: Int, instant: Double)?
    for story in feed.recognised.indices where !feed.isWithheld(story) {
      guard let instant = try instant(of: story, in: feed) else { continue }
      if let newest, newest.instant >= instant { continue }
      newest = (story, instant)
    }
    guard
      let story = newest?.story ?? feed.recognised.indices.first(where: { !feed.isWithheld($0) })
    else { return }
    feed.findings.newestTitle = try feed.delivery.item(story).title
    if let position = feed.recognised[story].position {
      feed.findings.newestIsOnTop = before == nil || position == feed.stored.first
    } else {
      let instant = newest?.instant ?? now.timeIntervalSinceReferenceDate
      feed.findings.newestIsOnTop = instant >= before ?? -.infinity
    }
  }

  /// The story's date; as of when it was stored, or now, where that is in the future.
  private func instant(of story: Int, in feed: MergedFeed) throws(StorageError) -> Double? {
    guard let date = feed.delivery.dates[story] else { return nil }
    guard date > now, let position = feed.recognised[story].position else {
      return StoryTime.place(date: date, stored: now, now: now)
    }
    let stored = try table.story(at: position).date(.stored)
    return StoryTime.place(date: date, stored: stored ?? now, now: now)
  }
}
