import FeedModel
import FeedStorage

/// The feeds of listed stories, and the names that the list has for them.
final class ListedFeeds {
  typealias Feeds = (urls: [String], name: String)

  private let names: FeedName
  private let chosen: Set<String>?
  /// The feeds of stories that are of one alone, by hashes of their URLs' objects.
  private var known: [(feed: Int, feeds: Feeds)] = []

  init(_ names: FeedName, chosen: Set<String>?) {
    (self.names, self.chosen) = (names, chosen)
  }

  /// Returns the name of the first feed, of those that were asked for if there are any.
  func name(of feeds: [String]) -> String {
    let chosen = chosen.map { chosen in feeds.filter(chosen.contains) } ?? feeds
    return names.name(ofFirst: chosen.isEmpty ? feeds : chosen)
  }

  /// Returns the feeds of a story of the library.
  ///
  /// PERF: mostly they are known, and nothing is looked up by a URL.
  func feeds(of story: borrowing ItemReader) throws -> Feeds {
    guard let feed = try story.onlyFeed() else { return try made(of: story) }
    if known.isEmpty { known = Array(repeating: (-1, ([], "")), count: 2_048) }
    // The numbers follow each other at a distance: multiplied, their upper bits are spread.
    let slot = Int((UInt64(feed) &* 0x9E37_79B9_7F4A_7C15) >> 53)
    if known[slot].feed != feed { known[slot] = (feed, try made(of: story)) }
    return known[slot].feeds
  }

  private func made(of story: borrowing ItemReader) throws -> Feeds {
    let urls = try story.strings(.feeds)
    return (urls, name(of: urls))
  }
}
