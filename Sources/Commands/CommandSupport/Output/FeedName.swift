import CommandLine
package import FeedModel
package import FeedStorage

package final class FeedName {
  private let subscriptions: [Subscription]
  private let former: [String: String]
  private lazy var indices = Dictionary(
    subscriptions.indices.lazy.map { (self.subscriptions[$0].url, $0) }
  ) { $1 }
  private lazy var distinct = Self.distinct(subscriptions)
  /// A cache: mostly a few of many names are asked for, each again and again.
  private var names: [String: String] = [:]
  private var shortened: (columns: Int, names: ShortFeedNames)?

  package init(_ library: Library) {
    subscriptions = library.subscriptions
    former = library.feeds.formerNames
  }

  var all: Set<String> {
    Set(subscriptions.map { distinct[$0.url] ?? Self.printable($0) })
  }

  /// Returns the names of all feeds for a column of their own, the same until its width changes.
  package func short(columns: Int) -> ShortFeedNames {
    if let shortened, shortened.columns == columns { return shortened.names }
    let names = ShortFeedNames(all, among: [], columns: columns)
    shortened = (columns, names)
    return names
  }

  /// Returns the name of a story's first feed that is subscribed to, else of its first feed.
  package func name(ofFirst feeds: [String]) -> String {
    for feed in feeds {
      if let name = name(ofSubscribed: feed) { return name }
    }
    return feeds.first.map(name) ?? ""
  }

  package func name(of feed: String) -> String {
    if let name = name(ofSubscribed: feed) { return name }
    return Subscription.printableName(title: former[feed] ?? feed, url: feed)
  }

  private func name(ofSubscribed feed: String) -> String? {
    if let name = names[feed] { return name }
    guard let index = indices[feed] else { return nil }
    let name = distinct[feed] ?? Self.printable(subscriptions[index])
    names[feed] = name
    return name
  }

  package static func printable(_ subscription: Subscription) -> String {
    subscription.printableName
  }
}

extension FeedName {
  /// Returns names for feeds of equal titles, by their URLs.
  package static func distinct(_ subscriptions: [Subscription]) -> [String: String] {
    var first: [String: Int] = [:]
    first.reserveCapacity(subscriptions.count)
    var same: [Int: [Subscription]] = [:]
    for (index, title) in Subscription.displayTitles(subscriptions).enumerated() {
      if let namesake = first[title] {
        same[namesake, default: [subscriptions[namesake]]].append(subscriptions[index])
      } else {
        first[title] = index
      }
    }
    var names: [String: String] = [:]
    for feeds in same.values {
      for (feed, mark) in zip(feeds, marks(of: feeds)) {
        names[feed.url] = "\(printable(feed)) (\(mark))"
      }
    }
    return names
  }

  /// Returns marks for feeds of one title: the hosts, else the URLs, else their users, else
  /// numbers.
  private static func marks(of feeds: [Subscription]) -> [String] {
    let candidates: [(Subscription) -> String] = [
      { WebURL.host(of: $0.url) ?? WebURL.printable($0.url) }, { WebURL.printable($0.url) },
      { WebURL.user(of: $0.url).map { SafeText.line($0) } ?? "" },
    ]
    for candidate in candidates {
      let marks = feeds.map(candidate)
      if Set(marks).count == feeds.count { return marks }
    }
    return feeds.indices.map { String($0 + 1) }
  }
}

extension ShellWord {
  /// Returns a word that names a feed: its URL, or its title where the URL holds a password.
  package static func feed(_ subscription: Subscription) -> String {
    let url = WebURL.printable(subscription.url)
    let isWhole = WebURL.redacted(subscription.url) == subscription.url
    return asNeeded(isWhole ? url : FeedName.printable(subscription))
  }
}
