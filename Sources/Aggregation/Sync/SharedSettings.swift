package import FeedModel
import FeedStorage
import System

/// What a library has of the subscriptions and rules that machines have in common.
///
/// Files that are followed are of this machine alone, as are accounts and commands for passwords.
struct SharedSettings {
  private(set) var values: [SyncKey: SyncValue] = [:]
  /// The subscriptions' places, by what others know them by.
  private(set) var places: [String: Int] = [:]

  init(_ subscriptions: [Subscription], _ rules: [StoryRule]) {
    for (place, feed) in subscriptions.enumerated() {
      let url = feed.sharedURL
      // Of two accounts with one server the first counts.
      guard SyncKey.isFeed(url), places[url] == nil else { continue }
      places[url] = place
      for (aspect, value) in feed.aspects {
        let key = SyncKey.feed(url, aspect)
        values[key] = key.accepts(value) ? value : SyncValue.none
      }
    }
    for feed in subscriptions {
      for former in feed.formerURLs where places[former] == nil {
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

  /// With what was there at the last merge, and is there no more.
  mutating func addGone(since base: [SyncKey: SyncValue]) {
    for key in base.keys where values[key] == nil {
      switch key {
      case .feed(_, .followed), .rule, .ruleOrder: values[key] = SyncValue.none
      case .feed, .story: break
      }
    }
  }
}

extension Subscription {
  /// By what other machines know it.
  package var sharedURL: String { WebURL.withoutAccount(url) }

  fileprivate var formerURLs: Set<String> {
    let former = state.formerURLs + [listedURL].compactMap(\.self)
    return Set(former.map(WebURL.withoutAccount)).subtracting([sharedURL])
  }

  fileprivate var aspects: [(SyncKey.FeedAspect, SyncValue)] {
    [
      (.followed, .yes), (.moved, .none),
      (.title, title.map { .text($0) } ?? .none),
      (.tags, tags.isEmpty ? .none : .texts(tags)),
      (.interval, .number(settings.interval.map { Int($0.components.seconds) })),
      (.keep, .number(settings.keep)), (.maxSize, .number(settings.maximumBytes)),
      (.userAgent, settings.userAgent.map { .text($0) } ?? .none),
      (.full, settings.fetchesPages ? .yes : .none),
      (.download, .number(settings.downloads)),
      (.downloadLimit, .number(settings.downloadBytes)),
    ]
  }

  /// Takes what is known of the feed; what is not is as it was.
  mutating func take(_ known: (SyncKey.FeedAspect) -> SyncValue?) {
    if let value = known(.title) { title = value.text }
    if let value = known(.tags) { tags = value.texts ?? [] }
    var settings = settings
    if let value = known(.interval) { settings.interval = value.number.map { .seconds($0) } }
    if let value = known(.keep) { settings.keep = value.number }
    if let value = known(.maxSize) { settings.maximumBytes = value.number }
    if let value = known(.userAgent) { settings.userAgent = value.text }
    if let value = known(.full) { settings.fetchesPages = value == .yes }
    if let value = known(.download) { settings.downloads = value.number }
    if let value = known(.downloadLimit) { settings.downloadBytes = value.number }
    if settings != self.settings { settle(settings) }
  }
}

extension SyncValue {
  fileprivate static func number(_ value: Int?) -> SyncValue {
    value.map { .number($0) } ?? .none
  }
}

extension StoryRule {
  /// As other machines may see it.
  fileprivate var shared: StoryRule {
    var rule = self
    rule.feeds = feeds.map(WebURL.withoutAccount)
    return rule
  }

  /// The same with the feeds as this machine follows them.
  func local(_ urls: [String: String]) -> StoryRule {
    var rule = self
    rule.feeds = feeds.map { urls[$0] ?? $0 }
    return rule
  }
}
