import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage
import FeedUpdating
import FollowingCommands
import Searching

struct ImportedRules {
  private(set) var rules: [StoryRule] = []
  private var known = 0
  private let existing: [StoryRule]
  private let subscriptions: [Subscription]
  private let context: CommandContext

  init(_ list: inout ImportedList, _ context: CommandContext) throws {
    self.context = context
    guard !list.filters.isEmpty else {
      (existing, subscriptions) = ([], [])
      return
    }
    let store = try context.store()
    try store.prepareHome()
    existing = try store.rules()
    var merge = SubscriptionMerge(try store.read(.names).subscriptions)
    for subscription in list.subscriptions { merge.add(subscription) }
    subscriptions = merge.subscriptions
    for filter in list.filters {
      do { add(try rule(filter)) } catch { list.refuse(filter, error.line) }
    }
  }

  var said: [String] {
    let searches = rules.count(where: \.isSearch)
    let counts = [
      (searches, Count.of(searches, "saved search", "saved searches")),
      (rules.count - searches, Count.of(rules.count - searches, "rule")),
    ]
    let added = counts.filter { $0.0 > 0 }.map(\.1).joined(separator: " and ")
    let there = known > 0 ? "\(Count.of(known, "was", "were")) there already" : ""
    guard !added.isEmpty else { return there.isEmpty ? [] : ["no new rules; \(there)"] }
    return ["\(added) added (`news rules` lists them)" + (there.isEmpty ? "" : "; \(there)")]
  }

  private mutating func add(_ rule: StoryRule) {
    let isKnown = (existing + rules).contains {
      ($0.feeds, $0.grep, $0.actions) == (rule.feeds, rule.grep, rule.actions)
    }
    guard !isKnown else {
      known += 1
      return
    }
    rules.append(rule)
  }

  private func rule(_ filter: ImportedList.Filter) throws -> StoryRule {
    let search = try NewsboatFilter.search(filter.text)
    guard search.condition != .always else { throw Failure("it is about all stories") }
    var rule = StoryRule(name: name(filter.name))
    rule.grep = [search.text]
    if filter.name == nil { rule.actions = [.drop] }
    if let feed = filter.feed {
      guard let known = SubscriptionMerge(subscriptions).subscription(to: feed) else {
        throw Failure("about a feed that is not followed here")
      }
      rule.feeds = [known.url]
    }
    if let reason = rule.reasonItCannotAct(on: search) { throw Failure(reason) }
    _ = try context.condition(of: rule, subscriptions)
    return rule
  }

  /// Returns the name, with a number behind it where a rule or a word of `news rules` has it.
  private func name(_ wanted: String?) -> String {
    let line = SafeText.line(wanted ?? "")
    let start = line.isEmpty ? "ignore" : String(line.prefix(StoryRule.maximumName - 6))
    let taken = Set((existing + rules).map { TextFolding.fold($0.name) })
    for number in 1... {
      let name = number == 1 && !line.isEmpty ? start : "\(start)-\(number)"
      if !taken.contains(TextFolding.fold(name)), RuleVerb(rawValue: name) == nil {
        return name
      }
    }
    return start
  }
}
