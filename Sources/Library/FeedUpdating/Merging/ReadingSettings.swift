import FeedLibrary
import FeedModel
import FeedStorage
import System

/// The feeds' settings for stories that grow old, and for those that their feed changes.
struct ReadingSettings {
  private var ages: [String: Double] = [:]
  private var unreadWhenEdited: Set<String> = []

  init() {}

  init(_ subscriptions: [Subscription]) {
    for feed in subscriptions {
      if let age = feed.settings.readAfter { ages[feed.url] = Double(age) }
      if feed.settings.unreadWhenEdited { unreadWhenEdited.insert(feed.url) }
    }
  }

  func isUnreadWhenEdited(_ feed: String) -> Bool { unreadWhenEdited.contains(feed) }

  func age(of feed: String) -> Double? { ages[feed] }

  /// Returns true for a story that is too old to stay unread in each of its feeds.
  ///
  /// One that its feed has changed is as old as the change, where that makes it unread.
  func isOver(_ story: StoredItem, of instant: Double, now: Date) -> Bool {
    let edited =
      story.feeds.contains(where: isUnreadWhenEdited) ? story.changes.map(\.date).max() : nil
    let newest = max(instant, edited?.timeIntervalSinceReferenceDate ?? instant)
    return story.feeds.allSatisfy { feed in
      age(of: feed).map { newest < now.timeIntervalSinceReferenceDate - $0 } ?? false
    }
  }
}

extension ItemMerge {
  /// Marks a feed's stories as read that are older than its settings say, unless they are starred.
  ///
  /// Imported stories keep the marks that they had elsewhere.
  mutating func readOld(in feed: inout MergedFeed) throws {
    guard let age = reading.age(of: feed.delivery.feed), feed.delivery.imported.isEmpty else {
      return
    }
    let limit = now.timeIntervalSinceReferenceDate - age
    for story in feed.new where feed.effects[story]?.flags[.starred] != true {
      guard let date = feed.delivery.date(story), date.timeIntervalSinceReferenceDate < limit
      else { continue }
      feed.effects[story, default: StoryEffect()].arrivesRead = true
    }
    for position in try unread(of: feed, before: limit) where !removed.contains(position) {
      var story = try current(position)
      let instant = try newInstant(position) ?? storedInstant(position)
      guard !story.isRead, reading.isOver(story, of: instant, now: now) else { continue }
      story.isRead = true
      changed[position] = story
      feed.findings.readOld += 1
    }
  }

  private func unread(of feed: MergedFeed, before limit: Double) throws -> [Int] {
    let old = try feed.stored.filter { try storedInstant($0) < limit }
    var unread: [Int] = []
    try table.forEachStory(at: old) { position, story in
      if try !story.isRead(), try !story.isStarred() { unread.append(position) }
    }
    return unread
  }
}
