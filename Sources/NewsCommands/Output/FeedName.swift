import FeedModel

/// What feeds are called in the output.
struct FeedName {
  private let names: [String: String]

  init(_ subscriptions: [Subscription]) {
    var names: [String: String] = [:]
    names.reserveCapacity(subscriptions.count)
    for subscription in subscriptions {
      names[subscription.url] = Self.printable(subscription)
    }
    self.names = names
  }

  /// The names of all feeds, in no order.
  var all: [String] { Array(names.values) }

  /// The name of the first feed of a story that is subscribed to, else the first one's URL.
  func name(ofFirst feeds: [String]) -> String {
    for feed in feeds {
      if let name = names[feed] { return name }
    }
    return feeds.first.map(Self.printableURL) ?? ""
  }

  func name(of feed: String) -> String {
    names[feed] ?? Self.printableURL(feed)
  }

  /// A subscription's title, or its URL in the form for people.
  static func printable(_ subscription: Subscription) -> String {
    let title = SafeText.line(subscription.displayTitle)
    return title.isEmpty || title == subscription.url ? printableURL(subscription.url) : title
  }

  /// A URL for programs: without password.
  static func withoutPassword(_ url: String) -> String {
    WebURL.redacted(url)
  }

  /// A URL for people: without password, a file as its path.
  static func printableURL(_ url: String) -> String {
    SafeText.line(FilePath.path(ofFileURL: url) ?? WebURL.redacted(url))
  }
}
