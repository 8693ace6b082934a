package import FeedModel
import System

/// The settings of subscriptions and rules that machines have in common.
///
/// Files that are followed, accounts and commands for passwords belong to this machine alone.
package struct SharedSettings {
  package private(set) var values: [SyncKey: SyncValue] = [:]
  package private(set) var indices: [String: Int] = [:]

  package init(_ subscriptions: [Subscription], _ rules: [StoryRule]) {
    for (index, feed) in subscriptions.enumerated() {
      let url = feed.sharedURL
      // Of two accounts with one server the first counts.
      guard SyncKey.isFeed(url), indices[url] == nil else { continue }
      indices[url] = index
      for (setting, value) in feed.aspects {
        let key = SyncKey.feed(url, setting)
        values[key] = key.accepts(value) ? value : SyncValue.none
      }
    }
    for feed in subscriptions {
      for former in feed.formerURLs where indices[former] == nil {
        let key = SyncKey.feed(former, .moved)
        let value = SyncValue.text(feed.sharedURL)
        if key.isSound, key.accepts(value) { values[key] = value }
      }
    }
    let shared = rules.map(\.shared).filter { SyncKey.isSound($0) }
    for rule in shared { values[.rule(rule.name.lowercased())] = .rule(rule) }
    let order = shared.map { $0.name.lowercased() }
    values[.ruleOrder] = order.count > 1 ? .texts(order) : SyncValue.none
  }

  /// Returns the values that have changed since; a removed feed or rule has none.
  package func changes(since old: SharedSettings) -> [SyncKey: SyncValue] {
    var changes = values.filter { old.values[$0.key, default: .none] != $0.value }
    for key in old.values.keys where values[key] == nil {
      switch key {
      case .feed(_, .followed), .rule: changes[key] = SyncValue.none
      case .feed, .story, .ruleOrder: break
      }
    }
    return changes
  }
}

extension Subscription {
  /// The URL by which other machines know the feed.
  package var sharedURL: String { WebURL.withoutAccount(url) }

  fileprivate var formerURLs: Set<String> {
    let former = state.formerURLs + [listedURL].compactMap(\.self)
    return Set(former.map(WebURL.withoutAccount)).subtracting([sharedURL])
  }

  fileprivate var aspects: [(SyncKey.SharedSetting, SyncValue)] {
    [
      (.followed, .yes), (.moved, .none), (.title, SyncValue(text: title)),
      (.tags, SyncValue(texts: tags)),
    ] + FeedSetting.allCases.map { (.setting($0), settings[$0]) }
  }
}

extension StoryRule {
  fileprivate var shared: StoryRule {
    var rule = self
    rule.feeds = feeds.map(WebURL.withoutAccount)
    return rule
  }

  package func local(_ urls: [String: String]) -> StoryRule {
    var rule = self
    rule.feeds = feeds.map { urls[$0] ?? $0 }
    return rule
  }
}
