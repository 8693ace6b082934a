import FeedFetching
import FeedLibrary
package import FeedModel
package import FeedStorage
package import System

/// The outcome of a run; the values of its record are its own.
@dynamicMemberLookup
package struct RefreshReport: Sendable {
  package var record = RunRecord(started: .distantPast, command: "", outcome: .noData)
  /// Reports on the asked feeds, in the order of the subscriptions.
  package var feeds: [FeedReport] = []
  package var newItems = NewItems()
  package var unasked: [UnaskedFeed] = []
  package var subscribed = 0
  package var wantsPages = false
  package var wantsDownloads = false
  /// True if a list that is followed is due.
  package var wantsLists = false
  /// True if every host failed at the network; no schedule of such a feed has changed.
  package var isOffline = false
  package var wasInterrupted = false
  /// The reason why the store could not be read or saved; the outcome is `failed` then.
  package var storageError: String?
  /// Faults without harm to the stories, each a sentence without a full stop.
  package var warnings: [String] = []

  /// True if another run is asking all feeds: this one has asked nobody, and changed nothing.
  package var gaveWay = false
  package var otherProcess: Int32?

  package init() {}

  init(givingWayTo turn: RefreshTurn, _ clock: RefreshRunClock) {
    gaveWay = true
    otherProcess = turn.process
    record.seconds = clock.elapsed.inSeconds
  }

  package subscript<Value>(dynamicMember value: WritableKeyPath<RunRecord, Value>) -> Value {
    get { record[keyPath: value] }
    set { record[keyPath: value] = newValue }
  }

  /// Tells whether a server has answered; a file proves no network.
  package var isOnline: Bool { feeds.contains { $0.error == nil && WebURL.isWeb($0.url) } }

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

  /// Adds up the feeds' counts, and decides the outcome: new data if any feed has some, failed if
  /// all that were asked failed, else no data.
  mutating func conclude() {
    record.left = unasked.count { $0.reason == .left }
    record.asked = feeds.count
    record.failed = feeds.count { $0.outcome == .failed }
    record.new = feeds.map(\.new).reduce(0, +)
    record.changed = feeds.map(\.changed).reduce(0, +)
    record.stored = feeds.map(\.stored).reduce(0, +)
    record.requests = feeds.map(\.requests).reduce(0, +)
    record.bytes = feeds.map(\.bytes).reduce(0, +)
    let saved = feeds.compactMap(\.savedBytes)
    (record.unchanged, record.savedBytes) = (saved.count, saved.reduce(0, +))
    // A feed that failed in the middle may have brought news before.
    if feedsWithNewData > 0 {
      record.outcome = .newData
    } else {
      // A run that got to ask nobody does not know that there is no news.
      let isFailed = record.asked + record.left > 0 && record.failed == record.asked
      record.outcome = isFailed ? .failed : .noData
    }
    if storageError != nil { record.outcome = .failed }
  }

  /// Adds the feeds not asked, and puts the reports, which are in the order of saving, into that of
  /// the subscriptions.
  mutating func complete(
    _ plan: RefreshPlan,
    _ followed: FollowedFeeds,
    isOnlyDue: Bool,
    now: Date,
  ) {
    let subscriptions = followed.subscriptions
    let indices = subscriptions.indicesByURL
    feeds.sort { indices[$0.url, default: .max] < indices[$1.url, default: .max] }
    subscribed = subscriptions.count
    wantsPages = subscriptions.contains { $0.settings.fetchesPages }
    wantsDownloads = subscriptions.contains { $0.settings.downloads != nil }
    wantsLists = followed.lists.contains { $0.isDue(at: now) }
    unasked += plan.unasked
    record.isOnlyDue = isOnlyDue
  }
}

extension RefreshReport {
  /// Makes a report on the stories that a server has brought; those read there are no news.
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
  var indicesByURL: [String: Int] {
    Dictionary(enumerated().map { ($1.url, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

package struct FeedReport: Hashable, Sendable {
  package var url: String
  /// The user's name for the feed, else its own title, else its URL.
  package var title: String
  package var outcome: Outcome
  package var new = 0
  /// 1 if the newest story has a new title, else 0.
  package var changed = 0
  package var stored = 0
  package var isAllNew = false
  package var updated = 0
  package var filtered = 0
  package var readOld = 0
  /// The status of the last answer (200 for a file that was read); nil without one.
  package var status: Int?
  package var bytes = 0
  /// The bytes of the last body if the answer is a 304 that stands for it, 0 if unknown; nil for
  /// any other answer.
  package var savedBytes: Int?
  package var requests = 0
  package var seconds = 0.0
  package var error: String?
  package var isOffline = false
  package var remedy: FailureRemedy?
  /// The time before which `fetch --due` does not ask it; nil if it never will (gone).
  package var nextTry: Date?
  /// The time from which `fetch --due` would have asked it before the run; nil if it was never
  /// asked.
  package var wasDue: Date?
  package var movedTo: String?
  package internal(set) var announcesMove = false
  package var newAddress: String?
  package var notes: [String] = []
  /// The seconds by which the clock here is ahead of the server's; nil if unknown.
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
    newAddress = state.newAddress
    notes = feed.notes
    clockLead = response?.freshness.clockLead(at: feed.answered)
  }

  /// True also for a feed that failed in the middle, and brought news before.
  var hasNews: Bool { new + changed > 0 }

  mutating func add(_ findings: FeedFindings) {
    new = findings.news.new.count
    changed = findings.news.isChanged ? 1 : 0
    stored = findings.stored
    updated = findings.updated
    filtered = findings.filtered
    readOld = findings.readOld
    isAllNew = findings.isAllNew
  }
}

package struct UnaskedFeed: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// The feed is due at a later time; nil if that is unknown.
    case notDue(until: Date?)
    case askedToWait(RetryTime)
    case ofServer(String)
    case saved
    case gone
    case paused
    case left
  }

  package var url: String
  package var reason: Reason

  package var retryTime: RetryTime? {
    guard case .askedToWait(let retryTime) = reason else { return nil }
    return retryTime
  }
}
