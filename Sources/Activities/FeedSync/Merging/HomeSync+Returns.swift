internal import FeedLibrary
internal import FeedModel
import FeedStorage

/// The removals that other machines have taken back.
package struct SyncReturns: Hashable, Sendable {
  /// Keys of stories that are no longer deleted.
  var stories: Set<UInt64> = []
  /// URLs of feeds that are followed again.
  var feeds: Set<String> = []

  fileprivate func positions(
    in away: ItemTable,
    _ feeds: [Subscription],
    _ elsewhere: () -> MarksElsewhere?,
  ) throws -> Set<Int> {
    let marks = try SharedMarks(away, feeds)
    var found: Set<Int> = []
    try away.forEachStory(at: 0..<away.count) { position, story in
      let isBack = !stories.isDisjoint(with: marks.keys(of: position))
      let isOfFeed = try !self.feeds.isDisjoint(with: story.feedURLs())
      // A story of a feed that is back may have been deleted on its own.
      if try isBack || isOfFeed && elsewhere()?.isDeleted(&story) != true { found.insert(position) }
    }
    return found
  }
}

extension HomeSync {
  /// Brings back stories that had gone here with a removal elsewhere, and returns their number.
  ///
  /// They were set aside; no feed need have them any more. It is no step: the one that they went
  /// with stays.
  func bringBack(_ returns: SyncReturns) throws -> Int {
    guard returns != SyncReturns() else { return 0 }
    var count = 0
    // A story that went twice, as its feed has moved, comes back as it was last.
    let steps = try store.history().steps.reversed()
    for step in steps where step.origin.author.remote != nil && step.hasCleared {
      count += try store.change(waitAtMost: limit) { library in
        guard let away = try store.stories(clearedBy: step) else { return (LibraryChange(), 0) }
        lazy var elsewhere = MarksElsewhere(of: store, library.subscriptions)
        let chosen = try returns.positions(in: away, library.subscriptions) { elsewhere }
        guard !chosen.isEmpty else { return (LibraryChange(), 0) }
        let undo = try LibraryUndo(
          of: step,
          away,
          in: library,
          elsewhere,
          isTold: false,
          returning: chosen,
          now: now,
        )
        return (undo.change, undo.returned)
      }
    }
    return count
  }
}
