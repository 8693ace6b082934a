internal import System

/// The room that the log has for the steps of one side: the user's own, or those of others.
struct HistoryRoom {
  private var steps = 100
  /// Bytes of facts, which each new step copies.
  private var facts = 16 << 20
  /// Bytes of stories that went.
  private var stories = 64 << 20

  /// Drops the oldest steps beyond the limits, which the new one does not count against but by its
  /// number.
  static func evict(_ kept: inout [KeptStep], besides step: HistoryStep) {
    var (own, others) = (HistoryRoom(), HistoryRoom())
    if step.origin.author == .user { own.steps -= 1 } else { others.steps -= 1 }
    kept = kept.reversed().filter { kept in
      // The former step of the change goes with the next one.
      if kept.step.change == step.change { return true }
      return kept.step.origin.author == .user ? own.takes(kept) : others.takes(kept)
    }.reversed()
  }

  private mutating func takes(_ step: KeptStep) -> Bool {
    steps -= 1
    facts -= step.bytes
    stories -= step.step.dataFile?.size ?? 0
    return min(steps, facts, stories) >= 0
  }
}

extension StepList {
  /// Makes a step the last one of the change that it answers, or that it continues.
  func follow(_ step: inout HistoryStep, _ kept: [KeptStep]) throws {
    if step.origin.answered != nil {
      guard let former = kept.last(where: { $0.step.change == step.change })?.step else { return }
      step.origin.author = former.origin.author
      step.turns = former.turns + [former.number]
      // Two of them say as much as none, unless something came between.
      if step.turns.count > Self.mostTurns { step.turns.removeFirst(2) }
      return
    }
    guard let last = kept.last, last.step.origin.command == step.origin.command,
      last.step.origin.answered == nil,
      last.step.origin.author == step.origin.author, let former = try self.step(last.object)
    else { return }
    let continues = step.continues(former)
    guard step.origin.joinsLast || continues else { return }
    var joined = former
    joined.feeds.join(step.feeds)
    joined.rules.join(step.rules)
    joined.lists.join(step.lists)
    for index in continues ? step.marked.indices : 0..<0 {
      joined.marked[index].ids.formUnion(step.marked[index].ids)
    }
    (joined.origin.date, joined.isOfStories) = (step.origin.date, step.isOfStories)
    step = joined
  }

  private static let mostTurns = 64
}

extension HistoryStep {
  /// The seconds in which marks that a phone sends one by one are one change.
  private static let phoneInterval = 600.0

  fileprivate func continues(_ former: HistoryStep) -> Bool {
    origin.author == .phone && isOfMarksAlone && former.isOfMarksAlone
      && marked.map(\.fact) == former.marked.map(\.fact)
      && 0...Self.phoneInterval ~= origin.date.timeIntervalSince(former.origin.date)
  }

  package var isOfMarksAlone: Bool {
    var rest = self
    rest.marked = []
    return rest.isEmpty && outlines == nil && dataFile == nil
  }
}
