package import FeedModel

/// What becomes of the stored stories, by their positions in the data file, and what comes among them.
package struct StoryChanges: Sendable {
  /// Values that stories get which stay; the rest of them is copied as bytes.
  package var adjusted: [Int: ItemAdjustment] = [:]
  /// Stories with new content; what their dictionaries hold besides is kept.
  package var replaced: [Int: StoredItem] = [:]
  package var removed: Set<Int> = []
  /// Those removed that somebody has deleted, or cleared as read: other machines hear of it.
  package var deleted: Set<Int> = []
  /// Those removed of which the marks are taken back.
  package var withdrawn: Set<Int> = []
  private var moved: Set<Int> = []
  private(set) var placed: [(before: Int, story: PlacedStory)] = []
  /// The maker of the stories that are placed by number.
  package var made: MadeStories?
  /// The stories that had gone, of which some are placed again.
  package var returning: ReturningStories?
  /// Whole texts of stories.
  package var texts: [NewText] = []
  /// Pages' articles that stories get beside them, by `StoredItem.articleKey`.
  package var articles: [NewText] = []

  package init() {}

  /// Puts new stories before all that are stored.
  package init(adding stories: [StoredItem], removing positions: some Sequence<Int> = []) {
    placed = stories.map { (0, .new($0)) }
    removed = Set(positions)
  }

  /// Puts a story before a stored one, behind all that were placed already.
  ///
  /// A stored story that is placed leaves the position that it had.
  package mutating func place(_ story: PlacedStory, before position: Int) {
    if case .stored(let old) = story { moved.insert(old) }
    placed.append((position, story))
  }

  package mutating func expect(_ count: Int) { placed.reserveCapacity(count) }

  package mutating func adjust(_ position: Int, _ new: ItemAdjustment) {
    adjusted[position, default: ItemAdjustment()].take(new)
  }

  /// Says that the data file stays as it is.
  package var isEmpty: Bool {
    adjusted.isEmpty && replaced.isEmpty && removed.isEmpty && placed.isEmpty
      && returning?.whole == nil
  }

  /// The number of stories that there are then, of so many that are stored.
  package func count(of stored: Int) -> Int {
    stored - removed.count - moved.count + placed.count
      + (returning?.whole == nil ? 0 : returning?.table.count ?? 0)
  }

  /// Returns whether a story is no longer at its position.
  func leaves(_ position: Int) -> Bool { removed.contains(position) || moved.contains(position) }

  /// The positions of stories that do not stay as and where they are, ascending; some stand twice.
  var touched: [Int] { (Array(adjusted.keys) + replaced.keys + removed + moved).sorted() }
}

/// A story that is put among those that are stored.
package enum PlacedStory: Hashable, Sendable {
  /// A stored one that had another position.
  case stored(Int)
  // PERF: boxed, so that sorting those of a refresh moves pointers, not whole stories.
  indirect case new(StoredItem)
  /// The number of one that `StoryChanges.made` makes.
  case made(Int)
  /// The position of one in `StoryChanges.returning`, with other values; the rest is copied as bytes.
  indirect case returned(Int, ItemAdjustment)
  /// The same with new content.
  indirect case returnedReplaced(Int, StoredItem)
}

/// Stories that are made one at a time, when they are saved.
package struct MadeStories: Sendable {
  /// Makes a story by its number; called once for each that is placed, in their order.
  let story: StorySource
  /// Finds the ids of them all, and their feeds, where that is wanted.
  let all: (@Sendable () -> (ids: ItemIDs, feeds: Set<String>))?
  /// Marks that they get because somebody, or a rule, says so, by their numbers, with the tags and texts
  /// that they have there.
  let marked: [Int: ItemMarks]

  package init(
    _ story: @escaping StorySource,
    marked: [Int: ItemMarks] = [:],
    all: (@Sendable () -> (ids: ItemIDs, feeds: Set<String>))? = nil,
  ) {
    (self.story, self.marked, self.all) = (story, marked, all)
  }
}

/// Stories that a step of the history had taken away.
package struct ReturningStories: Sendable {
  let table: ItemTable
  /// The step that had set the data file aside as a whole, which takes its place again.
  let whole: HistoryStep?

  package init(_ table: ItemTable, whole: HistoryStep? = nil) {
    (self.table, self.whole) = (table, whole)
  }
}

extension StoryChanges {
  /// Calls `body` with what becomes of the stored stories that stay, their content apart; neighbours that
  /// become alike are one run.
  func forEachAdjustment(
    of table: ItemTable,
    _ body: (Range<Int>, ItemAdjustment) throws(StorageError) -> Void,
  ) throws(StorageError) {
    var run: (positions: Range<Int>, new: ItemAdjustment)?
    for (position, new) in adjusted.sorted(by: { $0.key < $1.key })
    where !removed.contains(position) {
      if let last = run, last.positions.upperBound == position, last.new == new {
        run?.positions = last.positions.lowerBound..<position + 1
        continue
      }
      if let run { try body(run.positions, run.new) }
      run = (position..<position + 1, new)
    }
    if let run { try body(run.positions, run.new) }
    for (position, story) in replaced.sorted(by: { $0.key < $1.key })
    where !removed.contains(position) {
      try body(position..<position + 1, try table.item(at: position).adjustment(to: story))
    }
  }

  /// The positions of the stories that return.
  var returned: [Int] {
    placed.compactMap {
      switch $0.story {
      case .returned(let position, _), .returnedReplaced(let position, _): position
      case .stored, .new, .made: nil
      }
    }
  }
}

extension StoredItem {
  fileprivate func adjustment(to new: StoredItem) -> ItemAdjustment {
    let marks = ItemMarks(
      isRead: new.isRead == isRead ? nil : new.isRead,
      isStarred: new.isStarred == isStarred ? nil : new.isStarred,
    )
    var adjustment = ItemAdjustment(
      marks: marks,
      feeds: new.feeds == feeds ? nil : new.feeds,
      tags: new.tags == tags ? nil : new.tags,
      article: new.article == article ? nil : new.article,
    )
    let (old, new) = (typedTexts, new.typedTexts)
    for mark in SyncKey.StoryMark.texts where old[mark] != new[mark] {
      adjustment.texts[mark] = new[mark] ?? ""
    }
    return adjustment
  }
}
