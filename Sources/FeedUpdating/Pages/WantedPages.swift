package import FeedFetching
import FeedModel
package import FeedStorage
package import System

/// Fetches the pages that feeds' new stories have left to be fetched (`FeedState.pages`), and keeps
/// the articles in them beside the stories' own texts.
///
/// The stories are safe already. Each page is counted as asked for before it is, so that one at which
/// the process dies is not asked for in every run for ever.
package struct WantedPages: Sendable {
  private let store: LibraryStore
  private let pages: PageFetch
  private let clock: RefreshRunClock
  private let now: @Sendable () -> Date
  /// Saved at once; a page's text is at most 1 MiB.
  private static let pagesOfBatch = 64

  /// `clock` is that of the run that the pages belong to: its deadline holds for them.
  package init(
    _ pages: PageFetch,
    in store: LibraryStore,
    clock: RefreshRunClock,
    now: @escaping @Sendable () -> Date,
  ) {
    self.pages = pages
    self.store = store
    self.clock = clock
    self.now = now
  }

  /// Fetches pages of the feeds that a run was about, those with these URLs or all; what it does not
  /// come to is left for the next run.
  ///
  /// Where all feeds have failed, their network may not be the internet. One run fetches pages at a
  /// time. `progress` is called with how many have come, and of how many.
  package func fetch(
    after report: RefreshReport,
    of feeds: [String]?,
    cancellation: FetchCancellation,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void,
  ) throws(StorageError) -> PageReport {
    let isUseless = report.asked > 0 && report.failed == report.asked
    guard report.wantsPages, !isUseless, report.storageError == nil, !report.wasInterrupted else {
      return PageReport()
    }
    let isOnline = report.feeds.contains { $0.error == nil && WebURL.isWeb($0.url) }
    return try clock.inTurn(of: store) { () throws(StorageError) in
      try fetch(feeds, isOnline: isOnline, cancellation, progress)
    } ?? PageReport()
  }

  private func fetch(
    _ feeds: [String]?,
    isOnline: Bool,
    _ cancellation: FetchCancellation,
    _ progress: @escaping @Sendable (Int, Int) -> Void,
  ) throws(StorageError) -> PageReport {
    let (stories, library) = try claim(feeds)
    var pages = pages
    pages.options.deadline = clock.fetchDeadline
    let retryTimes = RefreshSchedule.stoppedServers(library.retryTimes, now: now())
    pages.options.stoppedServers.merge(retryTimes) { $1 }
    var report = PageReport()
    var rest = stories[...]
    progress(0, stories.count)
    while !rest.isEmpty {
      let isOver = cancellation.isCancelled || clock.fetchDeadline.map { $0 <= .now } ?? false
      let batch = Array(isOver ? rest : rest.prefix(Self.pagesOfBatch))
      rest = rest.dropFirst(batch.count)
      let (done, total) = (stories.count - rest.count - batch.count, stories.count)
      let answers = pages.answers(for: batch, of: library.subscriptions, cancellation) { count in
        progress(done + count, total)
      }
      let settled = SettledPages(batch, answers, in: store, isOnline: isOnline, now: now())
      pages.options.stoppedServers.merge(settled.busy.stopped) { $1 }
      try store.save(articles: settled.articles, waitAtMost: clock.timeToLock, settled.note)
      report.add(settled)
    }
    return report
  }

  /// Counts the pages that this run asks for as asked for, and gives their stories.
  ///
  /// Of every feed the newest come first. Of what is not to be fetched any more, nothing is kept.
  private func claim(
    _ feeds: [String]?
  ) throws(StorageError) -> ([StoredItem], Library) {
    try store.update(waitAtMost: clock.timeToLock) { library throws(StorageError) in
      var subscriptions = library.subscriptions
      let indices = subscriptions.indices.filter { index in
        subscriptions[index].settings.fetchesPages
          && feeds?.contains(subscriptions[index].url) ?? true
      }
      let wanted = ItemIDs(indices.flatMap { subscriptions[$0].state.pages.map(\.id) })
      var stories: [String: StoredItem] = [:]
      for index in try library.items.positions(of: wanted) {
        let story = try library.items.item(at: index)
        if story.article == StoredArticle(), WebURL.isWeb(story.item.link) {
          stories[story.id] = story
        }
      }
      var claimed: [(rank: Int, story: StoredItem)] = []
      for index in indices {
        let ids = subscriptions[index].state.claimPages { stories[$0] != nil }
        // One that several feeds have is asked for once.
        for (rank, id) in ids.enumerated() {
          if let story = stories.removeValue(forKey: id) { claimed.append((rank, story)) }
        }
      }
      claimed.sort { $0.rank < $1.rank }
      return (LibraryChange(subscriptions: subscriptions), (claimed.map(\.story), library))
    }
  }
}

