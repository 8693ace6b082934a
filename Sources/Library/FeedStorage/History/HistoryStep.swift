package import FeedModel
internal import System

/// A change of the user: its facts with the former values, all that is needed to take it back.
///
/// It is saved before the change. If a process is stopped in between, the next one finds a step
/// that names the versions of the files that are still there (`before`), and drops it.
package struct HistoryStep: Sendable {
  package internal(set) var number = 0
  /// The author of an answer is the one whose change it answers.
  package internal(set) var origin: ChangeOrigin
  /// The numbers of the earlier steps of the same change, which this one takes the place of.
  var turns: [Int] = []
  var before = StoreGeneration()
  /// True if it replaces the data file: as long as that is the former one, the change is not made.
  var isOfStories = false

  package var marked: [MarkedStories] = []
  package var added = ItemIDs()
  var feedsOfAdded: Set<String> = []
  package var returned = ItemIDs()
  /// Stories that a feed was taken from and other feeds kept, by feed.
  package var left: [FeedStories] = []
  /// Stories of other feeds to which a feed was added, by feed.
  package var joined: [FeedStories] = []
  package var feeds: [ListFact<Subscription>] = []
  package var rules: [ListFact<StoryRule>] = []
  package var lists: [ListFact<FeedList>] = []
  /// The former arrangement of lists; nil if it was not changed.
  package var outlines: OutlineDocument?
  /// The number of hashes by which each feed keeps more stories away.
  var keptAway: [String: Int] = [:]

  /// The runs of the stories that went, newest first; empty if all went.
  package internal(set) var runs: [ClearedRun] = []
  package internal(set) var orphanedFeeds: Set<String> = []
  var clearing: [Range<Int>] = []
  var dataFile: SetAsideFile?

  /// The number of the change that it is a step of.
  package var change: Int { origin.answered ?? number }

  package var hasCleared: Bool { dataFile != nil }

  package var isWhole: Bool { hasCleared && runs.isEmpty }

  func counts(_ stories: ItemTable) -> Bool {
    // The sum stops in time: a file may say any number any number of times.
    var total = 0
    for run in runs where total <= stories.count { total += run.count }
    return total == stories.count
  }

  /// Returns the subscriptions before the step, of a change that came no further than to them.
  func restoring(_ subscriptions: [Subscription]) -> [Subscription] {
    var restored = subscriptions.takingBack(feeds) { feed, old, new in
      if old.url != new.url || old.isForgotten(in: new) { feed = old }
      if new.isForgotten(in: old) { feed = feed.forgettingStories() }
      for part in SubscriptionPart.different(old, new) { part.take(&feed, from: old) }
    }
    for index in restored.indices {
      let cleared = restored[index].state.cleared
      restored[index].state.cleared.removeLast(
        min(keptAway[restored[index].url] ?? 0, cleared.count)
      )
    }
    return restored
  }

  /// The step as if it had done nothing but take stories away.
  package var takingAway: HistoryStep {
    var step = HistoryStep(origin: origin)
    (step.number, step.dataFile) = (number, dataFile)
    (step.runs, step.orphanedFeeds) = (runs, orphanedFeeds)
    return step
  }

  /// True of a change that nobody sees: how lists are arranged goes back with other facts, and is
  /// none alone.
  var isEmpty: Bool {
    marked.isEmpty && added.isEmpty && returned.isEmpty && left.isEmpty && joined.isEmpty
      && feeds.isEmpty && rules.isEmpty && lists.isEmpty && clearing.isEmpty
  }
}

/// A changed value of a story: the new one, or the former one if that says more.
package enum StoryFact: Hashable, Sendable {
  case article(StoredArticle)
  case flag(StoryFlag, Bool)
  case tagged(String)
  case untagged(String)
  /// A text that the user has typed, such as a note, with the former one; empty for none.
  case text(SyncKey.StoryMark, old: String, new: String)
}

package struct MarkedStories: Hashable, Sendable {
  package internal(set) var fact: StoryFact
  package internal(set) var ids: ItemIDs
}

/// Stories that a feed was taken from, or added to, beside other feeds that carry them.
package struct FeedStories: Hashable, Sendable {
  package internal(set) var feed: String
  package internal(set) var ids = ItemIDs()
  /// Stories that the feed brought first, and whose content it decides.
  package internal(set) var owned = ItemIDs()
}

package struct ListFact<Element: Hashable & Sendable>: Hashable, Sendable {
  /// The former element; nil for a new one.
  package internal(set) var old: Element?
  package internal(set) var new: Element?
  /// The name of the element before the old one.
  package internal(set) var previous: String?
}

package struct ClearedRun: Hashable, Sendable {
  package var count: Int
  /// The id of the story before them, if only that says their place.
  package var after: String?
}

/// The file with the stories that a step has taken away, beside the data file.
///
/// It is written for the step, or it is the data file itself, renamed, if all stories went.
struct SetAsideFile: Hashable, Sendable {
  var size: Int
  /// The number of its version, or 0: steps of earlier versions had a time.
  var version = 0
  /// The number in the file's name.
  var number = 0

  init(_ version: FileVersion, size: Int) { (self.version, self.size) = (version.number, size) }

  func isSame(as file: OpenFile, _ status: FileStatus) throws -> Bool {
    guard size == status.size, version != 0 else { return size == status.size }
    return try FileVersion(of: file, status).number == version
  }
}

/// The versions of a home's files before a change.
struct StoreGeneration: Hashable, Sendable {
  var files: [Int] = []

  init(files: [Int] = []) { self.files = files }

  init(of store: LibraryStore) throws {
    files = try StoreFile.ofLibrary.map { try FileVersion(at: store.path($0)).number }
  }

  /// The version of the data file.
  var stories: FileVersion { FileVersion(number: files.first ?? 0) }

  /// Returns true if all files are as they were, so that a change that was noted was never made.
  ///
  /// With `isOfStories` only the data file is looked at.
  func isCurrent(in store: LibraryStore, isOfStories: Bool = false) -> Bool {
    let known = StoreFile.ofLibrary
    // Earlier versions noted sizes and times.
    guard files.count == known.count else { return false }
    return zip(known, files).prefix(isOfStories ? 1 : known.count).allSatisfy { file, number in
      (try? FileVersion(at: store.path(file)).number) == number
    }
  }
}
