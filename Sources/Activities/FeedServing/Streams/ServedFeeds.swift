internal import FeedLibrary
package import FeedModel
internal import FeedStorage
internal import HTMLParsing
internal import System

/// The followed feeds by the names under which apps know them.
struct ServedFeeds: Sendable {
  /// The followed feeds in the user's order.
  let all: [Subscription]
  private let names: [String: Int]
  private let urls: [String: Int]
  private let formerNames: [String: String]

  init(_ library: Library) {
    all = library.subscriptions
    formerNames = library.feeds.formerNames
    var (names, urls): ([String: Int], [String: Int]) = ([:], [:])
    for (index, feed) in all.enumerated() {
      urls[feed.url] = index
      names[Self.name(ofFeed: feed.url)] = index
    }
    (self.names, self.urls) = (names, urls)
  }

  /// Returns the name after `feed/`: the URL without a password, or a number for a command or a
  /// file of this machine, and for a URL that apps would not send back whole.
  ///
  /// Read You takes `feed/` out of an id wherever it stands.
  static func name(ofFeed url: String) -> String {
    let address = address(ofFeed: url)
    guard !address.isEmpty, address.utf8.allSatisfy(isPlain), !address.contains("feed/") else {
      return SHA256.prefix(joining: ["feed", url]).hexadecimal
    }
    return address
  }

  /// Returns true for a byte that needs no encoding in a form: newsboat encodes none.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || "-._~:/?=,@".utf8.contains(byte)
  }

  /// Returns the feed's URL for apps; empty for a feed that is not of the web.
  static func address(ofFeed url: String) -> String {
    WebURL.isWeb(url) ? WebURL.withoutPassword(url) : ""
  }

  /// Returns the feed with a name, however its URL is spelled.
  func feed(named name: String) -> Subscription? {
    if let index = names[name] { return all[index] }
    return WebURL.isWeb(name) ? SubscriptionMerge(all).subscription(to: name) : nil
  }

  /// Returns the feed with a URL of the data file.
  func feed(at url: String) -> Subscription? { urls[url].map { all[$0] } }

  /// Returns the title of a feed with stories, followed or not.
  func title(of url: String) -> String {
    feed(at: url)?.servedTitle ?? MarkupSigns.text(formerNames[url] ?? WebURL.redacted(url))
  }

  /// The tags of feeds in their order, each as it was first written.
  var folders: [String] {
    all.flatMap(\.tags).distinct { $0.lowercased() }
  }
}

extension Subscription {
  /// The title for apps, some of which take it for HTML.
  package var servedTitle: String { MarkupSigns.text(displayTitle) }
}
