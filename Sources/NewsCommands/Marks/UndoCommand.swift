import CommandLine
import FeedModel
import FeedStorage
import FeedSync
import FeedUpdating

struct UndoCommand: Command {
  static let name = "undo"
  static let summary = "undo the last change"
  static let synopsis = ""
  static let examples = [
    HelpExample("news read --all && news undo", "what was unread is unread again"),
    HelpExample("news clear --read && news undo", "the stories are back, in their places"),
    HelpExample("news undo --show", "what it would take back"),
    HelpExample("news undo --json", "what was taken back, for a program"),
  ]
  static let options = [
    CommandOption("show", help: "say what would be taken back, and change nothing")
  ]
  static let notes = [
    "Takes back `read`, `unread`, `star`, `unstar`, the reading of `open` and `show`, `clear` in all its forms, "
      + "`subscribe`, `unsubscribe`, `move`, `import` and what `rules` changes: one step, kept until the next of them. "
      + "What a fetch has stored since stays. "
      + "A `sync` by hand is taken back with the marks that it brought; what `fetch` and `refresh` take from other "
      + "machines and servers only where feeds or rules are changed by it, so that marks from elsewhere do not "
      + "end the undo of what you did here."
  ]

  let context: CommandContext

  private struct Undone {
    /// Such as `read`.
    let command: String
    var count = 0
    var feeds = 0
    /// What there is to say of them, such as `are unread again`.
    var words: [String] = []
  }

