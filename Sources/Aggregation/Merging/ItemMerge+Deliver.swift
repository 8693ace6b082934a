import FeedModel
package import FeedStorage
import System

extension ItemMerge {
  /// Takes in what feeds delivered.
  ///
  /// The first delivery that brings a story owns it. To be called once with all deliveries of a
  /// run: the order of several decides only who owns what is new in several.
  ///
  /// - Parameters:
  ///   - deliveries: at most one of each feed.
  ///   - dropped: for each of them the hashes that its last merge left (`FeedState.dropped`).
  ///   - cleared: for each of them what the reader cleared for good (`FeedState.cleared`); empty
  ///     where nobody cleared anything.
  ///   - keep: stories kept of each feed that it no longer carries; 0 keeps all.
  /// - Returns: what was found out of each feed, in the order of the deliveries.
  /// - Throws: when the data file cannot be read.
  package mutating func deliver(
    _ deliveries: [FeedDelivery],
    dropped: [[UInt64]],
    cleared: [[UInt64]] = [],
    keep: Int,
  ) throws(StorageError) -> [FeedFindings] {
    insertions.deliveries = deliveries
    let stored = try StoredPositions(deliveries, in: table, now: now)
    instants = stored.instants
    var feeds = deliveries.enumerated().map { number, delivery in
      FeedMerge(
        delivery,
        number: number,
        stored: stored.byDelivery[number],
        dropped: dropped[number],
        cleared: cleared.isEmpty ? [] : cleared[number],
      )
    }
    for number in feeds.indices {
      try recognise(&feeds[number], sameID: stored.sameID[number])
    }
    var close = try MatchCandidates(to: feeds, in: self)
    for number in feeds.indices { try recogniseOthers(&feeds[number], among: close) }
    for number in feeds.indices where keep > 0 && feeds[number].delivery.isComplete {
      try retain(keep, of: &feeds[number])
    }
    for number in feeds.indices { try update(&feeds[number]) }
    insertions.all.reserveCapacity(feeds.reduce(0) { $0 + $1.open.count })
    close.add(changed.keys)
    var elsewhere = try OtherFeedMatches(of: feeds, among: close, in: self)
    for number in feeds.indices {
      try settle(&feeds[number], elsewhere: &elsewhere)
    }
    return feeds.map(\.findings)
  }

  /// Adds what is new to the store, and takes note of what is newer than all that was there.
  private mutating func settle(
    _ feed: inout FeedMerge,
    elsewhere: inout OtherFeedMatches,
  ) throws(StorageError) {
    feed.findings.hadStories = !feed.stored.isEmpty
    feed.findings.recognised = feed.positions.count { $0 != nil }
    feed.findings.hasOldStory = try hasOldStory(feed)
    let before = try newestInstant(of: feed)
    try findNewest(&feed, before: before)
    defer { feed.pruneCleared() }
    // Nothing is to be placed.
    guard feed.hasOpen || !changed.isEmpty else { return }
    var anchors: [Double: Int] = [:]
    for story in feed.delivery.stories.indices {
      if let position = feed.positions[story] {
        try anchor(position, &anchors)
      } else if try feed.isCleared(story) {
        continue
      } else if try !join(story, of: feed, anchors: anchors, elsewhere: elsewhere) {
        try insert(story, of: &feed, anchors: anchors, before: before, elsewhere: &elsewhere)
      }
    }
  }

