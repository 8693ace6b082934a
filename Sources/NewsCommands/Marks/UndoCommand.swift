import CommandLine
import FeedModel
import FeedStorage
import FeedUpdating
import System

struct UndoCommand: Command {
  static let name = "undo"
  static let summary = "undo the last change, or one of the last"
  static let synopsis = "[N] [--show] | --list"
  static let examples = [
    HelpExample("news read --all && news undo", "make stories unread again"),
    HelpExample("news undo && news undo", "undo the last two changes"),
    HelpExample("news undo --list", "the last changes, with their numbers"),
    HelpExample("news undo 3", "undo change 3, where no later one is about the same"),
    HelpExample("news undo --show", "show what would be undone"),
    HelpExample("news undo --json", "print what was undone as JSON"),
  ]
  static let options = [
    CommandOption("list", help: "list the last changes, newest first"),
    CommandOption("show", help: "show what would be undone, without changing anything"),
  ]
  static let notes = [
    "Undoes the last change; again, the one before. Changes are: `read`, `unread`, `star`, `unstar`, "
      + "`tag`, `untag`, `note`, marks set by `open` and `show`, "
      + "the text chosen by `show --full`, `show --from` and `F` in `browse`, `delete`, "
      + "`clear` in all its forms, `subscribe`, `unsubscribe`, `move`, `feeds set`, `save`, `import`, "
      + "and changes by `rules`. The last 100 are kept, as far as they take 8 MiB with the stories "
      + "that went. Stories that a fetch has stored since then stay. `news redo` takes an undo back.",
    "An undo is told to other machines and servers as any change is. "
      + "Undoing a `sync` also reverts the marks that it brought. What `fetch` "
      + "and `refresh` take from other machines and servers can only be undone where it changed "
      + "feeds or rules, so that marks from elsewhere do not come between your own "
      + "changes.",
  ]

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    let words = context.arguments.operands
    if context.arguments.has("list") {
      guard words.isEmpty, !context.arguments.has("show") else {
        throw usage("--list cannot be used with other words")
      }
      try HistoryList(context).print()
      return .done
    }
    guard words.count <= 1 else { throw usage("undo takes one number: news undo 3") }
    guard let word = words.first else { return try StepReversal(context).undo(nil) }
    guard let number = Int(word), number > 0 else {
      throw usage("\(Spelling.quoted(word)) is no number of `news undo --list`")
    }
    return try StepReversal(context).undo(number)
  }
}

struct RedoCommand: Command {
  static let name = "redo"
  static let summary = "do again what was undone last"
  static let synopsis = "[--show]"
  static let examples = [
    HelpExample("news undo && news redo", "change your mind"),
    HelpExample("news redo --show", "show what would be done again"),
  ]
  static let options = [
    CommandOption("show", help: "show what would be done, without changing anything")
  ]
  static let notes = [
    "Takes the last `news undo` back; again, the one before. What was changed since must be about "
      + "something else."
  ]

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else { throw usage("redo takes no operands") }
    return try StepReversal(context).redo()
  }
}

/// `news undo --list`: the changes that can be taken back.
private struct HistoryList {
  let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  private static let fields: [JSONField<History.Change>] = [
    .init("number", "by which `news undo` knows the change") { .integer($0.number) },
    .init("command", "the command that made it") { .text($0.command) },
    .init("date", "when it was made, undone or made again") { .date($0.last.date) },
    .init("undone", "whether it was undone") { .boolean($0.isTakenBack) },
  ]

  func print() throws(CommandError) {
    let store = try context.store()
    let changes = try commandErrors { try store.history() }.changes.reversed()
    if context.isJSON { return context.output.printJSON(changes, Self.fields) }
    guard !changes.isEmpty else { return context.say("no changes yet") }
    guard context.isOnTerminal else {
      for change in changes {
        let fields = row(of: change, at: RFC3339.string(change.last.date))
        context.output.printLine(TabSeparated.line(fields) { $1 })
      }
      return
    }
    let dates = RelativeDate(clock: context.clock)
    let rows = changes.map { row(of: $0, at: dates.exactText($0.last.date.wholeSeconds)) }
    let table = TextTable(
      columns: [.init("number"), .init("when"), .init("change", shrinks: true), .init("")],
      width: context.columns,
      style: context.style,
    )
    Pager(context).print(table.lines(rows).map { $0 + "\n" })
  }

  private func row(of change: History.Change, at date: String) -> [String] {
    [
      "\(change.number)", date, SafeText.line(change.command), change.isTakenBack ? "undone" : "",
    ]
  }
}

/// Takes a change back, or does again what was taken back.
private struct StepReversal {
  let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  private var isShown: Bool { context.arguments.has("show") }

  /// Takes back the change of a number, or the last one.
  func undo(_ number: Int?) throws(CommandError) -> ExitStatus {
    try reverse(isBack: true) { history throws(CommandError) in
      guard let number else { return history.changes(areTakenBack: false) }
      guard let change = history.changes.first(where: { $0.number == number }) else {
        throw .failed("there is no change \(number) (`news undo --list`)")
      }
      guard !change.isTakenBack else {
        throw .failed("change \(number) was undone already (`news redo` does it again)")
      }
      return [change]
    }
  }

