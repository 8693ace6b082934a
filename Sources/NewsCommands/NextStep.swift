import FeedModel
import FeedStorage

/// What someone with this home does best next.
enum NextStep: Hashable, Sendable {
  case subscribe
  /// Feeds, and none was ever asked.
  case refresh(feeds: Int)
  /// Feeds that were asked, and nothing came of it.
  case look(feeds: Int)
  /// Unread stories.
  case read(Int, feeds: Int)
  /// Everything is read.
  case wait(feeds: Int)

  init(_ library: Library, unread: Int) {
    let feeds = library.subscriptions.count
    if unread > 0 {
      self = .read(unread, feeds: feeds)
    } else if library.items.count > 0 {
      self = .wait(feeds: feeds)
    } else if feeds == 0 {
      self = .subscribe
    } else {
      let isAsked = library.subscriptions.contains { $0.state.lastAsked != nil }
      self = isAsked ? .look(feeds: feeds) : .refresh(feeds: feeds)
    }
  }

  /// How things are, in a sentence.
  var headline: String {
    switch self {
    case .subscribe: "No subscriptions yet. Follow a feed, then ask for its stories."
    case .refresh(let feeds):
      "\(Count.of(feeds, "feed")), and nobody has asked \(feeds == 1 ? "it" : "them") yet."
    case .look(let feeds): "\(Count.of(feeds, "feed")), and no stories yet."
    case .read(let count, let feeds):
      "\(Count.of(count, "unread story", "unread stories")) in \(Count.of(feeds, "feed"))."
    case .wait(let feeds): "Everything is read, in \(Count.of(feeds, "feed"))."
    }
  }

  /// What to type, the best first.
  var commands: [HelpExample] {
    let refresh = HelpExample("news refresh", "ask the feeds now")
    switch self {
    case .subscribe:
      return [
        HelpExample("news subscribe example.com", "the feed of a web page, or a feed's own URL"),
        refresh,
        HelpExample("news import FILE", "the feeds of another reader (OPML)"),
      ]
    case .refresh: return [refresh, HelpExample("news feeds", "which feeds they are")]
    case .look: return [refresh, HelpExample("news feeds", "how each of them is")]
    case .read:
      return [
        HelpExample("news open 1", "the link of the first, and mark it read"),
        HelpExample("news show 1", "all that is known of it"),
        HelpExample("news list --unread", "all that is not read"),
        refresh,
      ]
    case .wait: return [refresh, HelpExample("news list", "what was read before")]
    }
  }
}
