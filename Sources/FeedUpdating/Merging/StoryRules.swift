package import FeedModel
package import FeedStorage

/// Decides of stories that are new to the store; made once for each save, with the subscriptions as
/// they are then.
package typealias StoryRules = @Sendable ([Subscription]) -> StoryEvaluator

package typealias StoryEvaluator = (IncomingStory) throws(StorageError) -> StoryEffect

/// A story that a feed brought and nobody has stored.
package struct IncomingStory {
  /// The URL of the feed.
  package let feed: String
  package let item: Item
  private let delivery: FeedDelivery
  private let story: Int

  init(_ story: Int, of delivery: FeedDelivery) throws(StorageError) {
    feed = delivery.feed
    item = try delivery.item(story)
    (self.delivery, self.story) = (delivery, story)
  }

  /// Whether it comes with marks of its own: from a file, a server or another machine.
  var isImported: Bool { !delivery.imported.isEmpty }

  /// Its whole text, where the summary is not all of it.
  package func text() throws(StorageError) -> StoryText? { try delivery.text(of: story) }
}

/// What becomes of a story as it comes.
package struct StoryEffect: Hashable, Sendable {
  package var isFiltered = false
  package var isRead = false
  /// Whether its feed's stories come read: only what no other feed brings with them is so.
  package var arrivesRead = false
  package var isStarred = false
  package var tags: [String] = []
  /// Texts that the reader has typed elsewhere.
  var texts: [SyncKey.StoryMark: String] = [:]
  /// The names of the rules that decided so.
  package var rules: [String] = []

  package init() {}

  /// Takes up what a rule of a name does.
  package mutating func add(_ actions: [StoryAction], of rule: String) {
    for action in actions {
      switch action {
      case .read: isRead = true
      case .star: isStarred = true
      case .drop: isFiltered = true
      case .tag(let tag): if !tags.contains(tag) { tags.append(tag) }
      }
    }
    if !actions.isEmpty, !rules.contains(rule) { rules.append(rule) }
  }
}

extension StoryEffect {
  var comesRead: Bool { isRead || arrivesRead }

  /// Takes up what was said of the same story as another feed brought it.
  mutating func add(_ other: StoryEffect) {
    isRead = isRead || other.isRead
    arrivesRead = arrivesRead && other.arrivesRead
    isStarred = isStarred || other.isStarred
    tags += other.tags.filter { !tags.contains($0) }
    texts.merge(other.texts) { own, _ in own }
    rules += other.rules.filter { !rules.contains($0) }
  }
}

extension StoredItem {
  mutating func take(_ effect: StoryEffect) {
    isRead = isRead || effect.comesRead
    isStarred = effect.isStarred
    tags = effect.tags
    typedTexts = effect.texts
    rules = effect.rules
  }
}

extension MergedFeed {
  /// Asks what becomes of the stories that this feed did not bring before.
  mutating func evaluate(_ evaluate: StoryEvaluator) throws(StorageError) {
    for story in new {
      let effect = try evaluate(try IncomingStory(story, of: delivery))
      if effect != StoryEffect() { effects[story] = effect }
    }
  }

  /// Whether a story is as if the feed had not carried it.
  func isFiltered(_ story: Int) -> Bool {
    effects[story]?.isFiltered ?? false
  }
}
