import FeedLibrary
internal import FeedModel
package import FeedStorage
import FeedUpdating
internal import System

package struct SyncResult: Hashable, Sendable {
  /// Values changed here, or sent to a server.
  package var sent = 0
  package var marked = 0
  package var deleted = 0
  package var added = 0
  package var removed = 0
  package var removedNames: [String] = []
  /// The machines and servers that the changes came from.
  package var authors = ""
  var returns = SyncReturns()
  package var pending = PendingConsent()
  /// Feeds with another URL, title, tags or settings.
  package var changed = 0
  package var rules = 0
  package var rulesLeftOut = 0
  package var tagsLeftOut = 0
  package var stories = 0

  package init() {}

  package var taken: Int { marked + deleted + added + removed + changed + rules + stories }
}

extension SyncMerge {
  /// The change to save, without the merge's own file.
  ///
  /// `news undo` takes back a merge that changed feeds or rules. With `undoesMarks` it takes back
  /// one that changed only marks, too.
  package mutating func change(
    by origin: ChangeOrigin,
    undoesMarks: Bool,
  ) throws -> (LibraryChange, SyncResult) {
    let deleted = try takeDeletions()
    finish()
    let (all, gone) = subscriptions
    let origin = try self.origin(origin, deleted, gone)
    let ((newRules, leftOut), (adjustments, tagsLeftOut)) = (newRules, adjustments)
    let going = Set(deleted)
    let marks = adjustments.filter { !going.contains($0.key) }
    var result = SyncResult()
    let old = Set(library.subscriptions.map(\.url))
    result.added = all.count { !old.contains($0.url) }
    result.removed = gone.count
    result.removedNames = gone.map { $0.title ?? $0.state.title ?? WebURL.redacted($0.url) }
    result.pending = pending
    let kept = Set(library.subscriptions)
    result.changed = all.count { old.contains($0.url) && !kept.contains($0) }
    let changedRules = Set(newRules).symmetricDifference(rules)
    result.rules = Set(changedRules.map { $0.name.lowercased() }).count
    (result.rulesLeftOut, result.tagsLeftOut) = (leftOut, tagsLeftOut)
    (result.marked, result.deleted) = (marks.count, deleted.count)
    result.sent = sent
    if !(gone.isEmpty && deleted.isEmpty) { result.authors = origin.author.remote ?? "" }
    var change = LibraryChange()
    let (back, unhidden) = (Set(all.lazy.map(\.url)).subtracting(old), comingBack)
    result.returns = SyncReturns(stories: unhidden, feeds: back)
    var feeds = all.map { feed in
      (back.contains(feed.url) ? library.asBefore(feed) : feed).forgetting(cleared: unhidden)
    }
    if !gone.isEmpty || !deleted.isEmpty {
      let (cleared, clearing) = try library.unsubscribing(from: gone, deleting: deleted, origin)
      change = cleared
      feeds = feeds.map(clearing.cleared)
    }
    change.feeds.subscriptions = feeds == library.subscriptions ? nil : feeds
    if !gone.isEmpty || !back.isEmpty {
      change.feeds.formerFeeds = library.formerFeeds(with: gone, without: feeds)
    }
    for (position, new) in marks { change.stories.adjust(position, new) }
    if newRules != rules { take(newRules, &change) }
    let isStep =
      all != library.subscriptions || change.rules != nil
      || !deleted.isEmpty || undoesMarks && !marks.isEmpty
    change.origin = isStep ? origin : nil
    return (change, result)
  }

  /// Returns the origin of the change, by the machines that have deleted these stories and ended these
  /// feeds, or else by all others.
  private func origin(
    _ origin: ChangeOrigin,
    _ deleted: [Int],
    _ gone: [Subscription],
  ) throws -> ChangeOrigin {
    guard origin.author == .user else { return origin }
    let known =
      deleted.compactMap { register(.deleted, of: stories.keys(of: $0))?.stamp.machine }
      + gone.compactMap { merged.registers[.feed($0.sharedURL, .followed)]?.stamp.machine }
    let machines = known.isEmpty ? Set(state.names.keys) : Set(known)
    let names = machines.subtracting([state.machine]).compactMap { state.names[$0] }
    var origin = origin
    origin.isForGood = !deleted.isEmpty
    origin.author = .remote(
      names.isEmpty ? "another machine" : names.sorted().joined(separator: ", ")
    )
    return origin
  }

  private func take(_ rules: [StoryRule], _ change: inout LibraryChange) {
    change.rules = rules
    change.feeds.areSavedFirst = true
    let gone = self.rules.filter { !rules.contains($0) }
    guard gone.contains(where: \.drops) else { return }
    // Stories dropped by a rule that is gone come back with the next document.
    let feeds = change.feeds.subscriptions ?? library.subscriptions
    change.feeds.subscriptions = feeds.map { $0.forgettingDocument() }
  }
}

/// Facts of a feed that are not synchronized survive a removal by another machine.
extension Library {
  fileprivate func formerFeeds(
    with gone: [Subscription],
    without followed: [Subscription],
  ) -> [Subscription] {
    let (new, followed) = (Set(gone.map(\.sharedURL)), Set(followed.map(\.sharedURL)))
    let old = self.feeds.formerFeeds.filter {
      !new.contains($0.sharedURL) && !followed.contains($0.sharedURL)
    }
    let local = gone.map(\.local).filter { $0 != Subscription(url: $0.sharedURL) }
    return (old + local).suffix(FollowedFeeds.mostFormerFeeds)
  }

  /// A feed that others follow again, with the local facts of its former subscription.
  fileprivate func asBefore(_ feed: Subscription) -> Subscription {
    guard let former = feeds.formerFeeds.last(where: { $0.sharedURL == feed.sharedURL }) else {
      return feed
    }
    var copy = feed
    copy.takeLocalFacts(of: former)
    return copy
  }
}

extension Subscription {
  fileprivate var local: Subscription {
    var copy = Subscription(url: url)
    copy.takeLocalFacts(of: self)
    return copy
  }

  fileprivate mutating func takeLocalFacts(of other: Subscription) {
    (url, listedURL) = (other.url, other.listedURL)
    (passwordCommand, headers) = (other.passwordCommand, other.headers)
    (filter, route) = (other.filter, other.route)
    if other.state.isOnInternet == false { state.isOnInternet = false }
  }
}