  /// Whether a story was the feed's before redirects led elsewhere: one that another feed brought
  /// first may have come to this one with the answer of a stranger.
  private func hasOldStory(_ feed: FeedMerge) throws(StorageError) -> Bool {
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
  private func newestInstant(of feed: FeedMerge) throws(StorageError) -> Double? {
    var newest: Double?
    for position in feed.stored {
      var instant = try storedInstant(position)
      let item = changed[position]
      if let item {
        let new = StoryTime.place(date: item.item.date, stored: item.stored, now: now)
        instant = min(instant, new)
      }
      newest = max(newest ?? instant, instant)
      if item == nil { break }
    }
    return newest
  }

  /// Notes where a stored story is, for new ones of the same instant that follow in the document.
  private mutating func anchor(
    _ position: Int,
    _ anchors: inout [Double: Int],
  ) throws(StorageError) {
    let old = try storedInstant(position)
    guard let instant = newInstant(position), instant != old else {
      anchors[old] = max(anchors[old] ?? -1, position)
      return
    }
    placements[position] = nextPlacement(instant, anchors)
  }

  /// Places a stored story of other feeds if it is re-dated; new ones go where they would without it.
  private mutating func place(
    _ position: Int,
    _ anchors: [Double: Int],
  ) throws(StorageError) {
    guard let instant = newInstant(position), try instant != storedInstant(position) else { return }
    placements[position] = nextPlacement(instant, anchors)
  }

  private func newInstant(_ position: Int) -> Double? {
    changed[position].map {
      StoryTime.place(date: $0.item.date, stored: $0.stored, now: now)
    }
  }

  private mutating func nextPlacement(_ instant: Double, _ anchors: [Double: Int]) -> Placement {
    sequence += 1
    return Placement(
      instant: instant,
      anchor: Int32(anchors[instant] ?? -1),
      sequence: sequence,
    )
  }

  /// Whether the story is one that other feeds have brought, and is now of this feed too.
  private mutating func join(
    _ story: Int,
    of feed: FeedMerge,
    anchors: [Double: Int],
    elsewhere: OtherFeedMatches,
  ) throws(StorageError) -> Bool {
    let name = feed.delivery.feed
    for position in elsewhere.positions(of: story, in: feed) {
      var item = try current(position)
      guard !item.feeds.contains(name) else { continue }
      guard try elsewhere.isSure(position, of: story, in: feed, stored: item) else { continue }
      item.feeds.append(name)
      let rule = try elsewhere.rule(position, of: story, in: feed)
      item.note(StoryMatch(feed: name, rule: rule, date: now))
      // Dropped by its last feed in this very merge: it stays after all, with a new owner.
      if removed.remove(position) != nil { item.take(try feed.delivery.item(story), at: now) }
      changed[position] = item
      try place(position, anchors)
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
    of feed: inout FeedMerge,
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

extension ItemMerge {
  /// Finds the document's newest story, and whether anything stored of the feed is newer.
  func findNewest(_ feed: inout FeedMerge, before: Double?) throws(StorageError) {
    var newest: (story: Int, instant: Double)?
    for story in feed.delivery.stories.indices {
      guard let instant = try instant(of: story, in: feed) else { continue }
      if let newest, newest.instant >= instant { continue }
      newest = (story, instant)
    }
    let story = newest?.story ?? 0
    guard story < feed.delivery.stories.count else { return }
    feed.findings.newestTitle = try feed.delivery.item(story).title
    feed.findings.newestIsOnTop = isOnTop(
      story,
      instant: newest?.instant,
      in: feed,
      before: before,
    )
  }

  /// The story's date; as of when it was stored, or now, where that is in the future.
  private func instant(of story: Int, in feed: FeedMerge) throws(StorageError) -> Double? {
    guard let date = feed.delivery.date(of: story) else { return nil }
    guard date > now, let position = feed.positions[story] else {
      return StoryTime.place(date: date, stored: now, now: now)
    }
    let stored = try table.story(at: position).date(.stored)
    return StoryTime.place(date: date, stored: stored ?? now, now: now)
  }

  private func isOnTop(
    _ story: Int,
    instant: Double?,
    in feed: FeedMerge,
    before: Double?,
  ) -> Bool {
    guard let before else { return true }
    if let position = feed.positions[story] { return position == feed.stored.first }
    return instant ?? now.timeIntervalSinceReferenceDate >= before
  }
}
