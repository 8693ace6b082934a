internal import CommandLine
package import CommandSupport
import FeedModel
package import FeedStorage

package struct StoryMarking {
  let store: LibraryStore
  private let context: CommandContext

  package init(_ store: LibraryStore, _ context: CommandContext) {
    self.store = store
    self.context = context
  }

  /// Marks stories, however they have moved since their ids were read; returns how many changed.
  func set(_ marks: ItemMarks, ids: ItemIDs, canBeUndone: Bool = true) throws -> Int {
    let choose = { (library: Library) in try library.items.positions(of: ids) }
    return try change(canBeUndone: canBeUndone, choose: choose) { _ = try $0.set(marks, at: $1) }
  }

  /// Changes stories that are chosen under the lock; returns how many changed.
  ///
  /// `choose` gives positions in the data file, in ascending order.
  package func change(
    canBeUndone: Bool = true,
    articles: [NewText] = [],
    choose: (Library) throws -> [Int],
    _ edit: (inout MarkingEdits, [Int]) throws -> Void,
  ) throws -> Int {
    try store.change { library in
      var edits = MarkingEdits(library.items)
      try edit(&edits, choose(library))
      var change = LibraryChange()
      guard edits.count > 0 else { return (change, 0) }
      change.stories.adjusted = edits.adjustments
      change.stories.articles = articles
      change.origin = context.origin
      change.origin?.isStep = canBeUndone
      return (change, edits.count)
    }
  }
}

extension CommandContext {
  /// Marks shown stories as read, and keeps choices of their texts; returns false on failure.
  ///
  /// Stories can be read where nothing can be written, so a failure is only reported.
  func markRead(
    _ stories: [NamedStory],
    in store: LibraryStore,
    _ choices: TextChoices = [:],
  ) -> Bool {
    do {
      let marking = StoryMarking(store, choices.isEmpty ? self : named(choices.command))
      try marking.keep(choices, read: stories.map(\.story.id))
      noteOpened(stories.filter { !$0.story.isRead }.compactMap(\.story.feeds.first))
      return true
    } catch {
      complain("\(stories.isEmpty ? "not kept" : "not marked read"): \(error.line)")
      return false
    }
  }
}
