import FeedLibrary
import FeedModel
import FeedStorage
import System

extension ItemMerge {
  mutating func insert(_ feed: inout MergedFeed) throws {
    try find(&feed)
    defer { feed.pruneCleared() }
    guard feed.hasNew || !changed.isEmpty else { return }
    order.beginDocument()
    var fates: [AnsweredStory.Fate] = []
    for (story, recognition) in feed.recognised.enumerated() {
      if let position = recognition.position {
        fates.append(.known(isRetitled: feed.retitled.contains(story)))
        if try placeRedated(position) { continue }
        order.noteStored(position, at: try storedInstant(position))
      } else {
        fates.append(try placeNew(story, of: &feed))
      }
    }
    try findNews(fates, in: &feed)
  }

  private mutating func placeNew(
    _ story: Int,
    of feed: inout MergedFeed,
  ) throws -> AnsweredStory.Fate {
    if try feed.isCleared(story) { return .keptAway }
    if feed.isFiltered(story) {
      feed.findings.filtered += 1
      if feed.delivery.imported(story) != nil, !feed.delivery.comesRead {
        feed.findings.cleared += ClearedHashes.hashes(of: try feed.delivery.item(story))
      }
      return .keptAway
    }
    // PERF: the method by its name would be one of a copy of the merge.
    if let match = try shared.match(story, of: feed.delivery, words, in: { try current($0) }) {
      if match.verdict == .own, try !match.story.item.hasWords(of: feed.delivery.item(story)) {
        return try replace(match, by: story, of: &feed)
      }
      try join(match, story, of: feed)
      _ = try placeRedated(match.position)
      return .known(isRetitled: false)
    }
    if try joinInsertion(story, of: &feed) { return .known(isRetitled: false) }
    shared.note(insertion: insertions.count, of: story, in: feed.delivery)
    return try insert(story, of: &feed)
  }

  /// Moves a stored story whose date has changed; returns false if it stays.
  private mutating func placeRedated(_ position: Int) throws -> Bool {
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
  ) throws {
    let delivery = feed.delivery
    if let imported = delivery.imported(story) { try takeMarks(of: imported, at: match.position) }
    var item = try current(match.position)
    if try cameRead(item), delivery.imported.isEmpty, feed.effects[story]?.comesRead != true {
      item.isRead = false
    }
    item.feeds.append(delivery.feed)
    item.note([StoryMatch(feed: delivery.feed, rule: match.rule, date: now)])
    // Dropped by its last feed in this merge, the story stays after all, with a new owner.
    if removed.remove(match.position) != nil || match.verdict == .own {
      item.bring(forward: delivery.feed)
      item.take(try delivery.item(story), at: now)
      note(story, of: feed, as: item.id)
    }
    changed[match.position] = item
  }

  /// Returns true for a read story that rules or settings for each of its feeds mark as read.
  private func cameRead(_ story: StoredItem) throws -> Bool {
    guard story.isRead, let evaluate else { return false }
    return try story.feeds.allSatisfy { feed in
      let incoming = IncomingStory(feed: feed, item: story.item) { nil }
      return try evaluate(incoming).comesRead
    }
  }

  /// Puts a feed's story in the place of a stored one, whose words are not its own.
  ///
  /// It has an id of its own: what this or another machine did with the false words does not count.
  private mutating func replace(
    _ match: SharedStories.Match,
    by story: Int,
    of feed: inout MergedFeed,
  ) throws -> AnsweredStory.Fate {
    let old = try current(match.position)
    removed.insert(match.position)
    shared.forget(old, at: match.position)
    shared.note(insertion: insertions.count, of: story, in: feed.delivery)
    let fate = try insert(story, of: &feed)
    var effect = ImportedStory(old, at: 0).effect
    (effect.flags[.read], effect.arrivesRead) = (false, try cameRead(old))
    insertions.inherit(from: old, effect, to: insertions.count - 1, by: match.rule)
    return fate
  }

