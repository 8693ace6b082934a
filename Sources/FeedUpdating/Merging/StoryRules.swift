package import FeedModel
package import FeedStorage

/// Makes the evaluator of new stories for each save, with the subscriptions as they are then.
package typealias StoryRules = @Sendable ([Subscription]) -> StoryEvaluator

package typealias StoryEvaluator = (IncomingStory) throws(StorageError) -> StoryEffect

package struct IncomingStory {
  package let feed: String
  package let item: Item
  private let delivery: FeedDelivery
  private let story: Int

  init(_ story: Int, of delivery: FeedDelivery) throws(StorageError) {
    feed = delivery.feed
    item = try delivery.item(story)
    (self.delivery, self.story) = (delivery, story)
  }

  /// True if it comes with marks of its own: from a file, a server or another machine.
  var isImported: Bool { !delivery.imported.isEmpty }

  /// The whole text, or nil if the summary is all of it.
  package func text() throws(StorageError) -> StoryText? { try delivery.text(of: story) }
}

package struct StoryEffect: Hashable, Sendable {
  package var isFiltered = false
  package var isRead = false
  /// True if the feed's stories arrive read; a story does only if all feeds that bring it say so.
  package var arrivesRead = false
  package var isStarred = false
  package var tags: [String] = []
  package var notifies = false
  var texts: [SyncKey.StoryMark: String] = [:]
  package var rules: [String] = []

  package init() {}

  package mutating func add(_ actions: [StoryAction], of rule: String) {
    for action in actions {
      switch action {
      case .read: isRead = true
      case .star: isStarred = true
      case .drop: isFiltered = true
      case .notify: notifies = true
      case .tag(let tag): if !tags.contains(tag) { tags.append(tag) }
      }
    }
    if !actions.isEmpty, !rules.contains(rule) { rules.append(rule) }
  }
}

extension StoryEffect {
  var comesRead: Bool { isRead || arrivesRead }

  mutating func add(_ other: StoryEffect) {
    isRead = isRead || other.isRead
    arrivesRead = arrivesRead && other.arrivesRead
    isStarred = isStarred || other.isStarred
    tags += other.tags.filter { !tags.contains($0) }
    notifies = notifies || other.notifies
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
  mutating func evaluate(_ evaluate: StoryEvaluator) throws(StorageError) {
    for story in new {
      let effect = try evaluate(try IncomingStory(story, of: delivery))
      if effect != StoryEffect() { effects[story] = effect }
    }
  }

  func isFiltered(_ story: Int) -> Bool {
    effects[story]?.isFiltered ?? false
  }
}
