import FeedModel
import FeedStorage

/// Takes subscriptions out of a library, with the stories that only they carried.
struct Unsubscribing {
  let library: Library
  let currentFolder: String?

  /// A subscription that went, and how many stories with it.
  struct Result: Hashable, Sendable {
    let subscription: Subscription
    var removed = 0
  }

  func change(_ words: [String]) throws(CommandError) -> (LibraryChange, [Result]) {
    var results: [Result] = []
    let selector = FeedSelector(
      subscriptions: library.subscriptions,
      currentFolder: currentFolder,
    )
    for word in words {
      for subscription in try selector.subscriptions(word)
      where !results.contains(where: { $0.subscription == subscription }) {
        results.append(Result(subscription: subscription))
      }
    }
    let gone = Set(results.map(\.subscription.url))
    let items: [ItemEdit]?
    do throws(StorageError) {
      items = try edits(gone, &results)
    } catch {
      throw .failed("\(error)")
    }
    let rest = library.subscriptions.filter { !gone.contains($0.url) }
    return (LibraryChange(items: items, subscriptions: rest), results)
  }

  /// The stories without those feeds; nil when none of them had any.
  private func edits(
    _ gone: Set<String>,
    _ results: inout [Result],
  ) throws(StorageError) -> [ItemEdit]? {
    var edits = ItemEdits()
    for index in 0..<library.items.count {
      let feeds = try library.items.feeds(at: index)
      let rest = feeds.filter { !gone.contains($0) }
      guard rest.count < feeds.count else { continue }
      let isStarred = try library.items.isStarred(at: index)
      if rest.isEmpty, !isStarred {
        edits.remove(index)
        count(feeds, &results)
      } else if !rest.isEmpty {
        var story = try library.items.item(at: index)
        story.feeds = rest
        edits.replace(index, with: story)
      }
    }
    edits.finish(count: library.items.count)
    return edits.isEmpty ? nil : edits.items
  }

  private func count(_ feeds: [String], _ results: inout [Result]) {
    for place in results.indices where feeds.contains(results[place].subscription.url) {
      results[place].removed += 1
      return
    }
  }
}
