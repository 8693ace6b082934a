internal import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage

struct RuleApplication {
  let context: CommandContext

  func apply(_ name: String) throws -> Bool {
    let store = try context.store()
    let rule = try store.rules().rule(name)
    guard !rule.isSearch else { throw Failure("\(rule.name) is a search, and does nothing") }
    guard rule.actions != [.notify] else {
      throw Failure("\(rule.name) tells of stories as they come, and changes none")
    }
    let found = { (library: Library) throws -> [Int] in
      let query = try context.savedSearch(rule, library.subscriptions)
      return try context.positions(of: query, in: library)
    }
    let choose =
      try rule.drops
      ? context.agreed(toDelete: found, by: StoryClearing.Choice.dropped, in: store) : found
    guard let choose else { return false }
    let words = try store.change { library in
      let positions = try choose(library)
      return try rule.drops
        ? clear(positions, library) : mark(positions, rule.actions, library)
    }
    context.say(words.isEmpty ? "nothing to change: no stored story matches" : words)
    return true
  }

  private var command: String { "\(RulesCommand.name) apply" }

  /// Deletes stories; the rule keeps them away from then on.
  private func clear(_ positions: [Int], _ library: Library) throws -> (LibraryChange, String) {
    let clearing = try StoryClearing(.dropped(positions), in: library, now: context.clock.date)
    let starred = clearing.starred > 0 ? ", \(clearing.starred) starred kept" : ""
    let saved = clearing.saved > 0 ? ", \(Count.of(clearing.saved, "saved page")) kept" : ""
    let words = "\(Count.stories(clearing.cleared)) deleted\(starred)\(saved)"
    var change = clearing.change(command: command)
    change.stories.deleted = change.stories.removed
    return (change, positions.isEmpty ? "" : words)
  }

  private func mark(
    _ positions: [Int],
    _ actions: [StoryAction],
    _ library: Library,
  ) throws -> (LibraryChange, String) {
    var marking = MarkingEdits(library.items)
    var words: [String] = []
    for action in actions {
      var (marks, tag, done) = (ItemMarks(), String?.none, "")
      switch action {
      case .read: (marks[.read], done) = (true, "marked read")
      case .star: (marks[.starred], done) = (true, "starred")
      case .tag(let name): (tag, done) = (name, "tagged \(SafeText.line(name))")
      case .drop, .notify: continue
      }
      var changed = try marking.set(marks, at: positions)
      if let tag { changed = try marking.tag([tag], at: positions) }
      guard !changed.isEmpty else { continue }
      words.append("\(Count.stories(changed.count)) \(done)")
    }
    var change = LibraryChange()
    guard marking.count > 0 else {
      return (change, positions.isEmpty ? "" : "nothing to change: already set")
    }
    change.stories.adjusted = marking.adjustments
    change.origin = ChangeOrigin(command: command, date: context.clock.date)
    return (change, words.joined(separator: ", "))
  }
}