  func run() throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else { throw usage("undo takes no operands") }
    let undone = try undo(try context.store())
    let isDone = undone?.words.isEmpty == false
    if context.isJSON {
      let value = PrintedJSON.object([
        ("undone", isDone ? .text(undone?.command) : .null),
        ("stories", .integer(undone?.count ?? 0)), ("feeds", .integer(undone?.feeds ?? 0)),
      ])
      context.output.printLine(value.description)
    }
    guard let undone else { throw .failed("there is nothing to undo") }
    guard isDone else {
      throw .failed(
        "there is nothing to undo: nothing is left of the last `news \(undone.command)`"
      )
    }
    if !context.isJSON {
      let words = undone.words.joined(separator: ", ")
      context.say(isShown ? "would take back `news \(undone.command)`: \(words)" : words)
    }
    return .done
  }

  /// Takes back what the last change did, and nothing that came since; nil where there
  /// is nothing to take back.
  private func undo(_ store: LibraryStore) throws(CommandError) -> Undone? {
    try store.change { library throws(CommandError) in
      var (change, undone) = try commandErrors { try takenBack(store, library) }
      change.made = context.clock.date
      return (isShown ? LibraryChange() : change, undone)
    }
  }

  private var isShown: Bool { context.arguments.has("show") }

  private func takenBack(
    _ store: LibraryStore,
    _ library: Library,
  ) throws(StorageError) -> (LibraryChange, Undone?) {
    guard let record = try store.undoRecord() else { return (LibraryChange(), nil) }
    if record.added != nil { return try takeBack(record, library) }
    if record.restoresSubscriptions {
      return try unmark(record, library, with: restore(record, library))
    }
    if let rules = record.rules {
      let restored = try restore(rules, instead: try store.rules(), record, library)
      return try unmark(record, library, with: restored)
    }
    return try record.marked.isEmpty ? bringBack(record, library) : unmark(record, library)
  }

  /// The same with the marks that were given besides.
  private func unmark(
    _ record: UndoRecord,
    _ library: Library,
    with other: (change: LibraryChange, undone: Undone?),
  ) throws(StorageError) -> (LibraryChange, Undone?) {
    var (change, undone) = other
    var marking = MarkingEdits(library.items)
    var marks: [Int: ItemMarks] = [:]
    for marked in record.marked {
      let new = marked.marks.reversed
      let places = try marking.set(new, at: library.items.positions(of: marked.ids))
      for place in places { marks[place, default: ItemMarks()].take(new) }
      if !places.isEmpty { undone?.words.append(words(new, places.count)) }
    }
    guard !marks.isEmpty else { return other }
    change.items = (change.items ?? [.keep(0..<library.items.count)]).marking(marks)
    undone?.count += marks.count
    return (change, undone)
  }

  private func unmark(
    _ record: UndoRecord,
    _ library: Library,
  ) throws(StorageError) -> (LibraryChange, Undone?) {
    var marking = MarkingEdits(library.items)
    var undone = Undone(command: record.command)
    for marked in record.marked {
      let known = try library.items.positions(of: marked.ids)
      let marks = marked.marks.reversed
      let count = try marking.set(marks, at: known).count
      if count > 0 { undone.words.append(words(marks, count)) }
      guard let tag = marked.tag else { continue }
      let untagged = try marking.untag(tag, at: known).count
      if untagged > 0 { undone.words.append(words(marked, untagged)) }
    }
    undone.count = marking.count
    var change = LibraryChange()
    change.undo = .forgotten
    if undone.count > 0 { change.items = marking.all }
    return (change, undone)
  }

  private func restore(
    _ rules: [StoryRule],
    instead present: [StoryRule],
    _ record: UndoRecord,
    _ library: Library,
  ) throws(StorageError) -> (LibraryChange, Undone?) {
    let back = rules.filter { !present.contains($0) }
    let gone = present.filter { !rules.contains($0) }
    var change = library.change(rules: rules, without: gone)
    change.undo = .forgotten
    var undone = Undone(command: record.command)
    undone.words = [(back, "back"), (gone, "gone")].filter { !$0.0.isEmpty }.map { rules, state in
      let names = rules.map { SafeText.line($0.name) }.joined(separator: ", ")
      return (rules.count == 1 ? "rule \(names) is " : "rules \(names) are ") + state
    }
    return (change, undone)
  }

  private func words(_ marks: ItemMarks, _ count: Int) -> String {
    let state =
      switch (marks.isRead, marks.isStarred) {
      case (true, _): "read again"
      case (false, _): "unread again"
      case (nil, true): "starred again"
      case (nil, _): "no longer starred"
      }
    return Count.of(count, "story is", "stories are") + " " + state
  }

  private func restore(
    _ record: UndoRecord,
    _ library: Library,
  ) throws(StorageError) -> (LibraryChange, Undone?) {
    let undo = SubscriptionUndo(of: record, in: library)
    var again = library
    again.subscriptions = undo.subscriptions
    var (change, undone) = (LibraryChange(), Optional(Undone(command: record.command)))
    if let edits = try undo.edits(now: context.clock.date) {
      change.items = edits
    } else if record.move == nil {
      (change, undone) = try bringBack(record, again)
    }
    change.subscriptions = change.subscriptions ?? undo.subscriptions
    change.outlines = record.outlines
    change.rules = record.rules
    change.undo = .forgotten
    undone?.feeds = undo.count
    let feeds = words(undo)
    undone?.words.insert(contentsOf: feeds, at: 0)
    if record.outlines != nil, feeds.isEmpty {
      undone?.words.append("exported lists are arranged as they were")
    }
    // A move that was stopped before it came to the subscriptions.
    if record.move != nil, feeds.isEmpty, change.items != nil {
      undone?.words.append("the stories are of their feed again")
    }
    return (change, undone)
  }

  private func words(_ undo: SubscriptionUndo) -> [String] {
    let words = [
      ("following", undo.returned, "again"), ("no longer following", undo.removed, ""),
      ("", undo.changed, undo.changed.count == 1 ? "is as it was" : "are as they were"),
    ]
    return words.filter { !$0.1.isEmpty }.map { before, feeds, after in
      let names = feeds.count == 1 ? FeedName.printable(feeds[0]) : Count.of(feeds.count, "feed")
      return [before, names, after].filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  /// Takes an import of stories back.
  private func takeBack(
    _ record: UndoRecord,
    _ library: Library,
  ) throws(StorageError) -> (LibraryChange, Undone?) {
    let feeds = record.restoresSubscriptions ? SubscriptionUndo(of: record, in: library) : nil
    let gone = Set((feeds?.removed ?? []).map(\.url))
    let back = try ImportUndo(of: record, unfollowing: gone, in: library)
    var change = LibraryChange(items: back.edits)
    change.unbrought = back.unbrought
    change.subscriptions = (feeds?.subscriptions ?? library.subscriptions).map {
      back.losing.contains($0.url) ? $0.forgettingDocument() : $0
    }
    change.order = .subscriptionsFirst
    change.undo = .forgotten
    var undone = Undone(command: record.command)
    (undone.count, undone.feeds) = (back.removed, feeds?.count ?? 0)
    if back.removed > 0 {
      undone.words.append(Count.of(back.removed, "story is", "stories are") + " gone again")
    }
    for (marked, count) in zip(record.marked, back.unmarked) where count > 0 {
      undone.words.append(words(marked, count))
    }
    undone.words += feeds.map(words) ?? []
    return (change, undone)
  }

  private func words(_ marked: MarkedStories, _ count: Int) -> String {
    guard let tag = marked.tag else { return words(marked.marks.reversed, count) }
    return Count.of(count, "story is", "stories are") + " no longer tagged \(SafeText.line(tag))"
  }

  private func bringBack(
    _ record: UndoRecord,
    _ library: Library,
  ) throws(StorageError) -> (LibraryChange, Undone?) {
    let back = try ClearingUndo(of: record, in: library, now: context.clock.date)
    var undone = Undone(command: record.command)
    undone.count = back.returned + back.wereBack + back.rejoined
    if back.returned > 0 {
      undone.words.append(Count.of(back.returned, "story is back", "stories are back"))
    }
    if back.rejoined > 0 {
      let stories = Count.of(back.rejoined, "story is", "stories are")
      undone.words.append("\(stories) of the feed again")
    }
    if back.wereBack > 0 {
      let stories = Count.stories(back.wereBack)
      undone.words.append("\(stories) had come back already")
    }
    return (back.change, undone)
  }
}
