package import FeedModel
internal import PropertyLists
package import System

/// What the reader's last change was: all that is needed to take it back.
///
/// It is saved before the change, so that whoever is stopped in between finds a record that takes
/// nothing back: no story has the mark, none is gone.
package struct UndoRecord: Sendable {
  /// The command's words without operands, such as `read` or `clear --feed`.
  package let command: String
  package let date: Date
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

/// Stories that got a mark or a tag that they did not have.
package struct MarkedStories: Hashable, Sendable {
  package let marks: ItemMarks
  package let tag: String?
  package let ids: ItemIDs

  package init(marks: ItemMarks = ItemMarks(), tag: String? = nil, ids: ItemIDs) {
    self.marks = marks
    self.tag = tag
    self.ids = ids
  }
}

/// Stories that a feed was taken from while other feeds carry them.
package struct LeftStories: Hashable, Sendable {
  package let feed: String
  package var ids = ItemIDs()
  /// Those of them that the feed brought first, and whose content it decides.
  package var owned = ItemIDs()

  package init(feed: String) {
    self.feed = feed
  }
}

/// The stories of a feed that was given another URL.
package struct MovedStories: Hashable, Sendable {
  package let from: String
  package let to: String
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
  let size: Int
  /// When it was last written, in nanoseconds since 1970.
  let changed: Int

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
  /// A new one takes its place, with the stories that stand at these places.
  case record(UndoRecord, clearing: [Range<Int>])
  /// It was taken back.
  case forgotten
}

extension LibraryChange {
  /// Has `body` complete the record of what the change clears, or where it clears nothing this one.
  package mutating func completeUndo(_ record: UndoRecord, _ body: (inout UndoRecord) -> Void) {
    var (record, ranges) = (record, [Range<Int>]())
    if case .record(let cleared, let places) = undo { (record, ranges) = (cleared, places) }
    body(&record)
    undo = .record(record, clearing: ranges)
  }
}

extension UndoRecord {
  /// The version that this program reads and, where it must, writes; a newer one is refused.
  ///
  /// Version 1 had in `left` only one feed, version 2 no changes of subscriptions, version 3 one mark
  /// at most, no tags and no rules, version 4 no stories that were added.
  static let version = 5

  /// nil for a dictionary that says neither which command nor when.
  init?(_ dictionary: PropertyListDictionary) {
    guard let command = dictionary["command"]?.string, let date = dictionary["date"]?.asDate else {
      return nil
    }
    self.init(command: command, date: date)
    let marked = dictionary["marked"]?.array ?? dictionary["marked"].map { [$0] } ?? []
    self.marked = marked.compactMap(\.dictionary).compactMap { MarkedStories($0) }
    if let rules = dictionary["rules"]?.array {
      let all = rules.compactMap(\.dictionary).compactMap { StoryRule($0) }
      guard all.count == rules.count else { return nil }
      self.rules = all
    }
    subscriptions = (dictionary["subscriptions"]?.array ?? []).compactMap { $0.dictionary }
      .compactMap { Subscription($0) }
    let left = dictionary["left"]?.array ?? dictionary["left"].map { [$0] } ?? []
    self.left = left.compactMap(\.dictionary).compactMap { LeftStories($0) }
    let counts = (dictionary["runs"]?.array ?? []).compactMap(\.asCount)
    let anchors = dictionary["after"]?.asStrings ?? []
    guard counts.count == anchors.count else { return nil }
    runs = zip(counts, anchors).map { ClearedRun(count: $0, after: $1.isEmpty ? nil : $1) }
    dataFile = dictionary["dataFile"]?.dictionary.flatMap { SetAsideFile($0) }
    restoresSubscriptions = dictionary["restoresSubscriptions"]?.boolean ?? false
    outlines = dictionary["outlines"]?.dictionary.map { OutlineDocument($0) }
    move = dictionary["move"]?.dictionary.flatMap { MovedStories($0) }
    added = dictionary["added"]?.dictionary.map { ItemIDs($0) }
  }

  /// The first version that had all of it.
  private var leastVersion: Int64 {
    if added != nil { return 5 }
    if rules != nil || marked.count > 1 || marked.contains(where: { $0.tag != nil }) { return 4 }
    return restoresSubscriptions ? 3 : left.count > 1 ? 2 : 1
  }

  /// The record without the stories.
  func dictionary() -> PropertyListDictionary {
    var dictionary: PropertyListDictionary = [
      "version": .integer(leastVersion),
      "command": .string(command),
      "date": .date(date.timeIntervalSinceReferenceDate),
    ]
    let marked = marked.map { PropertyListValue.dictionary($0.dictionary()) }
    if !marked.isEmpty { dictionary["marked"] = marked.count > 1 ? .array(marked) : marked[0] }
    dictionary["rules"] = rules.map { .array($0.map { .dictionary($0.dictionary()) }) }
    if !subscriptions.isEmpty {
      dictionary["subscriptions"] = .array(
        subscriptions.map { .dictionary($0.dictionary(over: PropertyListDictionary())) }
      )
    }
    let left = left.map { PropertyListValue.dictionary($0.dictionary()) }
    if !left.isEmpty { dictionary["left"] = left.count > 1 ? .array(left) : left[0] }
    if !runs.isEmpty {
      dictionary["runs"] = .array(runs.map { .integer(Int64($0.count)) })
      dictionary["after"] = .array(runs.map { .string($0.after ?? "") })
    }
    dictionary["dataFile"] = dataFile.map { .dictionary($0.dictionary()) }
    if restoresSubscriptions { dictionary["restoresSubscriptions"] = .boolean(true) }
    dictionary["outlines"] = outlines.map { .dictionary($0.dictionary()) }
    dictionary["move"] = move.map { .dictionary($0.dictionary()) }
    dictionary["added"] = added.map { .dictionary($0.dictionary()) }
    return dictionary
  }
}

extension MarkedStories {
  fileprivate init?(_ dictionary: PropertyListDictionary) {
    let marks = ItemMarks(
      isRead: dictionary["read"]?.boolean,
      isStarred: dictionary["starred"]?.boolean,
    )
    let tag = dictionary["tag"]?.string
    guard marks != ItemMarks() || tag != nil else { return nil }
    self.init(marks: marks, tag: tag, ids: ItemIDs(dictionary))
  }

  fileprivate func dictionary() -> PropertyListDictionary {
    var dictionary = ids.dictionary()
    dictionary["read"] = marks.isRead.map { .boolean($0) }
    dictionary["starred"] = marks.isStarred.map { .boolean($0) }
    dictionary["tag"] = tag.map { .string($0) }
    return dictionary
  }
}

extension LeftStories {
  fileprivate init?(_ dictionary: PropertyListDictionary) {
    guard let feed = dictionary["feed"]?.string else { return nil }
    self.init(feed: feed)
    ids = ItemIDs(dictionary)
    owned = ItemIDs(dictionary["owned"]?.dictionary ?? PropertyListDictionary())
  }

  fileprivate func dictionary() -> PropertyListDictionary {
    var dictionary = ids.dictionary()
    dictionary["feed"] = .string(feed)
    dictionary["owned"] = .dictionary(owned.dictionary())
    return dictionary
  }
}

extension MovedStories {
  fileprivate init?(_ dictionary: PropertyListDictionary) {
    guard let from = dictionary["from"]?.string, let to = dictionary["to"]?.string else {
      return nil
    }
    self.init(from: from, to: to, ids: dictionary["stories"]?.dictionary.map { ItemIDs($0) })
  }

  fileprivate func dictionary() -> PropertyListDictionary {
    var dictionary: PropertyListDictionary = ["from": .string(from), "to": .string(to)]
    dictionary["stories"] = ids.map { .dictionary($0.dictionary()) }
    return dictionary
  }
}

extension ItemIDs {
  fileprivate init(_ dictionary: PropertyListDictionary) {
    self.init(dictionary["otherIDs"]?.asStrings ?? [])
    for number in dictionary["ids"]?.asHashes ?? [] { insert(number) }
  }

  fileprivate func dictionary() -> PropertyListDictionary {
    var dictionary = PropertyListDictionary()
    dictionary["ids"] = .hashes(numbers.sorted())
    dictionary["otherIDs"] = .strings(others.sorted())
    return dictionary
  }
}

extension SetAsideFile {
  fileprivate init?(_ dictionary: PropertyListDictionary) {
    guard let size = dictionary["size"]?.asInt, let changed = dictionary["changed"]?.asInt else {
      return nil
    }
    self.init(size: size, changed: changed)
  }

  fileprivate func dictionary() -> PropertyListDictionary {
    ["size": .integer(Int64(size)), "changed": .integer(Int64(changed))]
  }
}
