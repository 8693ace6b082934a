import FeedStorage

/// The stored stories that are worth a close look: those that share an id, guid, link or title with
/// a delivered one that is not recognised yet, or were changed.
///
/// PERF: found in one pass for all feeds, since each look at a story far from the last one may cost
/// a page of the data file.
struct CloseStories {
  /// By position in the table; none when there are no close ones.
  private var isClose: [Bool] = []

  init<Table: StoryTable>(
    to feeds: [DeliveredFeed],
    in merge: ItemMerge<Table>,
  ) throws(StorageError) {
    guard var scanner = merge.table.scanner() else { return }
    var wanted = WantedStories()
    for feed in feeds { try wanted.add(feed, onlyAcrossFeeds: feed.stored.isEmpty) }
    guard !wanted.isEmpty else { return }
    isClose = Array(repeating: false, count: merge.table.count)
    for position in isClose.indices {
      try scanner.move(to: position)
      isClose[position] = try wanted.mayBeOne(scanner)
    }
    add(merge.changed.keys)
  }

  func contains(_ position: Int) -> Bool {
    !isClose.isEmpty && isClose[position]
  }

  /// Takes in stories that have changed meanwhile.
  mutating func add(_ changed: some Sequence<Int>) {
    guard !isClose.isEmpty else { return }
    for position in changed { isClose[position] = true }
  }

  /// In the order of the table.
  var positions: some Sequence<Int> {
    isClose.indices.lazy.filter { isClose[$0] }
  }
}
