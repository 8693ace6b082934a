package import FeedModel
import FeedStorage
import System

/// The numbers of the stories in a list.
///
/// On a terminal they begin with 1. A pipe changes no number that stands on the session's screen:
/// stories that have one there keep it, others get numbers beyond the greatest.
package struct ListNumbers {
  /// Ids of stories with their positions in the data file; the first has the number 1.
  package private(set) var ids: [StoryID] = []
  private(set) var positions: [Int] = []
  /// The number of stories, from the first, that stand on the screen.
  private var shown = 0
  /// The number of stories that this list has numbered; `ids` also has those of the screen.
  package private(set) var count = 0
  private var known: [StoryID: Int] = [:]
  private let isOnTerminal: Bool
  private let canBeSaved: Bool

  package init() { (isOnTerminal, canBeSaved) = (false, true) }

  package init(_ context: CommandContext) {
    isOnTerminal = context.isOnTerminal
    let store = try? context.store()
    canBeSaved = store?.savesListings ?? true
    // A damaged record has no numbers; this list mends it.
    guard !isOnTerminal, let screen = try? store?.shownListing() else { return }
    for number in 0..<screen.shown {
      guard let story = try? screen.story(number + 1) else { break }
      let id = StoryID(story.id)
      ids.append(id)
      positions.append(story.position)
      known[id] = ids.count
    }
    (shown, count) = (ids.count, 0)
  }

  package func greatest(after more: Int) -> Int { ids.count + more }

  /// Returns the number of a story; with `mayComeAgain` it keeps that number when it comes again.
  ///
  /// Nil where it could not be saved: the next command would take it for one of an older list.
  package mutating func number(
    of id: StoryID,
    at position: Int,
    mayComeAgain: Bool = false,
  ) -> Int? {
    count += 1
    if let number = known[id] { return number }
    guard canBeSaved else { return nil }
    ids.append(id)
    positions.append(position)
    if mayComeAgain { known[id] = ids.count }
    return ids.count
  }

  /// Returns nil for a story that was not numbered with `mayComeAgain`.
  package func known(_ id: StoryID) -> Int? { known[id] }

  /// Saves the numbers for other commands of the session.
  ///
  /// `seen` is the time of the save of the data file of which all that is new was shown.
  func save(in store: LibraryStore, seen: Date?, of session: TerminalSession) throws {
    let shown = isOnTerminal ? ids.count : shown
    try store.saveListing(ids, positions: positions, shown: shown, seen: seen, of: session)
  }
}
