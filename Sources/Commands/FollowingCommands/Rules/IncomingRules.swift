internal import CommandLine
package import CommandSupport
import FeedLibrary
package import FeedModel
import FeedStorage
import FeedUpdating
package import Searching
import Synchronization

final class IncomingRules: Sendable {
  private let rules: [StoryRule]
  private let context: CommandContext
  private let noted = Mutex<[(reason: String, names: [String])]>([])

  init?(_ rules: [StoryRule], _ context: CommandContext) {
    self.rules = rules.filter { !$0.isSearch }
    self.context = context
    if self.rules.isEmpty { return nil }
  }

  /// Messages on rules that did nothing, each once; one for many with the same reason.
  var failures: [String] {
    noted.withLock { noted in
      noted.flatMap { reason, names in
        guard names.count > 3 else { return names.map { "rule \($0): \(reason)" } }
        let shown = names.prefix(3).joined(separator: ", ")
        return ["rules \(shown) and \(names.count - 3) more: \(reason)"]
      }
    }
  }

  func evaluate(_ subscriptions: [Subscription]) -> StoryEvaluator {
    let rules = self.rules.compactMap { self.test($0, subscriptions) }
    var test = StoryTest(rules.map(\.condition), now: context.clock.now())
    lazy var elsewhere = (try? context.store()).flatMap { MarksElsewhere(of: $0, subscriptions) }
    return { [self] story in
      var effect = StoryEffect()
      for number in test.holding(of: story, fail: { note(rules[$0].rule, $1.line) }) {
        effect.add(rules[number].rule.actions, of: rules[number].rule.name)
      }
      // No rule drops what is starred, here or on another machine.
      if effect.isFiltered, elsewhere?.isStarred(story.item, of: story.feed) == true {
        effect.isFiltered = false
      }
      return effect
    }
  }

  private func test(
    _ rule: StoryRule,
    _ subscriptions: [Subscription],
  ) -> (rule: StoryRule, condition: Condition<StoryCheck>)? {
    do {
      return (rule, try context.condition(toActBy: rule, subscriptions))
    } catch {
      note(rule, error.line)
      return nil
    }
  }

  private func note(_ rule: StoryRule, _ reason: String) {
    noted.withLock { noted in
      guard let index = noted.firstIndex(where: { $0.reason == reason }) else {
        return noted.append((reason, [rule.name]))
      }
      if !noted[index].names.contains(rule.name) { noted[index].names.append(rule.name) }
    }
  }
}

extension CommandContext {
  package func condition(
    of rule: StoryRule,
    _ subscriptions: [Subscription],
  ) throws -> Condition<StoryCheck> {
    try searchScope(subscriptions).condition(of: try savedSearch(rule, subscriptions))
  }

  /// Returns the condition of a rule that is to act; throws the reason why it cannot.
  package func condition(
    toActBy rule: StoryRule,
    _ subscriptions: [Subscription],
  ) throws -> Condition<StoryCheck> {
    if !rule.isSearch, rule.feeds.isEmpty, rule.grep.isEmpty {
      throw Failure("it does not say which stories")
    }
    if let reason = try rule.reasonItCannotAct() { throw Failure(reason) }
    return try condition(of: rule, subscriptions)
  }
}

extension StoryRule {
  /// Checks the rule's own search; throws what of it is not understood.
  fileprivate func reasonItCannotAct() throws -> String? {
    reasonItCannotAct(on: try search())
  }

  /// Returns why a search cannot decide on a story that comes; nil if it can.
  ///
  /// nil also for a saved search, which decides on none.
  package func reasonItCannotAct(on search: StorySearch) -> String? {
    if isSearch { return nil }
    if search.sort != nil { return "sort: is for lists and searches: a rule has no order" }
    for term in search.condition.terms {
      switch term {
      case .state(let state):
        return "is:\(state.rawValue) is for lists and searches: what comes is new and unread"
          + " and has no star"
      case .text(.note, _): return "note: is for lists and searches: what comes has no note"
      case .part(.note): return "has:note is for lists and searches: what comes has no note"
      default: break
      }
    }
    return nil
  }
}
