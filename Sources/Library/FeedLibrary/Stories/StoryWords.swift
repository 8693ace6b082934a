package import FeedModel
internal import System

/// The rule whose words a story has that several feeds bring under one link: those of the feed to
/// whose site the link leads, else those on which the feeds agree.
///
/// A feed's word about itself counts for nothing, since anybody can say it.
package struct StoryWords: Sendable {
  package enum Verdict: Hashable, Sendable {
    /// The feed's words take the place of those that other feeds brought.
    case own
    /// The words stay, and the feed has the story, too.
    case shared
    /// The feed's story is another one.
    case separate
  }

  /// The sites on whose pages the user found feeds, by the feeds' URLs.
  private let found: [String: String]

  package init(_ subscriptions: [Subscription] = []) {
    let found = subscriptions.lazy.compactMap { feed in feed.state.site.map { (feed.url, $0) } }
    self.found = Dictionary(found) { first, _ in first }
  }

  /// Decides on a story that a feed brings, and another of its link that some feeds have brought.
  package func verdict(
    on item: Item,
    of feed: String,
    beside other: Item,
    of feeds: [String],
  ) -> Verdict {
    let isOwn = owner(of: item, among: [feed]) != nil
    // PERF: hundreds of feeds may agree on a story.
    if !isOwn, Self.agree(item, other) { return .shared }
    if owner(of: item, among: feeds) != nil { return .shared }
    return isOwn ? .own : .separate
  }

  /// Returns true if a feed may change the words of a story that it carries.
  ///
  /// The site's own feed may, where it carries the story; else the first one, within the limits of
  /// what the feeds agree on.
  package func mayWrite(_ item: Item, of feed: String, over other: StoredItem) -> Bool {
    if other.feeds.count == 1 { return other.feeds[0] == feed }
    if let owner = owner(of: other.item, among: other.feeds) { return owner == feed }
    return other.feeds.first == feed && Self.agree(item, other.item)
  }

  /// Returns the first feed of the site to which the story leads; a saved page is what was there.
  package func owner(of item: Item, among feeds: [String]) -> String? {
    guard let link = ItemID.canonicalURL(of: item), let site = Self.site(of: link) else {
      return nil
    }
    return feeds.first { feed in
      feed == Subscription.savedURL
        || [Self.site(of: feed), found[feed]].contains { Self.isOneSite($0, site) }
    }
  }

  /// Returns the host and port of a web address, without `www.`; nil for other URLs.
  package static func site(of url: String) -> String? {
    let url = WebURL.canonical(url)
    guard url.hasPrefix("https://") else { return nil }
    let host = url.dropFirst(8).prefix { $0 != "/" }
    return String(host.hasPrefix("www.") ? host.dropFirst(4) : host)
  }

  /// Returns true for one host, and for a host and one below it.
  ///
  /// Two hosts below one belong to strangers as often as not (`github.io`).
  package static func isOneSite(_ site: String?, _ other: String) -> Bool {
    guard let site else { return false }
    return site == other || site.hasSuffix("." + other) || other.hasSuffix("." + site)
  }

  /// The letters and digits by which the beginnings of two texts are compared.
  ///
  /// A fixed number, so that any order of feeds makes the same stories.
  private static let lettersCompared = 60

  private static func agree(_ item: Item, _ other: Item) -> Bool {
    haveOneTitle(item, other)
      && letters(of: item.summary ?? "").prefix(lettersCompared)
        .elementsEqual(letters(of: other.summary ?? "").prefix(lettersCompared))
  }

  static func haveOneTitle(_ item: Item, _ other: Item) -> Bool {
    letters(of: item.title).elementsEqual(letters(of: other.title))
  }

  private static func letters(of text: String) -> some Sequence<String> {
    text.lazy.filter { $0.isLetter || $0.isNumber }.map { $0.lowercased() }
  }
}
