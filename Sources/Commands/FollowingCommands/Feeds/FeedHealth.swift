internal import CommandLine
internal import CommandSupport
import FeedModel
package import FeedStorage

package struct FeedHealth: Hashable, Sendable {
  let subscription: Subscription
  let activity: FeedActivity
  /// The time at which `fetch --due` asks it next, in seconds since 1970; nil when it is gone.
  let next: Int?
  let retryTime: RetryTime?
  let refusals: [NamedRefusal]
  /// The path of its icon.
  let icon: String?
  /// Seconds since 1970.
  let now: Int

  /// The days without a story after which a feed counts as silent, unless `--days` is given.
  package static let silentDays = 90

  var interval: Int? { activity.interval(now: now) }

  var isFailing: Bool {
    !subscription.isNeverAsked && !isPaused && subscription.state.isFailing
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

  /// nil also for one that is due.
  var nextDate: Date? {
    next.flatMap { $0 > now ? Date(timeIntervalSince1970: Double($0)) : nil }
  }

  private var date: Date { Date(timeIntervalSince1970: Double(now)) }

  private var isPaused: Bool { subscription.settings.isPaused(at: date) }

  var marks: [FeedMark] {
    subscription.settings.marks(at: date) + (subscription.state.isCutOff ? [.cutOff] : [])
  }

  var error: String? { subscription.state.lastError }

  /// Returns true if the feed has posted nothing in so many days.
  ///
  /// One that has come whole without a story is silent; one that never came is not known to be.
  func isSilent(for days: Int) -> Bool {
    guard let newest = activity.newest else {
      return activity.stories == 0 && subscription.state.lastUnconditional != nil
    }
    return (now - newest) / 86_400 >= days
  }
}

/// A change that a server has refused, with what names both.
struct NamedRefusal: Hashable, Sendable {
  let server: String
  let change: String
  let refusal: ServerRefusal

  static let fields: [JSONField<NamedRefusal>] =
    [
      JSONField("name", "of the server, as it was added") { .string($0.server) },
      JSONField("change", "what it is to do, in words") { .text($0.change) },
    ] + JSONField<NamedRefusal>.refusal { $0.refusal }

  func text(_ dates: RelativeDate) -> String { dates.text(refusal, of: "\(server): \(change)") }
}

package struct FeedActivity: Hashable, Sendable {
  private(set) var stories = 0
  private(set) var unread = 0
  /// The share of its stories that is read, 0 to 1; -1 without stories.
  var readShare: Double { stories > 0 ? Double(stories - unread) / Double(stories) : -1 }

  var readText: String {
    stories > 0 ? "\((stories - unread) * 100 / stories) %" : ""
  }

  /// The date of the newest story, else the time of its storage, in seconds since 1970.
  package private(set) var newest: Int?
  /// The oldest of the newest dated stories, and their number.
  private var first: Int?
  private var dated = 0

  /// The limits of dated stories: a feed is judged by what it does lately.
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

  /// Returns the average seconds between the newest stories, the silence since then included.
  ///
  /// nil when there are too few to tell.
  func interval(now: Int) -> Int? {
    guard let first, dated >= Self.minimumDated else { return nil }
    return max(1, (now - first) / dated)
  }
}

package struct FeedCounts {
  private var activities: [String: FeedActivity] = [:]

  /// Counts all stories in one pass; a date after `now` (seconds since 1970) is not believed.
  package init(_ items: ItemTable, now: Int) throws {
    try items.forEachStory(at: 0..<items.count) { _, story in
      try add(story, now)
    }
  }

  package func of(_ feed: String) -> FeedActivity {
    activities[feed] ?? FeedActivity()
  }

  private mutating func add(_ story: borrowing ItemReader, _ now: Int) throws {
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
