import CommandLine
package import CommandSupport
import FeedModel
package import FeedStorage
import Searching

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
    let old = library.subscriptions
    let names = FollowingNames(old: selector(old), new: selector(new))
    let all = rules.map(names.followed)
    if all != rules { change.rules = all }
    return zip(rules, all).compactMap { message(on: $1, among: new, was: $0, among: old) }
  }

  /// Returns a message on a rule that names a feed by its new title, or that no longer works.
  private func message(
    on rule: StoryRule,
    among new: [Subscription],
    was: StoryRule,
    among old: [Subscription],
  ) -> String? {
    let subject = "\(rule.isSearch ? "search" : "rule") \(SafeText.line(rule.name))"
    if let fault = fault(of: rule, new) {
      // `doctor` tells of a rule that did nothing before.
      guard self.fault(of: was, old) == nil else { return nil }
      return "\(subject) \(rule.isSearch ? "finds" : "does") nothing any more: \(fault)"
    }
    guard rule != was else { return nil }
    return "\(subject) follows: \(SafeText.line(rule.grep.joined(separator: " ")))"
  }

  private func fault(of rule: StoryRule, _ subscriptions: [Subscription]) -> String? {
    do {
      _ = try condition(toActBy: rule, subscriptions)
      return nil
    } catch {
      return error.line
    }
  }
}

extension Subscription {
  fileprivate var names: [String] { [url, title ?? "", state.title ?? ""] + tags }
}
