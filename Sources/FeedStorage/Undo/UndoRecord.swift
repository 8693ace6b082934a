package import FeedModel
package import System

/// What the reader's last change was: all that is needed to take it back.
///
/// It is saved before the change, so that whoever is stopped in between finds a record that takes
/// nothing back: no story has the mark, none is gone.
package struct UndoRecord: Sendable {
  /// The command's words without operands, such as `read` or `clear --feed`.
  package internal(set) var command: String
  package internal(set) var date: Date
  /// Stories that got marks or tags that they did not have, by what they got.
  package var marked: [MarkedStories] = []
  /// Stories that were added, all of which go again; nil for a change that adds none by itself.
  package var added: ItemIDs?
  /// The rules as they were, where they were changed.
  package var rules: [StoryRule]?
  /// Where stories were cleared or subscriptions changed: all subscriptions as they were, with a
  /// state where it would be lost.
  package var subscriptions: [Subscription] = []
  /// Whether these are to be the subscriptions again.
  package var restoresSubscriptions = false
  /// What imported lists had besides their feeds, where that was changed.
  package var outlines: OutlineDocument?
  package var move: MovedStories?
  /// For each feed that stories were taken from, those that others kept.
  package var left: [LeftStories] = []
  /// Where the cleared stories were, newest first; empty where all were cleared.
  package var runs: [ClearedRun] = []
  /// Where the stories stand that the change clears, until the record is saved.
  package var clearing: [Range<Int>] = []
  /// The cleared stories; nil where there are none, and in a record that is still to be saved.
  package internal(set) var cleared: ItemTable?
  var dataFile: SetAsideFile?

  package init(command: String, date: Date) {
    self.command = command
    self.date = date
  }

  /// Whether all stories were cleared.
  package var isWhole: Bool { dataFile != nil }

  /// Whether it says what was done, cleared stories in its own file apart.
  var isComplete: Bool {
    runs.isEmpty
      && (!marked.isEmpty || !left.isEmpty || dataFile != nil || restoresSubscriptions
        || rules != nil || added != nil)
  }

  /// Has the subscriptions be as they were, `gone` with their states.
  package mutating func restore(_ subscriptions: [Subscription], whole gone: Set<String> = []) {
    restoresSubscriptions = true
    self.subscriptions = subscriptions.map { subscription in
      guard !gone.contains(subscription.url) else { return subscription }
      var copy = subscription
      copy.state = FeedState()
      copy.state.isOnInternet = subscription.state.isOnInternet
      return copy
    }
  }

  /// Whether the runs are made up of these stories.
  func counts(_ stories: ItemTable) -> Bool {
    // Stops in time: a file may say any number any number of times.
    var total = 0
    for run in runs where total <= stories.count { total += run.count }
    return total == stories.count
  }
}

/// Stories that got a mark or a tag that they did not have, or lost a tag; or another text.
package struct MarkedStories: Hashable, Sendable {
  package internal(set) var marks: ItemMarks
  package internal(set) var tag: String?
  package internal(set) var lostTag: String?
  /// The article that they had before.
  package internal(set) var article: StoredArticle?
  package var ids: ItemIDs

  package init(
    marks: ItemMarks = ItemMarks(),
    tag: String? = nil,
    lostTag: String? = nil,
    article: StoredArticle? = nil,
    ids: ItemIDs = ItemIDs(),
  ) {
    self.marks = marks
    (self.tag, self.lostTag, self.article) = (tag, lostTag, article)
    self.ids = ids
  }
}

/// Stories that a feed was taken from while other feeds carry them.
package struct LeftStories: Hashable, Sendable {
  package internal(set) var feed: String
  package var ids = ItemIDs()
  /// Those of them that the feed brought first, and whose content it decides.
  package var owned = ItemIDs()

  package init(feed: String) {
    self.feed = feed
  }
}

/// The stories of a feed that was given another URL.
package struct MovedStories: Hashable, Sendable {
  package internal(set) var from: String
  package internal(set) var to: String
  /// Where a subscription at the new URL took the feed's stories: those that were not its own, too.
  package var ids: ItemIDs?

  package init(from: String, to: String, ids: ItemIDs? = nil) {
    self.from = from
    self.to = to
    self.ids = ids
  }
}

/// Cleared stories that stood one behind the other.
package struct ClearedRun: Hashable, Sendable {
  package let count: Int
  /// The id of the story before them, where that is of the same instant as the first of them, so
  /// that only this tells their order.
  package let after: String?

  package init(count: Int, after: String?) {
    self.count = count
    self.after = after
  }
}

/// By what a file that was set aside is known again.
struct SetAsideFile: Hashable, Sendable {
  var size: Int
  /// When it was last written, in nanoseconds since 1970.
  var changed: Int

  init(size: Int, changed: Int) {
    self.size = size
    self.changed = changed
  }

  init(_ status: FileStatus) {
    self.init(size: status.size, changed: status.modified)
  }
}

package enum UndoChange: Sendable {
  /// It stays: nothing was marked or cleared.
  case kept
  /// A new one takes its place.
  case record(UndoRecord)
  /// It was taken back.
  case forgotten
}

extension LibraryChange {
  /// Has `body` complete the record of what the change clears, or where it clears nothing this one.
  package mutating func completeUndo(_ record: UndoRecord, _ body: (inout UndoRecord) -> Void) {
    var record = record
    if case .record(let cleared) = undo { record = cleared }
    body(&record)
    undo = .record(record)
  }
}
