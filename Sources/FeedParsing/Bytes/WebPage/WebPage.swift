internal import FeedModel

/// A web page, of which only the feeds that it announces are wanted.
///
/// `link` elements with `rel="alternate"` and a feed's media type (RSS autodiscovery, RFC 4287's
/// registration), else links in the text that look like feeds.
enum WebPage {
  /// What stands behind this is not looked at: feeds are announced in the head.
  static let maximumBytes = 512 << 10
  static let maximumFeeds = 50

  /// The feeds in the page's order, each once.
  ///
  /// - Parameters:
  ///   - bytes: The page.
  ///   - url: Where it came from.
  /// - Returns: Those of its head, or else those that links in the text seem to lead to.
  static func announcedFeeds(_ bytes: UnsafeRawBufferPointer, url: String?) -> [AnnouncedFeed] {
    var links = FeedLinks(url: url)
    let page = UnsafeRawBufferPointer(rebasing: bytes.prefix(maximumBytes))
    var reader = HTMLTagReader(page) { ["link", "a", "base"].contains($0) }
    while let tag = reader.next(), !links.isFull { links.take(tag) }
    return links.best
  }
}

private struct FeedLinks {
  private var base: String?
  private var hasBase = false
  private var announced: [AnnouncedFeed] = []
  private var likely: [AnnouncedFeed] = []

  init(url: String?) {
    base = url
  }

  var isFull: Bool { announced.count >= WebPage.maximumFeeds }

  var best: [AnnouncedFeed] { announced.isEmpty ? likely : announced }

  mutating func take(_ tag: HTMLTag) {
    guard let href = tag.attributes["href"], !href.isEmpty else { return }
    switch tag.name {
    case "base" where !hasBase:
      hasBase = true
      base = WebURL.resolve(href, against: base) ?? base
    case "link":
      guard FeedMediaType.isAnnouncement(tag.attributes) else { return }
      add(href, tag, to: &announced)
    case "a":
      guard likely.count < WebPage.maximumFeeds, FeedAddress.isLikely(href) else { return }
      add(href, tag, to: &likely)
    default: break
    }
  }

  private func add(_ href: String, _ tag: HTMLTag, to feeds: inout [AnnouncedFeed]) {
    guard let url = WebURL.resolve(FeedAddress.web(href), against: base),
      !feeds.contains(where: { $0.url == url })
    else { return }
    let title = tag.attributes["title"].map(SafeText.line).flatMap { $0.isEmpty ? nil : $0 }
    let type = tag.attributes["type"].map(SafeText.line).flatMap { $0.isEmpty ? nil : $0 }
    feeds.append(AnnouncedFeed(url: url, title: title, type: type))
  }
}
