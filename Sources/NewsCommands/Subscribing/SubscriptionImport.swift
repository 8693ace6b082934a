import FeedModel
import FeedStorage

/// Adds the subscriptions of a list, and keeps what else is in it, in one step.
struct SubscriptionImport {
  let store: LibraryStore

  /// - Returns: how many were added, and how many of them were there before.
  func add(_ list: ImportedList) throws(CommandError) -> (added: Int, known: Int) {
    do { try store.prepareHome() } catch { throw .failed("\(error)") }
    return try store.change { library throws(CommandError) in
      var merge = SubscriptionMerge(library.subscriptions)
      for subscription in list.subscriptions { merge.add(subscription) }
      var change = LibraryChange()
      if merge.hasChanged { change.subscriptions = merge.subscriptions }
      if let document = list.document { change.outlines = try outlines(with: document, merge) }
      return (change, (merge.added.count, merge.known.count))
    }
  }

  /// What is kept of lists, with this one; nil when it has nothing new.
  private func outlines(
    with document: OutlineDocument,
    _ merge: SubscriptionMerge,
  ) throws(CommandError) -> OutlineDocument? {
    let old = try store.outlines()
    var document = document
    for index in document.body.indices {
      document.body[index].feed = document.body[index].feed.flatMap(merge.listedURL)
    }
    let listed = Set(merge.subscriptions.map { $0.listedURL ?? $0.url })
    let new = old.adding(document, listed: listed)
    return new == old ? nil : new
  }
}
