package import FeedLibrary
package import FeedStorage

extension CommandContext {
  /// Asks whether chosen stories may be deleted; nil if the reader does not want it.
  ///
  /// The result chooses the stories that were asked about, and none that came since.
  package func agreed(
    toDelete choose: @escaping (Library) throws -> [Int],
    by choice: ([Int]) -> StoryClearing.Choice,
    in store: LibraryStore,
  ) throws -> ((Library) throws -> [Int])? {
    guard !isConfirmed else { return choose }
    let library = try store.read()
    let positions = try choose(library)
    let count = try StoryClearing(choice(positions), in: library, now: clock.date).cleared
    if count > 0, try !confirm("Delete \(Count.stories(count))") {
      say("nothing was deleted")
      return nil
    }
    let ids = try library.items.ids(at: positions)
    return { try $0.items.positions(of: ids) }
  }
}
