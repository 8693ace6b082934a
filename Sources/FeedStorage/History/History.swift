internal import FeedModel

/// What the reader has changed, as far as it can be taken back.
///
/// A step that takes another back, or does it again, answers that one: of all that answer one step the
/// last says whether it is as it was done.
package struct History: Sendable {
  package let steps: [HistoryStep]

  package init(steps: [HistoryStep]) { self.steps = steps }

  /// A change of the reader's with all that has become of it since.
  package struct Change: Sendable {
    /// The number by which the reader calls it.
    package let number: Int
    /// The last step of it: what is to be taken back next.
    package let last: HistoryStep

    package var isTakenBack: Bool { last.isBack }
    /// The command's words, such as `read`.
    package var command: String { last.command }
  }

  /// All changes, the last one last.
  package var changes: [Change] {
    var last: [Int: HistoryStep] = [:]
    for step in steps { last[step.answered ?? step.number] = step }
    return last.map { Change(number: $0, last: $1) }.sorted { $0.number < $1.number }
  }

  /// The changes that were made, or those that were taken back: what became so last first.
  package func changes(areTakenBack: Bool) -> [Change] {
    changes.filter { $0.isTakenBack == areTakenBack }.sorted { $0.last.number > $1.last.number }
  }

  /// Finds the changes that came behind one and are about the same: it cannot be taken back, or done
  /// again, beside them.
  ///
  /// `stories` gives the stories that a step has taken away.
  package func changes(
    inTheWayOf change: Change,
    _ stories: (HistoryStep) throws(StorageError) -> ItemTable?,
  ) throws(StorageError) -> [Change] {
    let touched = try change.last.subjects(stories)
    var found: [Change] = []
    for other in changes where other.number != change.number {
      let later = steps.filter {
        ($0.answered ?? $0.number) == other.number && $0.number > change.last.number
      }
      // What was done and taken back since is as if it never was.
      guard later.count % 2 == 1 else { continue }
      if try other.last.subjects(stories).overlap(touched) { found.append(other) }
    }
    return found
  }
}

/// What a step is about.
private struct StepSubjects {
  /// Stories that have come or gone.
  var stories = ItemIDs()
  /// Stories of which a value has changed, by the value.
  var values: [String: ItemIDs] = [:]
  /// By their names what has changed of feeds and rules.
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

  /// Stands for all that there is of a feed.
  static let all = ""
}

extension HistoryStep {
  fileprivate func subjects(
    _ stories: (HistoryStep) throws(StorageError) -> ItemTable?
  ) throws(StorageError) -> StepSubjects {
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
    // A feed goes with all stories: it cannot where later steps have brought some.
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
