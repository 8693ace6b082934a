import FeedFetching
package import FeedModel
package import FeedStorage
package import System

/// What a run came to: everything that its command prints.
package struct RefreshReport: Sendable {
  package var outcome = Outcome.noData
  /// Stories that are news (`FeedNews`).
  package var new = 0
  /// Feeds whose newest story has another title than it had.
  package var changed = 0
  /// Stories that were added to the data file, the new ones included.
  package var stored = 0
  package var asked = 0
  package var failed = 0
  package var seconds = 0.0
  /// One for each feed asked, in the order of the subscriptions.
  package var feeds: [FeedReport] = []
  /// The stories that `new` counts, newest first.
  package var newItems = NewItems()
  package var unasked: [UnaskedFeed] = []
  package var isOnlyDue = false
  package var subscribed = 0
  /// Whether pages of some feed's stories are to be fetched.
  package var wantsPages = false
  /// Whether episodes of some feed are to be saved as they come.
  package var wantsDownloads = false
  /// Every host failed at the network: one line says so, and no such feed's schedule has changed.
  package var isOffline = false
  package var wasInterrupted = false
  /// Why the store could not be read or saved, in words; the outcome is then `failed`.
  package var storageError: String?
  /// What else went wrong without harm to the stories, each a sentence without a full stop.
  package var warnings: [String] = []

  /// Another run is asking all feeds: this one has asked nobody, and changed nothing.
  package var gaveWay = false
  /// The process of that run, where it can be told.
  package var otherProcess: Int32?

  package init() {}

  init(givingWayTo turn: RefreshTurn, _ clock: RefreshRunClock) {
    gaveWay = true
    otherProcess = turn.process
    seconds = clock.elapsed.inSeconds
  }

  /// Feeds whose turn had not come when the time was over.
  package var left: Int { unasked.count { $0.reason == .left } }

  package var feedsWithNewData: Int {
    feeds.count(where: \.hasNews)
  }

  mutating func add(_ part: RefreshReport) {
    feeds += part.feeds
    unasked += part.unasked
    newItems.add(part.newItems)
    warnings += part.warnings
    storageError = part.storageError ?? storageError
    isOffline = part.isOffline
  }

  /// Adds up the feeds' counts, and decides on the run's outcome: new data if any feed has some; failed
  /// if all that were asked failed; else no data.
  mutating func conclude() {
    asked = feeds.count
    failed = feeds.count { $0.outcome == .failed }
    new = feeds.map(\.new).reduce(0, +)
    changed = feeds.map(\.changed).reduce(0, +)
    stored = feeds.map(\.stored).reduce(0, +)
    // A feed that failed in the middle may have brought news before.
    if feedsWithNewData > 0 {
      outcome = .newData
    } else {
      // Who got nobody asked does not know that there is no news.
      outcome = asked + left > 0 && failed == asked ? .failed : .noData
    }
    if storageError != nil { outcome = .failed }
  }

  /// Adds what was known before anybody was asked, and puts the feeds, which were saved in the order
  /// in which they came, into the user's order.
  mutating func complete(
    _ plan: RefreshPlan,
    _ subscriptions: [Subscription],
    isOnlyDue: Bool,
  ) {
    let indices = subscriptions.indicesByURL
    feeds.sort { indices[$0.url, default: .max] < indices[$1.url, default: .max] }
    subscribed = subscriptions.count
    wantsPages = subscriptions.contains { $0.settings.fetchesPages }
    wantsDownloads = subscriptions.contains { $0.settings.downloads != nil }
    unasked += plan.unasked
    self.isOnlyDue = isOnlyDue
  }
}

extension RefreshReport {
  /// What a server has brought of the feeds that it fetches; what is read there is no news.
  package init(
    fromServer insertions: Insertions,
    _ findings: [FeedFindings],
    of subscriptions: [Subscription],
  ) {
    let titles = Dictionary(
      subscriptions.map { ($0.url, $0.displayTitle) },
      uniquingKeysWith: { first, _ in first },
    )
    let all = Dictionary(grouping: 0..<insertions.count) { insertions.feeds(of: $0).first ?? "" }
    let new = Set(findings.flatMap(\.news.new).filter { !insertions.isRead($0) })
    for (url, numbers) in all.sorted(by: { $0.key < $1.key }) {
      let count = numbers.count(where: new.contains)
      let outcome: Outcome = count > 0 ? .newData : .noData
      var feed = FeedReport(url: url, title: titles[url] ?? url, outcome: outcome)
      (feed.new, feed.stored) = (count, numbers.count)
      feeds.append(feed)
    }
    newItems = NewItems(new.sorted(), of: insertions)
    conclude()
  }

