import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage

struct StepReversal {
  let context: CommandContext
  /// True for an undo, false for a redo.
  let isBack: Bool

  static func fields(_ verb: String) -> [JSONField<UndoReport?>] {
    [
      .init(verb, "the command that had made the change; null where nothing is left of it") {
        $0.flatMap { $0.words.isEmpty ? nil : .text($0.command) } ?? .null
      },
      .init("stories", "how many stories that changes") { .integer($0?.stories ?? 0) },
      .init("feeds", "how many feeds") { .integer($0?.undo.feeds.count ?? 0) },
    ]
  }

  private var isShown: Bool { context.arguments.has("show") }

  func undo(_ number: Int?) throws -> ExitStatus {
    guard context.arguments.has("ask"),
      let report = try reversal(isShown: true, { try chosen(number, in: $0) })
    else { return try reverse { try chosen(number, in: $0) } }
    guard report.step.isOfMarksAlone || report.words.isEmpty || isAgreed(report) else {
      context.say("nothing was undone")
      return .failed
    }
    return try reverse { try chosen(report.step.change, in: $0) }
  }

  private func isAgreed(_ report: UndoReport) -> Bool {
    let (command, words) = (SafeText.line(report.command), report.words.joined(separator: ", "))
    return context.agrees(to: "Undo change \(report.step.change) (`news \(command)`): \(words)?")
  }

  private func chosen(_ number: Int?, in history: History) throws -> [HistoryStep] {
    guard let number else { return history.undoable }
    guard let change = history.changes.first(where: { $0.change == number }) else {
      throw Failure("there is no change \(number) (`news undo --list`)")
    }
    guard !change.origin.isBack else {
      throw Failure("change \(number) was undone already (`news redo` does it again)")
    }
    return [change]
  }

  func redo() throws -> ExitStatus {
    try reverse(\.redoable)
  }

  private func reverse(_ choose: (History) throws -> [HistoryStep]) throws -> ExitStatus {
    let verb = isBack ? "undo" : "redo"
    let report = try reversal(isShown: isShown, choose)
    let words = report?.words ?? []
    if context.isJSON {
      let fields = Self.fields(isBack ? "undone" : "redone")
      context.output.printLine(PrintedJSON.object(fields, report).description)
    }
    guard let report else { throw Failure("nothing to \(verb)") }
    guard !words.isEmpty else {
      throw Failure(
        "nothing to \(verb): nothing is left of the last `news \(report.command)`"
      )
    }
    if !context.isJSON {
      let line = words.joined(separator: ", ")
      context.say(isShown ? "would \(verb) `news \(report.command)`: \(line)" : line)
    }
    return .done
  }

  /// Reverses the first of some changes of which anything is left; nil where there is none.
  private func reversal(
    isShown: Bool,
    _ choose: (History) throws -> [HistoryStep],
  ) throws -> UndoReport? {
    let store = try context.store()
    return try store.change { library in
      let history = try store.history()
      var first: UndoReport?
      for chosen in try choose(history) {
        let taken = try library.stories(broughtBy: chosen)
        try check(history, chosen, taking: taken, store)
        let (change, report) = try reversed(chosen, store, library)
        guard report.words.isEmpty else { return (isShown ? LibraryChange() : change, report) }
        first = first ?? report
      }
      return (LibraryChange(), first)
    }
  }

  /// Throws where a later change is about the same.
  private func check(
    _ history: History,
    _ chosen: HistoryStep,
    taking stories: ItemIDs,
    _ store: LibraryStore,
  ) throws {
    let others = try history.changes(
      inTheWayOf: chosen,
      taking: stories,
      store.stories(clearedBy:),
    )
    guard !others.isEmpty else { return }
    let names = others.prefix(3).map { "\($0.change) (`news \($0.origin.command)`)" }
    let more = others.count > names.count ? " and \(others.count - names.count) more" : ""
    let changes = others.count == 1 ? "change" : "changes"
    throw Failure("undo \(changes) \(names.joined(separator: ", "))\(more) first")
  }

  private func reversed(
    _ chosen: HistoryStep,
    _ store: LibraryStore,
    _ library: Library,
  ) throws -> (LibraryChange, UndoReport) {
    let rules = try store.rules()
    let restored = chosen.rules(takingBack: rules)
    var library = library
    if restored.all != rules {
      let change = library.change(rules: restored.all, without: restored.gone)
      library.subscriptions = change.feeds.subscriptions ?? library.subscriptions
    }
    let cleared = try store.stories(clearedBy: chosen)
    // A redo brings what the step had brought, whatever its undo has told others.
    let isBroughtBack = isBack && cleared != nil
    let undo = try LibraryUndo(
      of: chosen,
      cleared,
      in: library,
      isBroughtBack ? MarksElsewhere(of: store, library.subscriptions) : nil,
      isTold: isBack && store.isSynchronized,
      now: context.clock.date,
    )
    var change = undo.change
    if restored.all != rules { change.rules = restored.all }
    var origin = ChangeOrigin(command: chosen.origin.command, date: context.clock.date)
    (origin.answered, origin.isBack) = (chosen.change, isBack)
    origin.isForGood = chosen.origin.isForGood
    change.origin = origin
    let report = UndoReport(
      step: chosen,
      undo: undo,
      rulesBack: restored.back,
      rulesGone: restored.gone,
      clock: context.clock,
    )
    return (change, report)
  }
}

extension Library {
  /// The stories of the feeds that a step has added, which go with them.
  fileprivate func stories(broughtBy step: HistoryStep) throws -> ItemIDs {
    let added = Set(step.feeds.filter { $0.old == nil }.compactMap(\.new?.url))
    guard !added.isEmpty else { return ItemIDs() }
    var brought: [Int] = []
    try items.forEachStory(at: 0..<items.count) { position, story in
      if try !added.isDisjoint(with: story.feedURLs()) { brought.append(position) }
    }
    return try items.ids(at: brought)
  }
}

extension HistoryStep {
  /// Returns the present rules with those of before the step, and which are back and gone.
  fileprivate func rules(
    takingBack present: [StoryRule]
  ) -> (all: [StoryRule], back: [StoryRule], gone: [StoryRule]) {
    let all = present.takingBack(rules) { rule, old, _ in rule = old }
    return (
      all, all.filter { !present.contains($0) }, present.filter { !all.contains($0) },
    )
  }
}