  func redo() throws(CommandError) -> ExitStatus {
    try reverse(isBack: false) { $0.changes(areTakenBack: true) }
  }

  private func reverse(
    isBack: Bool,
    _ choose: (History) throws(CommandError) -> [History.Change],
  ) throws(CommandError) -> ExitStatus {
    let verb = isBack ? "undo" : "redo"
    let report = try reversal(isBack: isBack, choose)
    let words = report?.words ?? []
    if context.isJSON {
      let value = PrintedJSON.object([
        (isBack ? "undone" : "redone", words.isEmpty ? .null : .text(report?.command)),
        ("stories", .integer(report?.stories ?? 0)),
        ("feeds", .integer(report?.undo.feeds.count ?? 0)),
      ])
      context.output.printLine(value.description)
    }
    guard let report else { throw .failed("nothing to \(verb)") }
    guard !words.isEmpty else {
      throw .failed(
        "nothing to \(verb): nothing is left of the last `news \(report.command)`"
      )
    }
    if !context.isJSON {
      let line = words.joined(separator: ", ")
      context.say(isShown ? "would \(verb) `news \(report.command)`: \(line)" : line)
    }
    return .done
  }

  /// Makes the change that reverses the first of some of which anything is left; nil where there is none.
  private func reversal(
    isBack: Bool,
    _ choose: (History) throws(CommandError) -> [History.Change],
  ) throws(CommandError) -> UndoReport? {
    let store = try context.store()
    return try store.change { library throws(CommandError) in
      let history = try commandErrors { try store.history() }
      var first: UndoReport?
      for chosen in try choose(history) {
        try check(history, chosen, store, isBack: isBack)
        let (change, report) = try commandErrors {
          try reversed(chosen, isBack: isBack, store, library)
        }
        guard report.words.isEmpty else { return (isShown ? LibraryChange() : change, report) }
        first = first ?? report
      }
      return (LibraryChange(), first)
    }
  }

  /// Nothing that came later may be about the same.
  private func check(
    _ history: History,
    _ chosen: History.Change,
    _ store: LibraryStore,
    isBack: Bool,
  ) throws(CommandError) {
    let others = try commandErrors {
      try history.changes(inTheWayOf: chosen, store.stories(clearedBy:))
    }
    guard !others.isEmpty else { return }
    let names = others.prefix(3).map { "\($0.number) (`news \($0.command)`)" }
    let more = others.count > names.count ? " and \(others.count - names.count) more" : ""
    let what = isBack ? "change \(chosen.number)" : "`news \(chosen.command)`"
    throw .failed(
      "\(what) cannot be \(isBack ? "undone" : "done again"): later changes are about the same: "
        + names.joined(separator: ", ") + more
    )
  }

  private func reversed(
    _ chosen: History.Change,
    isBack: Bool,
    _ store: LibraryStore,
    _ library: Library,
  ) throws(StorageError) -> (LibraryChange, UndoReport) {
    let rules = try store.rules()
    let step = chosen.last.upgraded(in: library, rules: rules)
    let restored = step.rules(takingBack: rules)
    var library = library
    if restored.all != rules {
      let change = library.change(rules: restored.all, without: restored.gone)
      library.subscriptions = change.subscriptions ?? library.subscriptions
    }
    let undo = try LibraryUndo(
      of: step,
      store.stories(clearedBy: step),
      in: library,
      // What is done again brings what it had brought, whatever the undo of it has told.
      isBack ? MarksElsewhere(of: store, library.subscriptions) : nil,
      now: context.clock.date,
    )
    var change = undo.change
    if restored.all != rules { change.rules = restored.all }
    var origin = ChangeOrigin(command: chosen.command, date: context.clock.date)
    (origin.answered, origin.isBack) = (chosen.number, isBack)
    origin.isForGood = step.isForGood
    change.origin = origin
    let report = UndoReport(
      step: step,
      undo: undo,
      rulesBack: restored.back,
      rulesGone: restored.gone,
    )
    return (change, report)
  }
}

extension HistoryStep {
  /// Returns rules as they were before the step, of those that there are, and which are back and gone.
  fileprivate func rules(
    takingBack present: [StoryRule]
  ) -> (all: [StoryRule], back: [StoryRule], gone: [StoryRule]) {
    var all = present
    for fact in rules {
      let index = fact.new.flatMap { new in all.firstIndex { $0.listName == new.listName } }
      switch (index, fact.old) {
      case (let index?, let old?): all[index] = old
      case (let index?, nil): all.remove(at: index)
      case (nil, let old?):
        if fact.new == nil, !all.contains(where: { $0.listName == old.listName }) {
          all.insert(old, after: fact.previous)
        }
      case (nil, nil): break
      }
    }
    return (
      all, all.filter { !present.contains($0) }, present.filter { !all.contains($0) },
    )
  }
}
