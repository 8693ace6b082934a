internal import HTMLParsing
internal import System

/// The search for the feeds that a web page announces.
///
/// They are `link` elements with `rel="alternate"` and a feed's media type (RSS autodiscovery, RFC
/// 4287's registration), or else what the page leads on to by itself, or links in the text that have
/// such a type, look like feeds or are called so.
enum WebPage {
  /// The bytes that are searched: feeds are announced in the head.
  static let maximumBytes = 512 << 10
  static let maximumFeeds = 50

  static func announcedFeeds(_ bytes: UnsafeRawBufferPointer, url: String?) -> [AnnouncedFeed] {
    let links = FeedLinks(url: url)
    HTMLTree.page(UnsafeRawBufferPointer(rebasing: bytes.prefix(maximumBytes))).tell(links)
    return links.feeds.ranked
  }

  /// Returns the address to which a `Refresh` field leads on.
  static func wayOn(_ refresh: String, from url: String?) -> AnnouncedFeed? {
    RefreshTarget.address(refresh).flatMap { WebURL.resolve($0, against: url) }
      .flatMap { $0 == url ? nil : AnnouncedFeed(url: $0, evidence: .refresh) }
  }
}

private final class FeedLinks: HTMLEventHandler {
  private let page: String?
  private var base: String?
  private var hasBase = false
  private(set) var feeds: [AnnouncedFeed] = []
  private var link: (href: String, attributes: HTMLAttributes)?
  private var name: [UInt8] = []
  private static let maximumName = 100

  init(url: String?) {
    (page, base) = (url, url)
  }

  var isReading: Bool { feeds.count(where: \.evidence.isSure) < WebPage.maximumFeeds }

  func startElement(_ name: String, _ attributes: HTMLAttributes) {
    if name == "img" { takeName(attributes["alt"]) }
    if name == "meta", attributes["http-equiv"]?.lowercased() == "refresh",
      let address = RefreshTarget.address(attributes["content"] ?? "")
    {
      add(address, attributes, .refresh)
    }
    guard let href = attributes["href"], !href.isEmpty else { return }
    switch name {
    case "base" where !hasBase:
      hasBase = true
      base = WebURL.resolve(href, against: base) ?? base
    case "link":
      let (rel, type) = (attributes["rel"], attributes["type"])
      guard FeedMediaType.isAnnouncement(rel: rel, type: type, href) else { return }
      add(href, attributes, .element)
    case "a" where feeds.count < 2 * WebPage.maximumFeeds: startLink(href, attributes)
    default: break
    }
  }

  private func startLink(_ href: String, _ attributes: HTMLAttributes) {
    let (rel, type) = (attributes["rel"], attributes["type"])
    if FeedMediaType.isFeed(type) || FeedMediaType.isAnnouncement(rel: rel, type: type, href) {
      add(href, attributes, .typedLink)
    } else if FeedAddress.isLikely(href) {
      add(href, attributes, .address)
    } else {
      (link, name) = ((href, attributes), [])
      takeName(attributes["title"] ?? attributes["aria-label"])
    }
  }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    guard link != nil else { return }
    name += utf8.prefix(max(Self.maximumName - name.count, 0))
  }

  private func takeName(_ text: String?) {
    guard link != nil, let text else { return }
    name += " \(text) ".utf8.prefix(max(Self.maximumName - name.count, 0))
  }

  func endElement(_ name: String) {
    guard name == "a", let (href, attributes) = link else { return }
    link = nil
    let title = SafeText.line(String(decoding: self.name, as: UTF8.self))
    if FeedAddress.isFeedName(title) { add(href, attributes, .name, title: title) }
  }

  private func leadsNowhere(_ href: String, _ url: String) -> Bool {
    href.hasPrefix("#") || url.prefix { $0 != "#" } == page?.prefix { $0 != "#" }
  }

  private func add(
    _ href: String,
    _ attributes: HTMLAttributes,
    _ evidence: AnnouncedFeed.Evidence,
    title: String? = nil,
  ) {
    guard let url = WebURL.resolve(PastedAddress(href).reference, against: base),
      !feeds.contains(where: { $0.url == url && $0.evidence.rawValue <= evidence.rawValue }),
      evidence.isSure || !leadsNowhere(href, url)
    else { return }
    let title = title ?? attributes["title"].map(SafeText.line).flatMap { $0.isEmpty ? nil : $0 }
    let type = attributes["type"].map(SafeText.line).flatMap { $0.isEmpty ? nil : $0 }
    feeds.removeAll { $0.url == url }
    feeds.append(AnnouncedFeed(url: url, title: title, type: type, evidence: evidence))
  }
}