/// What a run did about pages.
package struct PageReport: Hashable, Sendable {
  /// Those that were asked for.
  package private(set) var asked = 0
  package private(set) var articles = 0
  /// Those of the articles that are shorter than the feed's text, which is shown.
  package private(set) var shorter = 0
  /// Those for which the time was not enough, or that their servers did not want to be asked for.
  package private(set) var left = 0

  fileprivate mutating func add(_ pages: SettledPages) {
    articles += pages.articles.count
    shorter += pages.articles.values.count { !$0.isShown }
    left += pages.unasked.count
    asked += pages.stories.count - pages.unasked.count
  }
}

/// What became of some pages, and what of them is to be remembered.
private struct SettledPages {
  let stories: [StoredItem]
  private(set) var articles: [String: FoundArticle] = [:]
  private(set) var busy = BusyServers()
  /// Stories whose pages were not asked for after all.
  private(set) var unasked: Set<String> = []
  /// Stories whose pages nobody needs to ask for again.
  private var done: Set<String> = []

  init(
    _ stories: [StoredItem],
    _ answers: [PageAnswer],
    in store: LibraryStore,
    isOnline: Bool,
    now: Date,
  ) {
    self.stories = stories
    let isOnline = isOnline || answers.contains(where: \.provesNetwork)
    for (story, answer) in zip(stories, answers) {
      switch answer {
      case .article(let text):
        let isShown = !ArticleLength(text, beside: story, in: store).isShorter
        articles[story.id] = FoundArticle(text, isShown: isShown)
        done.insert(story.id)
      case .noArticle: done.insert(story.id)
      case .failed(let error, let response, let hadItsTurn):
        if error == .status(404) || error.isGone {
          done.insert(story.id)
        } else if !hadItsTurn || !isOnline && error.mayBeOffline {
          unasked.insert(story.id)
        }
        busy.note(.failed(error, response), to: story.item.link, now: now)
      }
    }
  }

  func note(_ subscriptions: inout [Subscription], _ retryTimes: inout [String: RetryTime]) {
    for index in subscriptions.indices where !subscriptions[index].state.pages.isEmpty {
      subscriptions[index].state.settlePages(done: done, unasked: unasked)
    }
    retryTimes.extend(by: busy.retryTimes)
  }
}

extension PageAnswer {
  /// Whether somebody answered who is not of this machine's own network.
  fileprivate var provesNetwork: Bool {
    guard case .failed(let error, _, let hadItsTurn) = self else { return true }
    return hadItsTurn && !error.mayBeOffline && error != .deadline
  }
}

extension FetchError {
  fileprivate var mayBeOffline: Bool {
    if case .nameUnknown = self { return true }
    return isNetworkUnreachable
  }
}

extension FeedState {
  /// Remembers the pages of new stories, the newest first.
  mutating func wantPages(of stories: some Sequence<String>) {
    let new = stories.map { WantedPage(id: $0) }
    guard !new.isEmpty else { return }
    let ids = Set(new.map(\.id))
    pages = Array((new + pages.filter { !ids.contains($0.id) }).prefix(WantedPage.most))
  }

  /// Counts the pages as asked for that are to be asked for in this run; of those that cannot be,
  /// nothing is kept.
  fileprivate mutating func claimPages(_ canBeAsked: (String) -> Bool) -> [String] {
    pages.removeAll { !canBeAsked($0.id) || $0.tries >= WantedPage.mostTries }
    let claimed = pages.indices.prefix(WantedPage.mostOfRun)
    for index in claimed { pages[index].tries += 1 }
    return pages[claimed].map(\.id)
  }

  fileprivate mutating func settlePages(done: Set<String>, unasked: Set<String>) {
    for index in pages.indices where unasked.contains(pages[index].id) && pages[index].tries > 0 {
      pages[index].tries -= 1
    }
    pages.removeAll { done.contains($0.id) }
  }
}
