package import FeedModel
package import FeedStorage
package import System

/// Stories on their way into the store, whoever brings them: a refresh, a file, a server, another
/// machine.
///
/// Merges what was delivered with what is stored, and gives the one change that is to be saved.
package struct IncomingStories {
  private var merge: ItemMerge
  /// What was found out about each feed, in the order of the deliveries.
  package let findings: [(feed: String, findings: FeedFindings)]

  package init(
    _ deliveries: [FeedDelivery],
    into items: ItemTable,
    now: Date,
    evaluator: StoryJudge? = nil,
  ) throws(StorageError) {
    merge = ItemMerge(items, now: now, judge: evaluator)
    findings = zip(deliveries, try merge.deliver(deliveries)).map { ($0.feed, $1) }
  }

  /// The stories that are new.
  package var insertions: Insertions { merge.insertions }

  /// Marks that stored stories got from those that were delivered.
  package var marks: ImportedMarks { merge.marks }

  /// Has stories follow feeds that have moved.
  package mutating func move(_ moves: [(from: String, to: String)]) throws(StorageError) {
    try merge.move(moves)
  }

  /// What becomes of the stories, their texts and marks; subscriptions and undo are the caller's.
  package func change() throws(StorageError) -> LibraryChange {
    var change = LibraryChange(items: try merge.edits(), source: merge.insertions.story)
    change.texts = merge.texts
    change.brought = merge.insertions.ruledMarks
    return change
  }
}

extension [Subscription] {
  /// With what is to stay away.
  package func with(_ findings: [(feed: String, findings: FeedFindings)]) -> [Subscription] {
    let found = Dictionary(findings.map { ($0.feed, $0.findings) }) { first, _ in first }
    return map { subscription in
      guard let findings = found[subscription.url] else { return subscription }
      var copy = subscription
      let new = findings.cleared.filter { !copy.state.cleared.contains($0) }
      if !new.isEmpty { copy.state.remember(cleared: new) }
      return copy
    }
  }
}
