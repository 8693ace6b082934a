import FeedModel

/// A story of a feed's answer, as far as the outcome is concerned.
struct AnsweredStory: Hashable, Sendable {
  enum Fate: Hashable, Sendable {
    /// Stored for the first time, as that of the merge's insertions.
    case new(Int)
    /// Stored before, by whichever feed; or dropped once, and back.
    case known(isRetitled: Bool)
    /// Kept away by a rule or by a clearing.
    case keptAway
  }

  /// In seconds since 2001; nil without one.
  var date: Double?
  var fate: Fate
}

/// The news in a feed's answer: the one rule of the outcome, by which the word and the counts agree.
package struct FeedNews: Hashable, Sendable {
  /// The stories that count as new, by their numbers in `ItemMerge.insertions`.
  package private(set) var new: [Int] = []
  /// Whether the newest story was stored before, under another title.
  package private(set) var isChanged = false

  init() {}

  /// Looks for what is new, and at the newest story: the one with the greatest date; without dates,
  /// the first.
  ///
  /// `keptSince` is as of when the oldest story counts that retention would keep; nil where it would
  /// keep all.
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
