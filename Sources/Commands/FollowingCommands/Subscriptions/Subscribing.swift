package import CommandSupport
package import FeedLibrary
package import FeedModel
import FeedParsing
import FeedStorage
import Searching

extension LibraryStore {
  /// Adds new subscriptions and rules, and keeps the rest of an imported list, in one change.
  ///
  /// With `joinsLast` it joins the last step of `undo`, which was the same command's.
  package func subscribe(
    to new: [Subscription],
    of list: OutlineDocument? = nil,
    rules: [StoryRule] = [],
    by context: CommandContext,
    joinsLast: Bool = false,
  ) throws -> SubscriptionMerge {
    try prepareHome()
    var lines: [String] = []
    let merge = try change { library in
      let known = library.subscriptions
      var merge = list == nil ? SubscriptionMerge(known) : SubscriptionMerge(forList: known)
      for subscription in new { merge.add(subscription, replacingTitle: list == nil) }
      var change = LibraryChange(subscriptions: merge.hasChanged ? merge.subscriptions : nil)
      if let list { change.outlines = try outlines(with: list, merge) }
      let oldRules = rules.isEmpty ? [] : try self.rules()
      let names = oldRules.map { TextFolding.fold($0.name) }
      let newRules = rules.filter { !names.contains(TextFolding.fold($0.name)) }
      if !newRules.isEmpty { change.rules = oldRules + newRules }
      guard merge.hasChanged || change.outlines != nil || change.rules != nil else {
        return (change, merge)
      }
      change.origin = context.origin
      change.origin?.joinsLast = joinsLast
      lines = try context.followFeeds(&change, of: library)
      return (change, merge)
    }
    for line in lines { context.say(line) }
    for feed in merge.subscriptions where feed.$tags.leftOut > 0 {
      context.complain("\(FeedName.printable(feed)): tags left out: \(TagLimit())")
    }
    return merge
  }

  /// Returns the lists that are kept, with this one; nil when it has nothing new.
  private func outlines(
    with list: OutlineDocument,
    _ merge: SubscriptionMerge,
  ) throws -> OutlineDocument? {
    let old = try readOutlines()
    var list = list
    list.body = list.body.renamingFeeds(merge.listedURL)
    let listed = Set(merge.subscriptions.map { $0.listedURL ?? $0.url })
    let new = old.adding(list, listed: listed)
    return new == old ? nil : new
  }
}