/// The address in `<meta http-equiv=refresh content="0; url=/feed.xml">` (HTML §4.2.5.3).
enum RefreshTarget {
  /// Returns nil for a page that only loads itself again.
  static func address(_ content: String) -> String? {
    var rest = content.drop { $0.isWhitespace || $0.isNumber || ".;,".contains($0) }
    if rest.prefix(3).lowercased() == "url" {
      let value = rest.dropFirst(3).drop(while: \.isWhitespace)
      if value.first == "=" { rest = value.dropFirst().drop(while: \.isWhitespace) }
    }
    if let quote = rest.first, "\"'".contains(quote) {
      rest = rest.dropFirst().prefix { $0 != quote }
    }
    return rest.isEmpty ? nil : String(rest)
  }
}

package enum FeedAddress {
  private static let usualNames = [
    "feed", "feed.xml", "rss.xml", "atom.xml", "index.xml", "rss", "feed.json",
  ]

  /// Returns the addresses at which sites have their feeds, in a folder relative to the page.
  package static func usual(in folder: String, of page: String) -> [String] {
    usualNames.compactMap { WebURL.resolve(folder + $0, against: page) }
  }

  package static func isLikely(_ address: String) -> Bool {
    let lower = address.lowercased()
    if PastedAddress.isForFollowing(address) || lower.contains("//feeds.feedburner.com/") {
      return true
    }
    let path = lower.prefix { $0 != "?" && $0 != "#" }
    let query = lower.dropFirst(path.count).prefix { $0 != "#" }
    if ["?feed=rss", "&feed=rss", "?feed=atom", "&feed=atom", "format=rss", "format=feed"]
      .contains(where: query.contains)
    {
      return true
    }
    guard let name = path.split(separator: "/").last else { return false }
    return isLikelyName(name)
  }

  /// Accepts a link that is called RSS or Atom, and hardly more: "RSS feed", "Subscribe (Atom
  /// 1.0)".
  static func isFeedName(_ name: String) -> Bool {
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
    guard words.count <= 5, words.contains(where: { $0 == "rss" || $0 == "atom" || $0 == "rss2" })
    else { return false }
    return words.allSatisfy { word in
      word.allSatisfy(\.isNumber) || Self.words.contains(String(word))
        || Self.stems.contains(where: word.hasPrefix)
    }
  }

  private static let words: Set = [
    "rss", "atom", "rss2", "xml", "rdf", "our", "the", "to", "by", "via", "with", "in", "this",
    "all", "full", "blog", "site", "news", "posts", "articles", "entries", "main", "icon", "link",
    "v", "version", "format", "get",
  ]

  private static let stems = [
    "feed", "flux", "fil", "canal", "kanal", "kanał", "лента", "feeds", "subscri", "syndicat",
    "follow", "abonn", "suscri", "assin", "iscri", "подпис", "prenumer", "tilaa", "syöte", "odběr",
  ]

  private static func isLikelyName(_ name: Substring) -> Bool {
    if [".rss", ".atom", ".rdf"].contains(where: name.hasSuffix) { return true }
    if ["feed", "feeds", "rss", "atom", "rss2", "rdf"].contains(name) { return true }
    guard name.hasSuffix(".xml") || name.hasSuffix(".json") else { return false }
    return ["feed", "rss", "atom", "rdf"].contains(where: name.contains) || name == "index.xml"
  }
}

enum FeedMediaType {
  static func isAnnouncement(rel: String?, type: String?, _ address: String) -> Bool {
    let relations = Set((rel ?? "").lowercased().split(whereSeparator: \.isWhitespace))
    if relations.contains("feed") { return true }
    guard relations.contains("alternate"), !relations.contains("stylesheet") else { return false }
    if isFeed(type) { return true }
    let name = name(type ?? "")
    // JSON is also the type of previews and of programming interfaces.
    return plain.contains(name) || vague.contains(name) && FeedAddress.isLikely(address)
  }

  static func isFeed(_ type: String?) -> Bool { type.map { types.contains(name($0)) } ?? false }

  private static func name(_ type: String) -> String {
    type.lowercased().prefix { $0 != ";" }.filter { !$0.isWhitespace }
  }

  private static let types: Set<String> = [
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json",
    "application/rss", "application/atom", "application/rdf", "application/x-rss+xml",
    "application/x.atom+xml", "application/x-atom+xml", "application/x-netcdf", "text/rss+xml",
    "text/atom+xml", "text/rss", "text/atom",
  ]

  private static let plain: Set<String> = ["application/xml", "text/xml"]

  private static let vague: Set<String> = ["application/json", "text/json"]
}
