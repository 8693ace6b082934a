import FeedModel

struct AnsweredStory: Hashable, Sendable {
  enum Fate: Hashable, Sendable {
    /// Stored for the first time, with its number in the merge's insertions.
    case new(Int)
    /// Stored before, by any feed, or evicted once and back.
    case known(isRetitled: Bool)
    case keptAway
  }

  var date: Double?
  var fate: Fate
}

/// The news in a feed's answer, from which both the outcome and the counts follow.
package struct FeedNews: Hashable, Sendable {
  package private(set) var new: [Int] = []
  package private(set) var isChanged = false

  init() {}

  /// Finds the new stories, and the newest one: that with the greatest date, or the first without
  /// dates.
  ///
  /// Stories before `keptSince`, which retention would not keep, do not count; nil lets all count.
  init(of stories: [AnsweredStory], keptSince: Double? = nil) {
    var newest: AnsweredStory?
    for story in stories where story.fate != .keptAway {
      if case .new(let number) = story.fate, story.date ?? .infinity >= keptSince ?? -.infinity {
        new.append(number)
      }
      let isNewest = newest.map { $0.date ?? -.infinity < story.date ?? -.infinity } ?? true
      if isNewest { newest = story }
    }
    isChanged = newest?.fate == .known(isRetitled: true)
  }

  var outcome: Outcome { new.isEmpty && !isChanged ? .noData : .newData }
}
