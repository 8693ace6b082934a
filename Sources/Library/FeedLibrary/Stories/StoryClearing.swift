package import FeedModel
package import FeedStorage
package import System

/// Takes some of the stored stories out of a library.
///
/// Saved pages stay until somebody deletes them, and starred stories unless everything is cleared.
package struct StoryClearing {
  package struct Choice: Hashable, Sendable {
    /// The URLs of the feeds to clear, or nil for all.
    package var feeds: Set<String>?
    /// True if the feeds are removed: a story that other feeds carry stays with them, starred or
    /// not.
    package var isOfGoneFeeds = false
    package var positions: Set<Int>?
    /// True to clear starred stories too, and what all feeds remember of their stories.
    package var isEverything = false
    /// True to take saved pages, too, and to keep the stories away while their feeds carry them.
    package var isForGood = false
    package var deleted: Set<Int> = []

    package static let everything = Choice(isEverything: true)

    package static func feeds(_ urls: [String]) -> Choice { Choice(feeds: Set(urls)) }

    package static func dropped(_ positions: [Int]) -> Choice {
      Choice(positions: Set(positions))
    }

    package static func deleted(_ positions: [Int]) -> Choice {
      Choice(positions: Set(positions), isForGood: true)
    }
  }

  private let choice: Choice
  private let library: Library
  private let now: Date
  private var stories = StoryChanges()
  private var noted = ClearedHashUpdates()

  package private(set) var cleared = 0
  /// Stories that lost only a feed, since others carry them.
  package private(set) var leftToOthers = 0
  package private(set) var starred = 0
  package private(set) var saved = 0

  package init(_ choice: Choice, in library: Library, now: Date) throws {
    self.choice = choice
    self.library = library
    self.now = now
    try library.items.forEachStory(at: 0..<library.items.count) { try take($0, &$1) }
  }

  private mutating func take(_ position: Int, _ reader: inout ItemReader) throws {
    guard !choice.deleted.contains(position) else {
      try noted.note(reader, feeds: try reader.feedURLs())
      return remove(position)
    }
    guard choice.positions?.contains(position) ?? true else { return }
    let feeds = try reader.feedURLs()
    let taken = choice.feeds.map { chosen in feeds.filter(chosen.contains) } ?? feeds
    guard choice.feeds == nil || !taken.isEmpty else { return }
    guard choice.isForGood || !taken.contains(Subscription.savedURL) else {
      saved += 1
      return
    }
    let isLeft = choice.isOfGoneFeeds && taken.count < feeds.count
    guard try !reader.isStarred() || isLeft || choice.isEverything else {
      starred += 1
      return
    }
    if choice.isForGood { try noted.note(reader, feeds: taken) }
    if taken.count < feeds.count {
      leave(position, taken, of: feeds)
    } else {
      remove(position)
    }
  }

  private mutating func leave(_ position: Int, _ taken: [String], of feeds: [String]) {
    let others = feeds.filter { !taken.contains($0) }
    stories.adjusted[position] = ItemAdjustment(feeds: others)
    leftToOthers += 1
  }

  private mutating func remove(_ position: Int) {
    stories.removed.insert(position)
    cleared += 1
  }

  // MARK: The change

  package func change(command: String) -> LibraryChange {
    var change = LibraryChange(subscriptions: library.subscriptions.map(cleared))
    change.feeds.areSavedFirst = true
    guard cleared + leftToOthers > 0 else { return change }
    change.stories = stories
    if choice.isForGood { change.stories.deleted = stories.removed }
    change.origin = ChangeOrigin(command: command, date: now)
    return change
  }

  package func cleared(_ subscription: Subscription) -> Subscription {
    var copy = isForgotten(subscription) ? subscription.forgettingStories() : subscription
    let hashes = noted.hashes(of: subscription.url)
    if !hashes.isEmpty { copy.state.remember(cleared: hashes) }
    return copy
  }

  private func isForgotten(_ subscription: Subscription) -> Bool {
    choice.isEverything || choice.feeds?.contains(subscription.url) == true
  }
}

extension Library {
  /// Unsubscribes from feeds, whose stories go except starred ones and those of other feeds.
  ///
  /// The stories at the positions `deleted` go too.
  package func unsubscribing(
    from gone: [Subscription],
    deleting deleted: [Int] = [],
    _ origin: ChangeOrigin,
  ) throws -> (change: LibraryChange, clearing: StoryClearing) {
    let urls = gone.map(\.url)
    let choice = StoryClearing.Choice(
      feeds: Set(urls),
      isOfGoneFeeds: true,
      deleted: Set(deleted),
    )
    let clearing = try StoryClearing(choice, in: self, now: origin.date)
    var change = clearing.change(command: origin.command)
    change.origin = origin
    if clearing.starred > 0 {
      var names = feeds.formerNames
      for feed in gone { names[feed.url] = feed.displayTitle }
      change.feeds.formerNames = names
    }
    change.feeds.subscriptions = subscriptions.filter { !urls.contains($0.url) }
    return (change, clearing)
  }
}
