import CommandLine
import FeedModel
import FeedStorage

extension StoryQuery {
  /// What a rule looks for among the stored stories.
  init(_ rule: StoryRule, _ subscriptions: [Subscription]) throws(WordFault) {
    tags = rule.feeds.compactMap(StoryTag.init)
    feeds = rule.feedURLs(subscriptions)
    for typed in rule.grep { try text.add(typed) }
    guard rule.grep.isEmpty || !text.isEmpty else { throw WordFault(reason: "it has no word") }
    isUnread = rule.isUnread
    isStarred = rule.isStarred
  }
}

extension StoryRule {
  /// The URLs of its feeds, and of those with its tags; nil where it is about all stories.
  func feedURLs(_ subscriptions: [Subscription]) -> Set<String>? {
    guard !feeds.isEmpty else { return nil }
    let tags = feeds.compactMap(StoryTag.init)
    let tagged = subscriptions.filter { feed in tags.contains { $0.isAmong(feed.tags) } }
    return Set(tagged.map(\.url) + feeds.filter { StoryTag($0) == nil })
  }
}

extension CommandContext {
  /// All of what `--grep` says.
  func textPattern() throws(CommandError) -> TextPattern {
    var pattern = TextPattern()
    for typed in arguments.values("grep") {
      do {
        try pattern.add(typed)
      } catch {
        throw usage(
          "--grep: \(Spelling.quoted(typed)) is not a regular expression: \(error.reason)"
        )
      }
    }
    guard !arguments.has("text") || !pattern.isEmpty else {
      throw usage("--text goes with --grep: where to look, not for what")
    }
    return pattern
  }

  /// What the rule or saved search of a name looks for.
  func savedSearch(
    _ name: String,
    _ subscriptions: [Subscription],
  ) throws(CommandError) -> StoryQuery {
    let store = try store()
    let rules = try commandErrors { try store.rules() }
    return try savedSearch(try rules.rule(name), subscriptions)
  }

  func savedSearch(
    _ rule: StoryRule,
    _ subscriptions: [Subscription],
  ) throws(CommandError) -> StoryQuery {
    do {
      return try StoryQuery(rule, subscriptions)
    } catch {
      throw .failed("rule \(rule.name): \(error.reason)")
    }
  }
}

extension [StoryRule] {
  func rule(_ name: String) throws(CommandError) -> StoryRule {
    let folded = TextFolding.fold(name)
    if let rule = first(where: { TextFolding.fold($0.name) == folded }) { return rule }
    let hint = Spelling.hint(name, among: map { $0.name.lowercased() })
    throw .failed("no rule is called \(Spelling.quoted(name))\(hint) (`news rules` lists them)")
  }
}
