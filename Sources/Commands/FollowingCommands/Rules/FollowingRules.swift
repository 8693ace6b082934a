import CommandLine
package import CommandSupport
import FeedModel
package import FeedStorage
import Searching

/// Rules and saved searches after feeds have got other names, or are gone.
private struct FollowingRules {
  let all: [StoryRule]
  /// Messages on rules that name a feed by its new title, or that no longer work.
  private(set) var lines: [String] = []

  init(
    _ rules: [StoryRule],
    from old: [Subscription],
    to new: [Subscription],
    _ context: CommandContext,
  ) {
    let names = FollowingNames(old: context.selector(old), new: context.selector(new))
    all = rules.map { names.followed($0) }
    for (was, rule) in zip(rules, all) {
      let subject = "\(rule.isSearch ? "search" : "rule") \(SafeText.line(rule.name))"
      if let fault = Self.fault(of: rule, new, context) {
        // `doctor` tells of a rule that did nothing before.
        guard Self.fault(of: was, old, context) == nil else { continue }
        lines.append("\(subject) \(rule.isSearch ? "finds" : "does") nothing any more: \(fault)")
      } else if rule != was {
        lines.append("\(subject) follows: \(SafeText.line(rule.grep.joined(separator: " ")))")
      }
    }
  }

  private static func fault(
    of rule: StoryRule,
    _ subscriptions: [Subscription],
    _ context: CommandContext,
  ) -> String? {
    do {
      _ = try context.condition(toActBy: rule, subscriptions)
      return nil
    } catch {
      return error.line
    }
  }
}

private struct FollowingNames {
  let old: FeedSelector
  let new: FeedSelector

  /// Returns a rule with other words after `feed:`.
  func followed(_ rule: StoryRule) -> StoryRule {
    var rule = rule
    // A search that cannot be read stays as it is: `doctor` tells of it.
    rule.grep = rule.grep.map { (try? StorySearch.text($0, naming: name)) ?? $0 }
    return rule
  }

  /// Returns the word that means the feed from now on; nil where the old one still does.
  ///
  /// nil also for a tag, and for a word that has meant no single feed.
  private func name(_ term: SearchTerm) -> String? {
    guard case .feed(let word) = term, StoryTag(word) == nil, let was = try? old.subscription(word)
    else { return nil }
    let feed = new.subscriptions.first {
      $0.url == was.url || $0.state.formerURLs.contains(was.url)
    }
    // The word of a feed that is gone must not come to mean another.
    guard let feed else { return new.found(word).isEmpty ? nil : WebURL.withoutAccount(was.url) }
    func means(_ word: String) -> Bool { (try? new.subscription(word))?.url == feed.url }
    guard !means(word) else { return nil }
    let names = [feed.displayTitle, WebURL.withoutAccount(feed.url)]
    return names.first { !$0.contains("\"") && means($0) }
  }
}

extension CommandContext {
  /// Adapts rules and saved searches to new names of feeds, in the same change.
  ///
  /// - Returns: messages for after the save.
  package func followFeeds(_ change: inout LibraryChange, of library: Library) throws -> [String] {
    guard let new = change.feeds.subscriptions,
      new.map(\.names) != library.subscriptions.map(\.names)
    else { return [] }
    let store = try store()
    let rules =
      if let rules = change.rules { rules } else { try store.rules() }
    let following = FollowingRules(rules, from: library.subscriptions, to: new, self)
    guard following.all != rules else { return following.lines }
    change.rules = following.all
    return following.lines
  }
}

extension Subscription {
  fileprivate var names: [String] { [url, title ?? "", state.title ?? ""] + tags }
}
