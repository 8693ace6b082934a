internal import FeedModel

/// The changes of the user that can be taken back.
///
/// A step that takes another back, or does it again, answers that one. Of all that answer one step,
/// the last says if it is taken back.
package struct History: Sendable {
  package let steps: [HistoryStep]

  package init(steps: [HistoryStep]) { self.steps = steps }

  package struct Change: Sendable {
    package let number: Int
    package let last: HistoryStep

    package var isTakenBack: Bool { last.isBack }
    package var command: String { last.command }
  }

  package var changes: [Change] {
    var last: [Int: HistoryStep] = [:]
    for step in steps { last[step.answered ?? step.number] = step }
    return last.map { Change(number: $0, last: $1) }.sorted { $0.number < $1.number }
  }

  /// The changes that hold, or those taken back; the latest comes first.
  package func changes(areTakenBack: Bool) -> [Change] {
    changes.filter { $0.isTakenBack == areTakenBack }.sorted { $0.last.number > $1.last.number }
  }

  /// Finds the later changes about the same things, beside which a change cannot be taken back or
  /// done again.
  ///
  /// `stories` gives the stories that a step has taken away.
  package func changes(
    inTheWayOf change: Change,
    _ stories: (HistoryStep) throws -> ItemTable?,
  ) throws -> [Change] {
    let touched = try change.last.subjects(stories)
    var found: [Change] = []
    for other in changes where other.number != change.number {
      let later = steps.filter {
        ($0.answered ?? $0.number) == other.number && $0.number > change.last.number
      }
      // A change that was made and taken back since is as if it never was.
      guard later.count % 2 == 1 else { continue }
      if try other.last.subjects(stories).overlap(touched) { found.append(other) }
    }
    return found
  }
}

private struct StepSubjects {
  var stories = ItemIDs()
  var values: [String: ItemIDs] = [:]
  /// Changed parts of feeds and rules, by name.
  var others: [String: Set<String>] = [:]

  func overlap(_ other: StepSubjects) -> Bool {
    if !stories.isDisjoint(with: other.stories) { return true }
    for (value, ids) in values {
      if !other.stories.isDisjoint(with: ids) { return true }
      if let theirs = other.values[value], !theirs.isDisjoint(with: ids) { return true }
    }
    if other.values.values.contains(where: { !stories.isDisjoint(with: $0) }) { return true }
    return others.contains { name, parts in
      guard let theirs = other.others[name] else { return false }
      return parts.contains(Self.all) || theirs.contains(Self.all)
        || !parts.isDisjoint(with: theirs)
    }
  }

  static let all = ""
}

extension HistoryStep {
  fileprivate func subjects(_ stories: (HistoryStep) throws -> ItemTable?) throws -> StepSubjects {
    var subjects = StepSubjects()
    if let cleared = try stories(self) { subjects.stories = try cleared.ids(at: 0..<cleared.count) }
    subjects.stories.formUnion(added)
    subjects.stories.formUnion(returned)
    for marked in marked {
      subjects.values[marked.fact.value, default: ItemIDs()].formUnion(marked.ids)
    }
    for stories in left + joined {
      subjects.values["feed \(stories.feed)", default: ItemIDs()].formUnion(stories.ids)
    }
    // A feed goes with all of its stories, so it cannot if later steps have brought some.
    for feed in feedsOfAdded {
      subjects.others["feed \(feed)", default: []].insert("of \(number)")
    }
    for fact in feeds {
      for feed in [fact.old, fact.new].compactMap({ $0 }) {
        subjects.others["feed \(feed.url)", default: []].formUnion(fact.parts)
      }
    }
    for name in rules.compactMap({ ($0.new ?? $0.old)?.listName }) {
      subjects.others["rule \(name)"] = [StepSubjects.all]
    }
    if outlines != nil { subjects.others["outlines"] = [StepSubjects.all] }
    return subjects
  }
}

extension StoryFact {
  fileprivate var value: String {
    switch self {
    case .article: "article"
    case .read: "read"
    case .starred: "starred"
    case .tagged(let name), .untagged(let name): "tag \(name.lowercased())"
    case .text(let mark, _, _): "text \(mark)"
    }
  }
}
