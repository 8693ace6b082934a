package import FeedModel
package import System

/// A change of the reader's: its facts, with what was there before; all that is needed to take it back.
///
/// It is saved before the change. Whoever is stopped in between finds a step that names the versions
/// of the files that are still there (`before`), and drops it.
package struct HistoryStep: Sendable {
  package internal(set) var number = 0
  /// The command's words without operands, such as `read` or `clear --feed`.
  package internal(set) var command: String
  package internal(set) var date: Date
  /// The number of the step that it takes back, or does again; nil for one of its own.
  package internal(set) var answered: Int?
  /// Says that it takes that step back.
  package internal(set) var isBack = false
  var before = StoreGeneration()
  /// Says that it has the data file replaced: as long as that is the one of before, it is not made.
  var isOfStories = false
  /// Says that it goes on with the last step, until it is saved.
  var joinsLast = false

  /// Stories of which a value has changed alike.
  package var marked: [MarkedStories] = []
  /// Stories that are new.
  package var added = ItemIDs()
  /// The feeds of those.
  var feedsOfAdded: Set<String> = []
  /// Stories that had gone, and are back.
  package var returned = ItemIDs()
  /// For each feed that stories were taken from, those that others kept.
  package var left: [FeedStories] = []
  /// For each feed that has stories besides, those that had been others' alone.
  package var joined: [FeedStories] = []
  package var feeds: [ListFact<Subscription>] = []
  package var rules: [ListFact<StoryRule>] = []
  /// What imported lists had besides their feeds, where that was changed.
  package var outlines: OutlineDocument?
  /// Says that the stories that went are to stay away, or that those that are back were.
  package var isForGood = false
  /// Of how many hashes more each feed keeps stories away.
  var keptAway: [String: Int] = [:]

  /// Where the stories were that went, newest first; empty where all went.
  package internal(set) var runs: [ClearedRun] = []
  /// Feeds of those stories that were followed no more even then.
  package internal(set) var orphanedFeeds: Set<String> = []
  /// Where the stories stand that go, until the step is saved.
  var clearing: [Range<Int>] = []
  /// The file with the stories that went; nil where none did.
  var dataFile: SetAsideFile?

  /// What earlier versions noted otherwise.
  var former = FormerUndo()

  package init(command: String, date: Date) {
    self.command = command
    self.date = date
  }

  /// Says that stories went.
  package var hasCleared: Bool { dataFile != nil }

  /// Says that all stories went.
  package var isWhole: Bool { hasCleared && runs.isEmpty }

  /// Returns whether the runs are made up of these stories.
  func counts(_ stories: ItemTable) -> Bool {
    // Stops in time: a file may say any number any number of times.
    var total = 0
    for run in runs where total <= stories.count { total += run.count }
    return total == stories.count
  }

  /// Returns subscriptions as they were before the step, where it came no further than to them.
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

  /// Says that it changes nothing.
  var isEmpty: Bool {
    marked.isEmpty && added.isEmpty && returned.isEmpty && left.isEmpty && joined.isEmpty
      && feeds.isEmpty && rules.isEmpty && outlines == nil && clearing.isEmpty
  }
}

/// A value of a story that has changed: what it has become, or where that says more, what it was.
package enum StoryFact: Hashable, Sendable {
  /// The article of before.
  case article(StoredArticle)
  case read(Bool)
  case starred(Bool)
  case tagged(String)
  case untagged(String)
  /// A text that the reader has typed, such as a note, and that of before; empty where there is none.
  case text(SyncKey.StoryMark, old: String, new: String)
}

/// Stories of which one value has changed alike.
package struct MarkedStories: Hashable, Sendable {
  package internal(set) var fact: StoryFact
  package internal(set) var ids: ItemIDs
}

/// Stories that a feed was taken from, or given to, beside other feeds that carry them.
package struct FeedStories: Hashable, Sendable {
  package internal(set) var feed: String
  package internal(set) var ids = ItemIDs()
  /// Those of them that the feed brought first, and whose content it decides.
  package internal(set) var owned = ItemIDs()
}

/// An element of a list that the reader has in an order: what it was, and what it has become.
package struct ListFact<Element: Hashable & Sendable>: Hashable, Sendable {
  /// nil where there was none.
  package internal(set) var old: Element?
  /// nil where there is none any more.
  package internal(set) var new: Element?
  /// What the element before the old one was called.
  package internal(set) var previous: String?
}

/// Stories that went and that followed one another.
package struct ClearedRun: Hashable, Sendable {
  package var count: Int
  /// The id of the story before them where only that says their place; nil otherwise.
  package var after: String?
}

/// The stories that a step has taken away, in a file of their own beside the data file: written for
/// it, or the data file itself, which is renamed where all of it went.
struct SetAsideFile: Hashable, Sendable {
  var size: Int
  /// The time of its last change, in nanoseconds.
  var changed: Int
  /// The number in its name; nil for the one name that earlier versions had.
  var number: Int?

  init(size: Int, changed: Int, number: Int? = nil) {
    (self.size, self.changed, self.number) = (size, changed, number)
  }

  init(_ status: FileStatus, number: Int?) {
    self.init(size: status.size, changed: status.modified, number: number)
  }

  func isSame(as status: FileStatus) -> Bool {
    size == status.size && changed == status.modified
  }
}

/// The versions of a home's files that a change was made from: the size and the time of each.
struct StoreGeneration: Hashable, Sendable {
  var files: [Int] = []

  private static let names = ["newsdata.plist", "feeds.plist", "rules.plist", "outlines.plist"]

  init(files: [Int] = []) { self.files = files }

  init(of store: LibraryStore) {
    files = Self.names.flatMap { name in
      let status = FileStatus(at: store.path(name))
      return [status?.size ?? 0, status?.modified ?? 0]
    }
  }

  /// Returns whether nothing has become of a change that was noted in a file: all is as it was before
  /// the note.
  ///
  /// Files have the times of the kernel's ticks: what is as late as the note may have come behind it.
  ///
  /// With `isOfStories` the data file alone is looked at.
  func isCurrent(
    in store: LibraryStore,
    notedIn path: String,
    isOfStories: Bool = false,
  ) -> Bool {
    let count = isOfStories ? 2 : files.count
    guard files.count >= 2, let noted = FileStatus(at: path)?.modified,
      StoreGeneration(of: store).files.prefix(count) == files.prefix(count)
    else { return false }
    return stride(from: 1, to: count, by: 2).allSatisfy { files[$0] < noted }
  }
}