  /// Adds the feed to a story that this run adds; returns false if there is none.
  private mutating func joinInsertion(_ story: Int, of feed: inout MergedFeed) throws -> Bool {
    let (name, delivery) = (feed.delivery.feed, feed.delivery)
    // Stories that another home told apart stay apart.
    guard delivery.imported(story)?.id == nil else { return false }
    for number in shared.insertions(of: story, in: delivery) {
      let feeds = insertions.feeds(of: number)
      if feeds.contains(name) { continue }
      let other = try insertions.item(number)
      let verdict = try delivery.verdict(on: story, beside: other, of: feeds, words)
      if verdict == .separate { continue }
      let rule = try delivery.storyRule(of: story)
      if verdict == .own {
        let other = try insertions.story(number)
        _ = try insert(story, of: &feed)
        feed.findings.stored -= 1
        let effect = insertions.replaceByLast(number)
        insertions.inherit(from: other, effect, to: number, by: rule)
      } else {
        insertions.all[number].feeds.append(name)
        insertions.all[number].matches.append(StoryMatch(feed: name, rule: rule, date: now))
        insertions.add(feed.effects[story], of: number)
      }
      return true
    }
    return false
  }

  private mutating func insert(
    _ story: Int,
    of feed: inout MergedFeed,
  ) throws -> AnsweredStory.Fate {
    let id = try shared.newID(of: story, in: feed.delivery)
    let wasEvicted = feed.takeEvicted(story)
    let imported = feed.delivery.imported(story)
    let stored = min(imported?.original.stored ?? now, now)
    let instant = StoryTime.sortInstant(date: feed.delivery.date(story), stored: stored, now: now)
    let number = insertions.count
    feed.findings.stored += 1
    note(story, of: feed, as: id.hexadecimal)
    if let article = feed.delivery.article(of: story, for: id.hexadecimal) {
      articles.append(article)
    }
    insertions.begin(feed.effects[story], of: number)
    insertions.all.append(
      Insertion(
        delivery: Int32(feed.number),
        story: Int32(story),
        id: id,
        feeds: imported.map { feed.url + $0.original.feeds } ?? feed.url,
        isRead: wasEvicted || feed.delivery.comesRead,
        placement: order.placement(at: instant, importedAt: imported?.index),
      )
    )
    return wasEvicted ? .known(isRetitled: false) : .new(number)
  }
}

extension ItemMerge {
  private func find(_ feed: inout MergedFeed) throws {
    feed.findings.hadStories = !feed.stored.isEmpty
    feed.findings.recognised = feed.recognised.count { $0 != .new }
    feed.findings.hasOldStory = try hasOldStory(feed)
  }

  /// Returns true if a story was the feed's before redirects led elsewhere.
  ///
  /// One that another feed brought first may have joined this feed by a stranger's answer.
  private func hasOldStory(_ feed: MergedFeed) throws -> Bool {
    guard let oldBefore = feed.delivery.oldBefore else { return feed.findings.recognised > 0 }
    for position in feed.recognised.compactMap(\.position) {
      let story = try table.item(at: position)
      let url = feed.delivery.feed
      let hasJoined = story.matches.contains { $0.feed == url && $0.date >= oldBefore }
      if story.feeds.first == url, !hasJoined, story.stored.map({ $0 < oldBefore }) ?? true {
        return true
      }
    }
    return false
  }

  private func findNews(_ fates: [AnsweredStory.Fate], in feed: inout MergedFeed) throws {
    guard feed.findings.stored > 0 || !feed.retitled.isEmpty else { return }
    var stories: [AnsweredStory] = []
    for (story, fate) in fates.enumerated() {
      stories.append(AnsweredStory(date: try instant(of: story, in: feed), fate: fate))
    }
    feed.findings.news = FeedNews(of: stories, keptSince: try keptSince(feed))
    let top = try feed.stored.first.map(storedInstant)
    guard let top, feed.findings.recognised == 0, feed.findings.stored > 1 else { return }
    feed.findings.isAllNew = stories.contains { $0.date.map { $0 < top } ?? false }
  }

  /// The instant of the last story that retention would keep of those no longer carried; nil if it
  /// would keep more.
  private func keptSince(_ feed: MergedFeed) throws -> Double? {
    let keep = feed.delivery.keep
    guard keep > 0, feed.stored.count >= keep else { return nil }
    let carried = Set(feed.recognised.compactMap(\.position))
    let last = feed.stored.lazy.filter { !carried.contains($0) }.dropFirst(keep - 1).first
    return try last.map(storedInstant)
  }

  /// The story's date, or the time of storing (or now) if the date is in the future.
  private func instant(of story: Int, in feed: MergedFeed) throws -> Double? {
    guard let date = feed.delivery.date(story) else { return nil }
    guard date > now, let position = feed.recognised[story].position else {
      return StoryTime.sortInstant(date: date, stored: now, now: now)
    }
    let stored = try table.story(at: position).date(.stored)
    return StoryTime.sortInstant(date: date, stored: stored ?? now, now: now)
  }
}
