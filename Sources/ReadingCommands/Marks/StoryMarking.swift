import FeedModel
import FeedStorage
import Searching

struct StoryMarking {
  let store: LibraryStore
  private let context: CommandContext

  init(_ store: LibraryStore, _ context: CommandContext) {
    self.store = store
    self.context = context
  }

  /// Marks stories, however they have moved since their ids were read; returns how many changed.
  func set(
    _ marks: ItemMarks,
    ids: [String],
    canBeUndone: Bool = true,
  ) throws(CommandError) -> Int {
    let ids = ItemIDs(ids)
    return try set(marks, canBeUndone: canBeUndone) { try $0.items.positions(of: ids) }
  }

  /// Marks stories that are chosen under the lock; returns how many changed.
  ///
  /// `choose` gives positions in the data file, in ascending order.
  func set(
    _ marks: ItemMarks,
    canBeUndone: Bool = true,
    choose: (Library) throws -> [Int],
  ) throws(CommandError) -> Int {
    try change(canBeUndone: canBeUndone, choose: choose) { edits, positions in
      _ = try edits.set(marks, at: positions)
    }
  }

  func change(
    canBeUndone: Bool = true,
    articles: [NewText] = [],
    choose: (Library) throws -> [Int],
    _ edit: (inout MarkingEdits, [Int]) throws -> Void,
  ) throws(CommandError) -> Int {
    try store.change { library throws(CommandError) in
      var edits = MarkingEdits(library.items)
      try commandErrors { try edit(&edits, choose(library)) }
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

/// The marks, tags and texts that stories get or lose, by position in the data file.
struct MarkingEdits {
  let items: ItemTable
  private(set) var adjustments: [Int: ItemAdjustment] = [:]

  init(_ items: ItemTable) {
    self.items = items
  }

  var count: Int { adjustments.count }

  mutating func set(_ marks: ItemMarks, at positions: [Int]) throws(StorageError) -> [Int] {
    guard marks != ItemMarks() else { return [] }
    var found: [Int] = []
    try items.forEachStory(at: positions) { position, story throws(StorageError) in
      if try !story.marks().have(marks) { found.append(position) }
    }
    for position in found { adjustments[position, default: ItemAdjustment()].marks.take(marks) }
    return found
  }

  /// Sets a typed text, such as a note; an empty one removes it.
  mutating func set(
    _ text: String,
    as mark: SyncKey.StoryMark,
    at positions: [Int],
  ) throws(StorageError) {
    var new = adjustments
    try items.forEachStory(at: positions) { position, story throws(StorageError) in
      guard try story.typedText(mark) ?? "" != text else { return }
      new[position, default: ItemAdjustment()].texts[mark] = text
    }
    adjustments = new
  }

  mutating func set(_ article: StoredArticle, at position: Int) {
    adjustments[position, default: ItemAdjustment()].article = article
  }

  mutating func tag(_ tag: String, at positions: [Int]) throws(StorageError) -> [Int] {
    var found: [Int] = []
    let folded = TextFolding.fold(tag)
    var new = adjustments
    try items.forEachStory(at: positions) { position, story throws(StorageError) in
      let stored = try story.strings(.tags)
      let tags = new[position]?.tags ?? stored
      guard !tags.contains(where: { TextFolding.fold($0) == folded }) else { return }
      new[position, default: ItemAdjustment()].tags = tags + [tag]
      found.append(position)
    }
    adjustments = new
    return found
  }

  mutating func untag(_ tag: String, at positions: [Int]) throws(StorageError) {
    let folded = TextFolding.fold(tag)
    var new = adjustments
    try items.forEachStory(at: positions) { position, story throws(StorageError) in
      let stored = try story.strings(.tags)
      let tags = new[position]?.tags ?? stored
      let lost = tags.filter { TextFolding.fold($0) == folded }
      guard !lost.isEmpty else { return }
      new[position, default: ItemAdjustment()].tags = tags.filter { !lost.contains($0) }
    }
    adjustments = new
  }
}

extension CommandContext {
  var origin: ChangeOrigin { ChangeOrigin(command: command ?? "", date: clock.date) }

  /// Marks shown stories as read, and keeps choices of their texts; returns false on failure.
  ///
  /// Stories can be read where nothing can be written, so a failure is only reported.
  func markRead(
    _ stories: [NamedStory],
    in store: LibraryStore,
    _ choices: TextChoices = [:],
  ) -> Bool {
    do throws(CommandError) {
      let marking = StoryMarking(store, choices.isEmpty ? self : named(choices.command))
      try marking.keep(choices, read: stories.map(\.story.id))
      return true
    } catch {
      complain("\(stories.isEmpty ? "not kept" : "not marked read"): \(error.lines.first ?? "")")
      return false
    }
  }
}
