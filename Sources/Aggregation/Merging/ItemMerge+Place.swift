import FeedModel
import FeedStorage
import System

/// What is new to the store gets its place in it.
extension ItemMerge {
  /// Adds what is new, and takes note of what is newer than all that was there.
  mutating func place(
    _ feed: inout MergedFeed,
    elsewhere: inout OtherFeedMatches,
  ) throws(StorageError) {
    let before = try newestInstant(of: feed)
    try find(&feed, before: before)
    defer { feed.pruneCleared() }
    guard feed.hasOpen || !changed.isEmpty else { return }
    // Of each instant the last stored story: new ones that follow in the document go behind it.
    var anchors: [Double: Int] = [:]
    for story in feed.delivery.stories.indices {
      if let position = feed.positions[story] {
        if try placeRedated(position, anchors) { continue }
        let instant = try storedInstant(position)
        anchors[instant] = max(anchors[instant] ?? -1, position)
      } else if try feed.isCleared(story) {
        continue
      } else if try !join(story, of: feed, anchors: anchors, elsewhere: elsewhere) {
        try insert(story, of: &feed, anchors: anchors, before: before, elsewhere: &elsewhere)
      }
    }
  }

  /// Gives a stored story a new place if it is re-dated; whether it is.
  private mutating func placeRedated(
    _ position: Int,
    _ anchors: [Double: Int],
  ) throws(StorageError) -> Bool {
    guard let instant = newInstant(position), try instant != storedInstant(position) else {
      return false
    }
    placements[position] = nextPlacement(instant, anchors)
    return true
  }

  private mutating func nextPlacement(_ instant: Double, _ anchors: [Double: Int]) -> Placement {
    sequence += 1
    return Placement(instant: instant, anchor: Int32(anchors[instant] ?? -1), sequence: sequence)
  }

  /// Whether the story is one that other feeds have brought, and is now of this feed too.
  private mutating func join(
    _ story: Int,
    of feed: MergedFeed,
    anchors: [Double: Int],
    elsewhere: OtherFeedMatches,
  ) throws(StorageError) -> Bool {
    let name = feed.delivery.feed
    for position in elsewhere.positions(of: story, in: feed) {
      var item = try current(position)
      guard !item.feeds.contains(name),
        let rule = try elsewhere.rule(position, of: story, in: feed, stored: item)
      else { continue }
      item.feeds.append(name)
      item.note(StoryMatch(feed: name, rule: rule, date: now))
      // Dropped by its last feed in this very merge: it stays after all, with a new owner.
      if removed.remove(position) != nil { item.take(try feed.delivery.item(story), at: now) }
      changed[position] = item
      _ = try placeRedated(position, anchors)
      return true
    }
    guard let number = elsewhere.insertion(of: story, in: feed),
      !insertions.all[number].feeds.contains(name)
    else { return false }
    insertions.all[number].feeds.append(name)
    let rule = try feed.delivery.storyRule(of: story)
    insertions.all[number].matches.append(StoryMatch(feed: name, rule: rule, date: now))
    return true
  }

  private mutating func insert(
    _ story: Int,
    of feed: inout MergedFeed,
    anchors: [Double: Int],
    before: Double?,
    elsewhere: inout OtherFeedMatches,
  ) throws(StorageError) {
    let id = try elsewhere.newID(of: story, in: feed)
    let wasDropped = feed.takeDropped(story)
    let instant = StoryTime.place(date: feed.delivery.date(of: story), stored: now, now: now)
    feed.findings.stored += 1
    if !wasDropped, instant >= before ?? -.infinity {
      feed.findings.newer.append(insertions.count)
    }
    elsewhere.note(insertion: insertions.count, of: story, in: feed)
    insertions.all.append(
      Insertion(
        delivery: feed.number,
        story: story,
        id: id,
        feeds: feed.url,
        isRead: wasDropped,
        placement: nextPlacement(instant, anchors),
      )
    )
  }
}

/// What the decision on a feed's outcome needs beside the counts of stories.
extension ItemMerge {
  private func find(_ feed: inout MergedFeed, before: Double?) throws(StorageError) {
    feed.findings.hadStories = !feed.stored.isEmpty
    feed.findings.recognised = feed.positions.count { $0 != nil }
    feed.findings.hasOldStory = try hasOldStory(feed)
    try findNewest(&feed, before: before)
  }

  /// Whether a story was the feed's before redirects led elsewhere: one that another feed brought
  /// first may have come to this one with the answer of a stranger.
  private func hasOldStory(_ feed: MergedFeed) throws(StorageError) -> Bool {
    guard let oldBefore = feed.delivery.oldBefore else { return feed.findings.recognised > 0 }
    for position in feed.positions {
      guard let story = try position.map(table.item(at:)) else { continue }
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

  /// Finds the document's newest story, and whether anything stored of the feed is newer.
  private func findNewest(_ feed: inout MergedFeed, before: Double?) throws(StorageError) {
    var newest: (story: Int, instant: Double)?
    for story in feed.delivery.stories.indices {
      guard let instant = try instant(of: story, in: feed) else { continue }
      if let newest, newest.instant >= instant { continue }
      newest = (story, instant)
    }
    let story = newest?.story ?? 0
    guard story < feed.delivery.stories.count else { return }
    feed.findings.newestTitle = try feed.delivery.item(story).title
    if let position = feed.positions[story] {
      feed.findings.newestIsOnTop = before == nil || position == feed.stored.first
    } else {
      let instant = newest?.instant ?? now.timeIntervalSinceReferenceDate
      feed.findings.newestIsOnTop = instant >= before ?? -.infinity
    }
  }

  /// The story's date; as of when it was stored, or now, where that is in the future.
  private func instant(of story: Int, in feed: MergedFeed) throws(StorageError) -> Double? {
    guard let date = feed.delivery.date(of: story) else { return nil }
    guard date > now, let position = feed.positions[story] else {
      return StoryTime.place(date: date, stored: now, now: now)
    }
    let stored = try table.story(at: position).date(.stored)
    return StoryTime.place(date: date, stored: stored ?? now, now: now)
  }
}
