package import FeedModel
internal import PropertyLists
internal import System

/// The parts of `undo.plist`, which kept one step, that are noted otherwise now: all former
/// subscriptions and rules, and the move of a feed.
struct FormerUndo: Hashable, Sendable {
  var subscriptions: [Subscription] = []
  /// True if these are to be the subscriptions again; else only their states are given back.
  var restoresSubscriptions = false
  var rules: [StoryRule]?
  /// The URLs of a move, under `from` and `to`.
  var move: [String: String] = [:]

  static let keys: [PropertyListKey<HistoryStep>] = [
    .init(
      "subscriptions",
      { $1(&$0.former.subscriptions) },
      .list(of: .dictionary(Subscription.table)),
    ),
    .init("restoresSubscriptions", { $1(&$0.former.restoresSubscriptions) }, .boolean),
    .init("rules", { $1(&$0.former.rules) }, exactly: .array(of: .rule)),
    .init("move", { $1(&$0.former.move) }, .dictionary(of: .string)),
  ]

  var isEmpty: Bool { self == FormerUndo() }
}

extension HistoryStep {
  package func upgraded(in library: Library, rules: [StoryRule]) -> HistoryStep {
    guard !former.isEmpty else { return self }
    var step = self
    step.former = FormerUndo()
    if let old = former.rules { step.rules = ListFact.facts(from: old, to: rules) { $0 == $1 } }
    let moves =
      former.move["from"].flatMap { from in former.move["to"].map { [(from, $0)] } } ?? []
    guard former.restoresSubscriptions else {
      let now = Dictionary(library.subscriptions.map { ($0.url, $0) }) { first, _ in first }
      step.feeds = former.subscriptions.compactMap { old in
        now[old.url].map { ListFact(old: old, new: $0.withoutState) }
      }
      return step
    }
    step.feeds = Subscription.facts(
      from: former.subscriptions,
      to: library.subscriptions,
      moves: moves,
    )
    return step
  }
}
