import CommandLine
import FeedModel
import FeedParsing
import FeedStorage
import FeedUpdating
import Synchronization

/// The rules as they decide of what a run brings.
final class IncomingRules: Sendable {
  private let rules: [StoryRule]
  private let noted = Mutex<[String]>([])

  /// nil where no rule does anything.
  init?(_ rules: [StoryRule]) {
    self.rules = rules.filter { !$0.isSearch }
    if self.rules.isEmpty { return nil }
  }

  /// Why some of them did nothing, each once.
  var failures: [String] { noted.withLock { $0 } }

  func evaluate(_ subscriptions: [Subscription]) -> StoryEvaluator {
    var tests: [(StoryRule, StoryTest)] = []
    for rule in rules {
      guard !rule.feeds.isEmpty || !rule.grep.isEmpty else {
        note(rule, "it does not say which stories")
        continue
      }
      do {
        tests.append((rule, StoryTest(try StoryQuery(rule, subscriptions), now: 0)))
      } catch {
        note(rule, error.reason)
      }
    }
    let evaluate = RuleEvaluator(tests) { self.note($0, $1.description) }
    return { story throws(StorageError) in try evaluate.effect(story) }
  }

  private func note(_ rule: StoryRule, _ reason: String) {
    let line = "rule \(rule.name): \(reason)"
    noted.withLock { if !$0.contains(line) { $0.append(line) } }
  }
}

/// Holds one story after the other against the rules.
private final class RuleEvaluator {
  private let tests: [(rule: StoryRule, test: StoryTest)]
  private let fail: (StoryRule, StorageError) -> Void
  /// The story at hand with the beginning of its text, which is where rules of earlier versions looked,
  /// and with all of it.
  private var short = FoldedText()
  private var whole = FoldedText()

  /// Characters that a summary had when they were made.
  private static let beginning = 1_000

  init(_ tests: [(StoryRule, StoryTest)], fail: @escaping (StoryRule, StorageError) -> Void) {
    self.tests = tests
    self.fail = fail
  }

  func effect(_ story: IncomingStory) throws(StorageError) -> StoryEffect {
    var effect = StoryEffect()
    short.removeAll()
    whole.removeAll()
    for (rule, test) in tests where test.isOf(story.feed) {
      if try test.needsText ? matches(story, rule, test) : true {
        effect.add(rule.actions, of: rule.name)
      }
    }
    return effect
  }

  private func matches(
    _ story: IncomingStory,
    _ rule: StoryRule,
    _ test: StoryTest,
  ) throws(StorageError) -> Bool {
    if short.count == 0 {
      short.append(story.item.title)
      short.append(story.item.summary ?? "")
      if let line = try story.text()?.line { short.append(String(line.prefix(Self.beginning))) }
    }
    if rule.looksInTexts, whole.count == 0 {
      whole.append(story.item.title)
      whole.append(story.item.summary ?? "")
      if let text = try story.text() { whole.append(text.line) }
    }
    do {
      return try rule.looksInTexts ? test.matches(whole) : test.matches(short)
    } catch {
      fail(rule, error)
      return false
    }
  }
}
