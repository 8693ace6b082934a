import FeedStorage

/// The numbers that a list gives to its stories.
///
/// On a terminal they begin with 1. A pipe changes no number that stands on the session's screen:
/// stories that have one there keep it, others get numbers beyond the greatest.
struct ListNumbers {
  /// The stories by their numbers, from 1.
  private(set) var ids: [String] = []
  /// Where each of them stood in the data file.
  private(set) var positions: [Int] = []
  /// How many of them, from the first, stand on the screen.
  private var shown = 0
  /// How many stories this list has numbered.
  private(set) var count = 0
  private var known: [String: Int] = [:]
  private let isOnTerminal: Bool

  /// From 1, whatever stands on the screen.
  init() { isOnTerminal = false }

  init(_ context: CommandContext) {
    isOnTerminal = context.isOnTerminal
    // A damaged record has no numbers; this list mends it.
    guard !isOnTerminal, let screen = (try? context.store().shownListing()) ?? nil else { return }
    for number in 0..<screen.shown {
      guard let story = try? screen.story(number + 1) else { break }
      _ = self.number(of: story.id, at: story.position, mayComeAgain: true)
    }
    (shown, count) = (ids.count, 0)
  }

  /// The greatest number that is given when so many more stories have got theirs.
  func greatest(after more: Int) -> Int { ids.count + more }

  /// With `mayComeAgain` a story is remembered, to keep its number the next time.
  mutating func number(of id: String, at position: Int, mayComeAgain: Bool = false) -> Int {
    count += 1
    if let number = known[id] { return number }
    ids.append(id)
    positions.append(position)
    if mayComeAgain { known[id] = ids.count }
    return ids.count
  }

  /// The number that a story has; nil where this list has not numbered it.
  func known(_ id: String) -> Int? { known[id] }

  /// Remembers them in the session, for commands to understand.
  ///
  /// `seen` is when the data file was saved of which all that is new was shown.
  func save(in store: LibraryStore, seen: Date? = nil) throws(StorageError) {
    let shown = isOnTerminal ? ids.count : shown
    try store.saveListing(ids, positions: positions, shown: shown, seen: seen)
  }
}