  /// Adds what a server has brought, which may be of one feed more than once.
  package mutating func add(fromServer part: RefreshReport) {
    for feed in part.feeds {
      if let index = feeds.firstIndex(where: { $0.url == feed.url }) {
        feeds[index].new += feed.new
        feeds[index].stored += feed.stored
        if feed.outcome == .newData { feeds[index].outcome = .newData }
      } else {
        feeds.append(feed)
      }
    }
    newItems.add(part.newItems)
    conclude()
  }
}

extension [Subscription] {
  /// Of several with one URL, the first.
  var indicesByURL: [String: Int] {
    Dictionary(enumerated().map { ($1.url, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// What a run came to for one feed.
package struct FeedReport: Hashable, Sendable {
  /// The subscription's URL when the run began.
  package var url: String
  /// What to call the feed: the user's name for it, else its own title, else its URL.
  package var title: String
  package var outcome: Outcome
  package var new = 0
  /// 1 where its newest story has another title than it had, else 0.
  package var changed = 0
  package var stored = 0
  /// Whether a feed that is known delivered nothing that is.
  package var isAllNew = false
  package var updated = 0
  /// Stories that rules kept from being stored.
  package var filtered = 0
  /// The status of the last answer (200 for a file that was read); nil when there was none.
  package var status: Int?
  package var bytes = 0
  /// What the body would have been that a 304 stood for, by the last one; nil for any other answer.
  package var savedBytes: Int?
  package var requests = 0
  package var seconds = 0.0
  package var error: String?
  /// Whether it was not reached in a run in which no host was.
  package var isOffline = false
  package var remedy: FailureRemedy?
  /// Not to be asked by `fetch --due` before this; nil when it will never be (gone).
  package var nextTry: Date?
  /// From when on `fetch --due` would ask it, as it was before the run; nil when it was never asked.
  package var wasDue: Date?
  package var movedTo: String?
  /// Whether its document says that it lives elsewhere now.
  package internal(set) var announcesMove = false
  package var notes: [String] = []
  /// Seconds by which the clock here is ahead of its server's; nil where that did not say.
  package var clockLead: Double?

  package init(url: String, title: String, outcome: Outcome) {
    self.url = url
    self.title = title
    self.outcome = outcome
  }

  init(_ feed: FetchedFeed, outcome: Outcome, state: FeedState) {
    self.init(url: feed.subscription.url, title: feed.subscription.displayTitle, outcome: outcome)
    let response = feed.answer.response
    status = feed.answer.failure?.status ?? response?.status
    if status == nil, response != nil, feed.answer.failure == nil { status = 200 }
    bytes = response?.bytes ?? 0
    if case .notModified(let response) = feed.answer, response.status == 304 {
      savedBytes = state.bodyBytes ?? 0
    }
    requests = response?.requests ?? 0
    seconds = feed.seconds
    error = feed.answer.failure?.reason
    isOffline = feed.answer.failure?.isOffline == true
    remedy = feed.answer.failure.map { $0.remedy(state, now: feed.answered) }
    nextTry = state.nextDue
    wasDue = feed.subscription.state.nextDue
    announcesMove = state.announcedMove != nil
    notes = feed.notes
    clockLead = response?.freshness.clockLead(at: feed.answered)
  }

  /// A feed that failed in the middle may have brought some before.
  var hasNews: Bool { new + changed > 0 }

  mutating func add(_ findings: FeedFindings) {
    new = findings.news.new.count
    changed = findings.news.isChanged ? 1 : 0
    stored = findings.stored
    updated = findings.updated
    filtered = findings.filtered
    isAllNew = findings.isAllNew
  }
}

/// A feed that a run left alone, and why.
package struct UnaskedFeed: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// Its time has not come; nil when nobody knows when it will.
    case notDue(until: Date?)
    /// A server asked to wait (`Retry-After`).
    case askedToWait(RetryTime)
    /// The server of that name brings its stories.
    case ofServer(String)
    /// Its stories are pages that the reader has saved.
    case saved
    /// Its server said 410.
    case gone
    /// The reader has paused it.
    case paused
    /// The run's time was over; the next run asks it.
    case left
  }

  package var url: String
  package var reason: Reason

  package var retryTime: RetryTime? {
    guard case .askedToWait(let retryTime) = reason else { return nil }
    return retryTime
  }
}
