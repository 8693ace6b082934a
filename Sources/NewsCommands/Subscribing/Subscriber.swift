import FeedFetching
import FeedModel
import FeedStorage

/// Adds subscriptions to the library.
struct Subscriber {
  let context: CommandContext
  let store: LibraryStore

  /// Adds what is not there yet, in one step.
  ///
  /// - Returns: those that were added, and what they equal of those that were there.
  func add(
    _ new: [Subscription]
  ) throws(CommandError) -> (added: [Subscription], known: [Subscription]) {
    do { try store.prepareHome() } catch { throw .failed("\(error)") }
    return try store.change { library throws(CommandError) in
      var merge = SubscriptionMerge(library.subscriptions)
      for subscription in new { merge.add(subscription) }
      let changed = merge.hasChanged ? merge.subscriptions : nil
      return (LibraryChange(subscriptions: changed), (merge.added, merge.known))
    }
  }
}
