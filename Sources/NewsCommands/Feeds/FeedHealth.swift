import CommandLine
import FeedModel
import FeedStorage

/// A feed and what is known of how it does.
struct FeedHealth: Hashable, Sendable {
  let subscription: Subscription
  let activity: FeedActivity
  /// When `fetch --due` asks it next, in seconds since 1970; nil when it is gone.
  let next: Int?
  let retryTime: RetryTime?
  /// What servers that it is synchronized with have refused.
  let refusals: [FeedRefusal]
  /// Seconds since 1970.
  let now: Int

  /// Days without a story after which a feed counts as silent, where nothing else is asked for.
  static let silentDays = 90

  var interval: Int? { activity.interval(now: now) }

  var isFailing: Bool {
    !subscription.isNeverAsked && !isPaused
      && (subscription.state.lastOutcome == .failed || subscription.state.isGone)
  }

  /// The last outcome: `new`, `no news`, `failed`, `gone`, `paused`, `never` (asked),
  /// `by NAME` of a server, `saved` by the reader.
  var outcomeText: String {
    if let server = subscription.state.server { return "by \(server)" }
    if subscription.isOfSavedPages { return "saved" }
    if subscription.state.isGone { return "gone" }
    if isPaused { return "paused" }
    return switch subscription.state.lastOutcome {
    case .newData: "new"
    case .noData: "no news"
    case .failed: "failed"
    case nil: "never"
    }
  }

  private var date: Date { Date(timeIntervalSince1970: Double(now)) }

  private var isPaused: Bool { subscription.settings.isPaused(at: date) }

  /// What else sets it apart from other feeds.
  var marks: [FeedMark] {
    subscription.settings.marks(at: date) + (subscription.state.isCutOff ? [.cutOff] : [])
  }

  /// The reason why it failed the last time.
  var error: String? { subscription.state.lastError }

  /// Whether the feed has posted nothing in so many days.
  ///
  /// One that has come whole without a story is silent; one that never came is not known to be.
  func isSilent(for days: Int) -> Bool {
    guard let newest = activity.newest else {
      return activity.stories == 0 && subscription.state.lastUnconditional != nil
    }
    return (now - newest) / 86_400 >= days
  }
}

/// A server's no to a change of a feed.
struct FeedRefusal: Hashable, Sendable {
  let server: String
  let refusal: ServerRefusal
}

/// What sets a feed apart in lists of feeds.
enum FeedMark: String {
  case hidden, paused
  case arrivesRead = "arrives read"
  case cutOff = "cut off"

  /// For columns that are narrow.
  var short: String { self == .arrivesRead ? "read" : rawValue }
}

extension FeedSettings {
  func marks(at now: Date) -> [FeedMark] {
    let marks: [(isSet: Bool, mark: FeedMark)] = [
      (isHidden, .hidden), (isPaused(at: now), .paused), (arrivesRead, .arrivesRead),
    ]
    return marks.filter(\.isSet).map(\.mark)
  }
}

/// What is stored of a feed: how many stories, and how often it posts.
struct FeedActivity: Hashable, Sendable {
  private(set) var stories = 0
  private(set) var unread = 0
  /// When the newest story was published, else stored; seconds since 1970.
  private(set) var newest: Int?
  /// The oldest of the newest stories that have a date, and how many they are.
  private var first: Int?
  private var dated = 0

  /// Stories whose dates count: a feed is judged by what it does lately.
  private static let maximumDated = 20
  private static let minimumDated = 3

  /// Takes in the next story, the newest first; `date` is one that has passed.
  mutating func add(isRead: Bool, date: Int?, stored: Int?) {
    stories += 1
    if !isRead { unread += 1 }
    newest = newest ?? date ?? stored
    guard let date, dated < Self.maximumDated else { return }
    first = min(first ?? date, date)
    dated += 1
  }

  var wantsDates: Bool {
    newest == nil || dated < Self.maximumDated
  }

  /// Seconds from one story to the next on the average of the newest ones, the silence since then
  /// included; nil when there are too few to tell.
  func interval(now: Int) -> Int? {
    guard let first, dated >= Self.minimumDated else { return nil }
    return max(1, (now - first) / dated)
  }
}

/// What is stored of each feed, counted in one pass.
struct FeedCounts {
  private var activities: [String: FeedActivity] = [:]

  /// Looks at all stories; a date after `now` (seconds since 1970) is not believed.
  init(_ items: ItemTable, now: Int) throws(CommandError) {
    try commandErrors {
      try items.forEachStory(at: 0..<items.count) { _, story throws(StorageError) in
        try add(story, now)
      }
    }
  }

  func of(_ feed: String) -> FeedActivity {
    activities[feed] ?? FeedActivity()
  }

  private mutating func add(_ story: borrowing ItemReader, _ now: Int) throws(StorageError) {
    let isRead = try story.isRead()
    let feeds = try story.strings(.feeds)
    var date: Int?
    var stored: Int?
    if feeds.contains(where: { activities[$0]?.wantsDates ?? true }) {
      date = try story.date(.date)?.wholeSeconds
      if let published = date, published > now { date = nil }
      stored = try story.date(.stored)?.wholeSeconds
    }
    for feed in feeds {
      activities[feed, default: FeedActivity()].add(isRead: isRead, date: date, stored: stored)
    }
  }
}
