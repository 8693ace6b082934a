internal import FeedModel
internal import System

/// A web page, of which only the feeds that it announces are wanted.
///
/// `link` elements with `rel="alternate"` and a feed's media type (RSS autodiscovery, RFC 4287's
/// registration), else links in the text that look like feeds.
enum WebPage {
  /// What stands behind this is not looked at: feeds are announced in the head.
  static let maximumBytes = 512 << 10
  static let maximumFeeds = 50

  static func announcedFeeds(_ bytes: UnsafeRawBufferPointer, url: String?) -> [AnnouncedFeed] {
    let links = FeedLinks(url: url)
    HTMLTree.page(UnsafeRawBufferPointer(rebasing: bytes.prefix(maximumBytes))).tell(links)
    return links.best
  }
}

private final class FeedLinks: HTMLEventHandler {
  private var base: String?
  private var hasBase = false
  private var announced: [AnnouncedFeed] = []
  private var likely: [AnnouncedFeed] = []

  init(url: String?) {
    base = url
  }

  var isReading: Bool { announced.count < WebPage.maximumFeeds }

  var best: [AnnouncedFeed] { announced.isEmpty ? likely : announced }

  func endElement(_ name: String) {}

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {}

  func startElement(_ name: String, _ attributes: HTMLAttributes) {
    guard let href = attributes["href"], !href.isEmpty else { return }
    switch name {
    case "base" where !hasBase:
      hasBase = true
      base = WebURL.resolve(href, against: base) ?? base
    case "link":
      guard FeedMediaType.isAnnouncement(attributes) else { return }
      add(href, attributes, to: &announced)
    case "a":
      guard likely.count < WebPage.maximumFeeds, FeedAddress.isLikely(href) else { return }
      add(href, attributes, to: &likely)
    default: break
    }
  }

  private func add(_ href: String, _ attributes: HTMLAttributes, to feeds: inout [AnnouncedFeed]) {
    guard let url = WebURL.resolve(FeedAddress.web(href), against: base),
      !feeds.contains(where: { $0.url == url })
    else { return }
    let title = attributes["title"].map(SafeText.line).flatMap { $0.isEmpty ? nil : $0 }
    let type = attributes["type"].map(SafeText.line).flatMap { $0.isEmpty ? nil : $0 }
    feeds.append(AnnouncedFeed(url: url, title: title, type: type))
  }
}

/// Addresses at which feeds are usually found.
enum FeedAddress {
  /// A `feed:` address, as browsers of old had them, as one of the web.
  static func web(_ address: String) -> String {
    let trimmed = String(address.drop(while: \.isWhitespace))
    guard trimmed.lowercased().hasPrefix("feed:") else { return trimmed }
    let rest = trimmed.dropFirst("feed:".count)
    return rest.hasPrefix("//") ? "http:\(rest)" : String(rest)
  }

  static func isLikely(_ address: String) -> Bool {
    let lower = address.lowercased()
    if lower.hasPrefix("feed:") || lower.contains("//feeds.feedburner.com/") { return true }
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

  private static func isLikelyName(_ name: Substring) -> Bool {
    if [".rss", ".atom", ".rdf"].contains(where: name.hasSuffix) { return true }
    if ["feed", "feeds", "rss", "atom", "rss2", "rdf"].contains(name) { return true }
    guard name.hasSuffix(".xml") || name.hasSuffix(".json") else { return false }
    return ["feed", "rss", "atom", "rdf"].contains(where: name.contains) || name == "index.xml"
  }
}

/// Media types by which pages announce feeds.
enum FeedMediaType {
  static func isAnnouncement(_ attributes: HTMLAttributes) -> Bool {
    let relations = Set(
      (attributes["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
    )
    if relations.contains("feed") { return true }
    guard relations.contains("alternate"), !relations.contains("stylesheet") else { return false }
    let type = (attributes["type"] ?? "").lowercased().prefix { $0 != ";" }
      .filter { !$0.isWhitespace }
    if types.contains(type) { return true }
    // Also the type of translations, previews and programming interfaces.
    return vague.contains(type) && FeedAddress.isLikely(attributes["href"] ?? "")
  }

  private static let types: Set<String> = [
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json",
    "application/rss", "application/atom", "application/rdf", "application/x-rss+xml",
    "application/x.atom+xml", "application/x-atom+xml", "application/x-netcdf", "text/rss+xml",
    "text/atom+xml", "text/rss", "text/atom",
  ]

  private static let vague: Set<String> = [
    "application/xml", "text/xml", "application/json", "text/json",
  ]
}
