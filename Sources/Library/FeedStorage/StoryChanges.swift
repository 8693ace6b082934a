package import FeedModel

/// The changes of the stored stories, by their positions in the data file, and the stories placed
/// among them.
package struct StoryChanges: Sendable {
  /// Values of stories that stay; the rest of them is copied as bytes.
  package var adjusted: [Int: ItemAdjustment] = [:]
  /// Stories with new content; unknown entries of their dictionaries are kept.
  package var replaced: [Int: StoredItem] = [:]
  package var removed: Set<Int> = []
  /// Removed stories that somebody has deleted: other machines hear of it.
  package var deleted: Set<Int> = []
  /// Removed stories whose marks are taken back.
  package var withdrawn: Set<Int> = []
  private var moved: Set<Int> = []
  private(set) var placed: [(before: Int, story: PlacedStory)] = []
  package var made: MadeStories?
  package var returning: ReturningStories?
  package var texts: [NewText] = []
  /// Articles of pages, by `StoredItem.articleKey`.
  package var articles: [NewText] = []

  package init() {}

  /// Places stories before a stored one.
  package init(
    adding stories: [StoredItem],
    before position: Int = 0,
    removing positions: some Sequence<Int> = [],
  ) {
    made = MadeStories(
      { stories[$0] },
      all: { (ItemIDs(stories.map(\.id)), Set(stories.flatMap(\.feeds))) },
    )
    placed = stories.indices.map { (position, .made($0)) }
    removed = Set(positions)
  }

  /// Places a story before a stored one, behind all that were placed there already.
  ///
  /// A stored story has left its position before.
  package mutating func place(_ story: PlacedStory, before position: Int) {
    placed.append((position, story))
  }

  /// Takes a stored story from its position, to be placed elsewhere.
  ///
  /// - Returns: false if it is removed, or has left already.
  package mutating func leave(_ position: Int) -> Bool {
    !removed.contains(position) && moved.insert(position).inserted
  }

  package mutating func expect(_ count: Int) { placed.reserveCapacity(count) }

  package mutating func adjust(_ position: Int, _ new: ItemAdjustment) {
    adjusted[position, default: ItemAdjustment()].take(new)
  }

  package var isEmpty: Bool {
    adjusted.isEmpty && replaced.isEmpty && removed.isEmpty && placed.isEmpty
      && returning?.isWhole != true
  }

  package func count(of stored: Int) -> Int {
    stored - removed.count - moved.count + placed.count
      + (returning.map { $0.isWhole ? $0.table.count : 0 } ?? 0)
  }

  package func leaves(_ position: Int) -> Bool {
    removed.contains(position) || moved.contains(position)
  }

  var touched: [Int] { (Array(adjusted.keys) + replaced.keys + removed + moved).sorted() }
}

package enum PlacedStory: Hashable, Sendable {
  case stored(Int)
  case made(Int)
  /// A story of `StoryChanges.returning`, by its position, with other values; the rest is copied as
  /// bytes.
  indirect case returned(Int, ItemAdjustment)
  indirect case returnedReplaced(Int, StoredItem)
}

/// Stories that are made one at a time, when they are saved.
package struct MadeStories: Sendable {
  /// Makes a story by its number; called once for each that is placed, in their order.
  let story: StorySource
  let all: (@Sendable () -> (ids: ItemIDs, feeds: Set<String>))?
  /// Marks that the user or rules give, by number, with the stories' tags and texts.
  let marked: [Int: ItemMarks]

  package init(
    _ story: @escaping StorySource,
    marked: [Int: ItemMarks] = [:],
    all: (@Sendable () -> (ids: ItemIDs, feeds: Set<String>))? = nil,
  ) {
    (self.story, self.marked, self.all) = (story, marked, all)
  }
}

package struct ReturningStories: Sendable {
  let table: ItemTable
  /// True if the file, a former data file, becomes the data file again as a whole.
  let isWhole: Bool

  package init(_ table: ItemTable, isWhole: Bool = false) {
    (self.table, self.isWhole) = (table, isWhole)
  }
}

extension StoryChanges {
  /// Calls `body` with the changes of stories that stay, without their content; neighbours with
  /// equal changes are one run.
  func forEachAdjustment(
    of table: ItemTable,
    _ body: (Range<Int>, ItemAdjustment) throws -> Void,
  ) throws {
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

  /// Calls `body` with the stories that come back, as they were, and what is changed of them.
  func forEachReturned(_ body: (inout ItemReader, ItemAdjustment) throws -> Void) throws {
    guard let returning, var reader = ItemReader(returning.table) else { return }
    for (_, story) in placed {
      switch story {
      case .returned(let position, let new):
        try reader.move(to: position)
        try body(&reader, new)
      case .returnedReplaced(let position, let story):
        try reader.move(to: position)
        let new = try reader.item().adjustment(to: story)
        try body(&reader, new)
      case .stored, .made: break
      }
    }
  }

  /// The positions of stories that come back as they were.
  var returned: [Int] {
    placed.compactMap {
      switch $0.story {
      case .returned(let position, _): position
      case .stored, .made, .returnedReplaced: nil
      }
    }
  }
}

extension StoredItem {
  fileprivate func adjustment(to new: StoredItem) -> ItemAdjustment {
    var adjustment = ItemAdjustment(
      marks: ItemMarks(from: flags, to: new.flags),
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
