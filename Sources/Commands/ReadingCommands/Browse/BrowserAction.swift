import FeedModel
import FeedStorage

/// An effect of a key, which the session carries out.
enum BrowserAction: Hashable, Sendable {
  case show(StoredItem)
  case showLinks(StoredItem)
  /// Marks as the named command does; marks by `browse` itself are not undone.
  case mark(ids: [String], ItemMarks, command: String)
  /// Marks the stories of the list as read, but none that has come since it was made.
  case readAll
  case fetchPage(StoredItem)
  /// Answers a command's question; nil leaves it unanswered.
  case answer(String?)
  case command([String])
  case inTerminal([String])
  case program(BrowserProgram, [StoredItem])
  case complete(String)
  case copy(String)
  case save(StoredItem)
  /// Opens a link, and marks the story as read once that has worked.
  case open(String, reading: StoredItem?)
  case list
  /// Lists by the filter that was typed, or goes on asking for it where it cannot be understood.
  case settle(before: String)
  /// Lists in another order, or more or fewer stories; the chosen one stays chosen.
  case listAgain
  /// Lists from the top, and goes to the first unread story.
  case listUnread
  /// Counts the unread stories, then looks for the next one in the direction of `step`.
  case countForUnread(step: Int)
  /// Refreshes the feeds that words name; none for all.
  case refresh([String])
  /// A command about all stories, which is asked about if the list shows fewer.
  case confirmAll([String])
  /// The further operations of a key, once those before have had their effect.
  case goOn(KeyWork)
  case suspend
  case redraw
  case quit

  /// True if nothing but the view changes by it.
  var isOfView: Bool {
    switch self {
    case .list, .listAgain, .settle: true
    default: false
    }
  }
}

enum KeySubject: String, Hashable, Sendable {
  case feed
  case story
}
