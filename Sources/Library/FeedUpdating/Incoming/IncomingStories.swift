import FeedLibrary
package import FeedModel
package import FeedStorage
package import System

package struct IncomingStories {
  private var merge: ItemMerge
  package let findings: [(feed: String, findings: FeedFindings)]

  init(
    _ deliveries: [FeedDelivery],
    into library: Library,
    now: Date,
    evaluator: StoryEvaluator?,
  ) throws {
    merge = ItemMerge(library.items, now: now, evaluate: evaluator)
    merge.words = StoryWords(library.subscriptions)
    merge.reading = ReadingSettings(library.subscriptions)
    findings = zip(deliveries, try merge.deliver(deliveries)).map { ($0.feed, $1) }
  }

  package var insertions: Insertions { merge.insertions }

  package var marks: ImportedMarks { merge.marks }

  mutating func move(_ moves: [(from: String, to: String)]) throws {
    try merge.move(moves)
  }

  fileprivate func change() throws -> LibraryChange {
    var change = LibraryChange()
    change.stories = try merge.changes()
    (change.stories.texts, change.stories.articles) = (merge.texts, merge.articles)
    let feeds = Set(findings.filter { $0.findings.stored > 0 }.map(\.feed))
    let insertions = merge.insertions
    change.stories.made = MadeStories(insertions.story, marked: insertions.ruledMarks) {
      (insertions.ids, feeds)
    }
    return change
  }
}

extension Library {
  /// Merges delivered stories, whether a refresh, a file, a server or another machine brings them.
  ///
  /// `now` must be taken under the lock, so that stored stories are newer than every version saved
  /// before. `finish` returns the subscriptions after the findings, and may move feeds' stories;
  /// without it, subscriptions only remember the cleared stories. The caller may add to the change.
  package func merging(
    _ deliveries: [FeedDelivery],
    now: Date,
    evaluator: StoryEvaluator? = nil,
    finish: ((inout IncomingStories) throws -> [Subscription])? = nil,
  ) throws -> (change: LibraryChange, incoming: IncomingStories) {
    var incoming = try IncomingStories(deliveries, into: self, now: now, evaluator: evaluator)
    let finished = try finish?(&incoming) ?? subscriptions.with(incoming.findings)
    var change = try incoming.change()
    if finished != subscriptions { change.feeds.subscriptions = finished }
    change.origin = ChangeOrigin(command: "", date: now, isStep: false)
    return (change, incoming)
  }
}

extension [Subscription] {
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
