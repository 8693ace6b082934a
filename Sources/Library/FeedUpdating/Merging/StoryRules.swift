import FeedLibrary
package import FeedModel

package struct StoryEffect: Hashable, Sendable {
  package var isFiltered = false
  /// The user's in another program, and the star of a rule.
  package var flags = StoryFlags()
  /// True if rules mark it as read; a story comes read only if they do for all feeds that bring it.
  package var arrivesRead = false
  @TagList package var tags: [String] = []
  package var notifies = false
  var texts: [SyncKey.StoryMark: String] = [:]
  package var rules: [String] = []

  package init() {}

  package mutating func add(_ actions: [StoryAction], of rule: String) {
    for action in actions {
      switch action {
      case .read: arrivesRead = true
      case .star: flags[.starred] = true
      case .drop: isFiltered = true
      case .notify: notifies = true
      case .tag(let tag): if !tags.contains(tag) { tags.append(tag) }
      }
    }
    if !actions.isEmpty, !rules.contains(rule) { rules.append(rule) }
  }
}

extension StoryEffect {
  package var comesRead: Bool { flags[.read] || arrivesRead }

  mutating func add(_ other: StoryEffect) {
    flags.formUnion(other.flags)
    arrivesRead = arrivesRead && other.arrivesRead
    tags += other.tags.filter { !tags.contains($0) }
    notifies = notifies || other.notifies
    texts.merge(other.texts) { own, _ in own }
    rules += other.rules.filter { !rules.contains($0) }
  }
}

extension StoredItem {
  mutating func take(_ effect: StoryEffect) {
    flags.formUnion(effect.flags)
    isRead = isRead || effect.arrivesRead
    tags = effect.tags
    typedTexts = effect.texts
    rules = effect.rules
  }
}

extension FeedDelivery {
  fileprivate func incoming(_ story: Int) throws -> IncomingStory {
    IncomingStory(feed: feed, item: try item(story)) { try text(of: story) }
  }
}

extension MergedFeed {
  mutating func evaluate(_ evaluate: StoryEvaluator) throws {
    for story in new {
      let effect = try evaluate(try delivery.incoming(story))
      if effect != StoryEffect() { effects[story] = effect }
    }
  }

  func isFiltered(_ story: Int) -> Bool {
    effects[story]?.isFiltered ?? false
  }
}
