import FeedModel

/// The links of a story, numbered from 1: its own, those in its text, those of its enclosures.
struct StoryLinks: Hashable, Sendable {
  /// Safe URLs, none twice.
  private(set) var urls: [String] = []

  init(_ item: Item) {
    add(item.link)
    for word in (item.summary ?? "").split(separator: " ") {
      if let link = TextLink(in: word) { add(link.url) }
    }
    for enclosure in item.enclosures { add(enclosure.url) }
  }

  /// The number of a URL; nil when it is none of the story's.
  func number(of url: String) -> Int? {
    urls.firstIndex(of: url).map { $0 + 1 }
  }

  private mutating func add(_ url: String) {
    if SafeLink.isSafe(url), !urls.contains(url) { urls.append(url) }
  }
}
