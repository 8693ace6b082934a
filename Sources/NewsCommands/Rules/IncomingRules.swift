import CommandLine
import FeedModel
import FeedStorage
import FeedUpdating
import Searching
import Synchronization

/// The rules as they decide of what a run brings.
final class IncomingRules: Sendable {
  private let rules: [StoryRule]
  private let context: CommandContext
  private let noted = Mutex<[String]>([])

  /// nil where no rule does anything.
  init?(_ rules: [StoryRule], _ context: CommandContext) {
    self.rules = rules.filter { !$0.isSearch }
    self.context = context
    if self.rules.isEmpty { return nil }
  }

  /// Why some of them did nothing, each once.
  var failures: [String] { noted.withLock { $0 } }

  func evaluate(_ subscriptions: [Subscription]) -> StoryEvaluator {
    let evaluator = RuleEvaluator(
      rules.compactMap { test($0, subscriptions) },
      now: context.clock.now(),
    ) { self.note($0, $1.description) }
    return { story throws(StorageError) in try evaluator.effect(story) }
  }

  private func test(_ rule: StoryRule, _ subscriptions: [Subscription]) -> RuleEvaluator.Rule? {
    if let reason = context.fault(of: rule, subscriptions) {
      note(rule, reason)
      return nil
    }
    return (try? context.condition(of: rule, subscriptions)).map { (rule, $0) }
  }

  private func note(_ rule: StoryRule, _ reason: String) {
    let line = "rule \(rule.name): \(reason)"
    noted.withLock { if !$0.contains(line) { $0.append(line) } }
  }
}

extension CommandContext {
  /// What a rule asks of a story.
  func condition(
    of rule: StoryRule,
    _ subscriptions: [Subscription],
  ) throws(CommandError) -> Condition<StoryCheck> {
    try searchScope(subscriptions).condition(of: try savedSearch(rule, subscriptions))
  }

  /// Why a rule cannot do what it says; nil where it can.
  func fault(of rule: StoryRule, _ subscriptions: [Subscription]) -> String? {
    if !rule.isSearch, rule.feeds.isEmpty, rule.grep.isEmpty {
      return "it does not say which stories"
    }
    do {
      if let reason = rule.reasonItCannotAct(on: try rule.search()) { return reason }
    } catch {
      return "\(error)"
    }
    do {
      _ = try condition(of: rule, subscriptions)
      return nil
    } catch {
      return error.lines[0]
    }
  }
}

extension StoryRule {
  /// What a search asks that nobody knows of a story that comes; nil for a search that a rule can
  /// have, and for a saved search.
  func reasonItCannotAct(on search: StorySearch) -> String? {
    if isSearch { return nil }
    if search.sort != nil { return "sort: is for lists and searches: a rule has no order" }
    for case .state(let state) in search.condition.terms {
      return "is:\(state.rawValue) is for lists and searches: what comes is new and unread"
        + " and has no star"
    }
    return nil
  }
}

/// Holds one story after the other against the rules.
private final class RuleEvaluator {
  typealias Rule = (rule: StoryRule, condition: Condition<StoryCheck>)

  private let rules: [StoryRule]
  private var tests: [RuleTest]
  private let fail: (StoryRule, StorageError) -> Void

  init(_ rules: [Rule], now: Double, fail: @escaping (StoryRule, StorageError) -> Void) {
    self.rules = rules.map(\.rule)
    tests = rules.map { RuleTest($0.condition, now: now) }
    self.fail = fail
  }

  func effect(_ story: IncomingStory) throws(StorageError) -> StoryEffect {
    var effect = StoryEffect()
    for (rule, test) in zip(rules, tests) where matches(story, rule, test) {
      effect.add(rule.actions, of: rule.name)
    }
    return effect
  }

  private func matches(_ story: IncomingStory, _ rule: StoryRule, _ test: RuleTest) -> Bool {
    do {
      return try test.holds(of: story, isShort: !rule.looksInTexts)
    } catch {
      fail(rule, error)
      return false
    }
  }
}

/// A test that others can share.
private final class RuleTest {
  private var test: StoryTest

  init(_ condition: Condition<StoryCheck>, now: Double) {
    test = StoryTest(condition, now: now)
  }

  func holds(of story: IncomingStory, isShort: Bool) throws(StorageError) -> Bool {
    try test.holds(of: story, isShort: isShort)
  }
}
