internal import FeedModel

/// The changes of the user that can be taken back.
///
/// A step that takes another back, or does it again, answers that one, and takes its place: it says
/// if the change is taken back.
package struct History: Sendable {
  /// The last step of each change.
  package let steps: [HistoryStep]

  package init(steps: [HistoryStep]) { self.steps = steps }

  package var changes: [HistoryStep] { steps.sorted { $0.change < $1.change } }

  /// The user's changes that hold; the latest comes first.
  package var undoable: [HistoryStep] {
    latest.filter { !$0.origin.isBack && $0.origin.author == .user }
  }

  /// The changes taken back that no new one of the user's has followed; the latest comes first.
  package var redoable: [HistoryStep] {
    let newest = changes.last { $0.origin.author == .user }?.change ?? 0
    return latest.filter { $0.origin.isBack && $0.number > newest }
  }

  private var latest: [HistoryStep] { steps.sorted { $0.number > $1.number } }

  /// Finds the later changes about the same things, beside which a change cannot be taken back or
  /// done again.
  ///
  /// `taken` are the stories that go with it, and `stories` gives those that a step has taken away.
  package func changes(
    inTheWayOf change: HistoryStep,
    taking taken: ItemIDs,
    _ stories: (HistoryStep) throws -> ItemTable?,
  ) throws -> [HistoryStep] {
    var touched = try change.subjects(stories)
    touched.stories.formUnion(taken)
    var found: [HistoryStep] = []
    for other in changes where other.change != change.change {
      let later = (other.turns + [other.number]).filter { $0 > change.number }
      // A change that was made and taken back since is as if it never was.
      guard later.count % 2 == 1 else { continue }
      if try other.subjects(stories).overlap(touched) { found.append(other) }
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
    for name in lists.compactMap({ ($0.new ?? $0.old)?.listName }) {
      subjects.others["list \(name)"] = [StepSubjects.all]
    }
    if outlines != nil { subjects.others["outlines"] = [StepSubjects.all] }
    return subjects
  }
}

extension StoryFact {
  fileprivate var value: String {
    switch self {
    case .article: "article"
    case .flag(let flag, _): flag.field.name
    case .tagged(let name), .untagged(let name): "tag \(name.lowercased())"
    case .text(let mark, _, _): "text \(mark)"
    }
  }
}
