import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import Searching

struct TypedRule {
  let context: CommandContext

  private static let then = CommandOption(
    "then",
    value: "ACTION",
    isRepeatable: true,
    help: "what to do with them: read, star, drop, notify or tag:NAME",
  )
  static let options =
    [FeedSelector.option]
    + StoryQuery.options.filter { ["grep", "unread", "starred"].contains($0.name) } + [then]

  func rule(named name: String, _ library: Library) throws -> StoryRule {
    var rule = StoryRule(name: try Self.checked(name, context))
    rule.feeds = try feeds(library.subscriptions)
    let search = try context.typedSearch()
    rule.grep = context.arguments.values("grep")
    guard rule.grep.isEmpty || !search.isEmpty else {
      throw context.usage("--grep: there is no word to look for")
    }
    rule.isUnread = context.arguments.has("unread")
    rule.isStarred = context.arguments.has("starred")
    rule.actions = try actions()
    // Last, as files have it.
    rule.notifies = rule.actions.contains(.notify)
    try check(rule)
    if let reason = rule.reasonItCannotAct(on: search) {
      throw context.usage("--grep: \(reason)")
    }
    _ = try context.condition(of: rule, library.subscriptions)
    return rule
  }

  private static func checked(_ typed: String, _ context: CommandContext) throws -> String {
    let name = SafeText.line(typed)
    guard !name.isEmpty, name.count <= StoryRule.maximumName else {
      throw context.usage("a rule's name has 1 to \(StoryRule.maximumName) characters")
    }
    guard RuleVerb(rawValue: name) == nil else {
      throw context.usage("\(name) is what news rules is told to do, and no name for a rule")
    }
    return name
  }

  private func feeds(_ subscriptions: [Subscription]) throws -> [String] {
    var feeds: [String] = []
    for word in context.arguments.values(FeedSelector.option.name) {
      guard !word.isEmpty else { throw context.usage(FeedSelector.emptyWord) }
      let isTag = StoryTag(word) != nil
      let feed =
        isTag ? SafeText.line(word) : try context.selector(subscriptions).subscription(word).url
      if !feeds.contains(feed) { feeds.append(feed) }
    }
    return feeds
  }

  private func actions() throws -> [StoryAction] {
    var actions: [StoryAction] = []
    for word in context.arguments.values(Self.then.name) {
      for word in try words(word) {
        guard let action = StoryAction(SafeText.line(word)) else {
          throw context.usage(
            "--then: \(Spelling.quoted(word)) is not one of read, star, drop, notify and tag:NAME"
          )
        }
        if !actions.contains(action) { actions.append(action) }
      }
    }
    return actions
  }

  private func words(_ word: String) throws -> [String] {
    guard word.hasPrefix("tag:") else { return [word] }
    let tags = try context.tags([String(word.dropFirst(4))])
    return tags.isEmpty ? [word] : tags.map { "tag:\($0)" }
  }

  private func check(_ rule: StoryRule) throws {
    guard !rule.feeds.isEmpty || !rule.grep.isEmpty || rule.isUnread || rule.isStarred else {
      throw context.usage("choose stories: --feed FEED, --grep TEXT, or both")
    }
    if rule.drops, rule.actions.count > 1 {
      throw context.usage("--then drop stands alone: a story that is not stored is nothing else")
    }
    if !rule.isSearch, rule.isUnread || rule.isStarred {
      throw context.usage(
        "--unread and --starred are for searches, without --then: what comes is unread, and has no star"
      )
    }
  }
}
