import FeedFetching
import FeedLibrary
import FeedModel
import FeedStorage
package import FeedUpdating
import System

/// Fetches the pages that feeds' new stories have left to be fetched (`FeedState.pages`), and
/// stores their articles beside the stories' own texts.
///
/// The stories are saved already. Each page is counted as tried before it is asked for, so that one
/// at which the process dies is not asked for in every run for ever.
package struct WantedPages: Sendable {
  private let tools: RunTools
  /// The number of pages saved at once; a page's text has at most 1 MiB.
  private static let pagesOfBatch = 64

  package init(_ tools: RunTools) { self.tools = tools }

  /// Fetches pages of the feeds with these URLs, or of all; the next run fetches what is left.
  ///
  /// Nothing is fetched if all feeds have failed, since their network may not be the internet. One
  /// run fetches pages at a time.
  package func fetch(
    after report: RefreshReport,
    of feeds: [String]?,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void,
  ) throws -> PageReport {
    let isUseless = report.asked > 0 && report.failed == report.asked
    guard report.wantsPages, !isUseless else { return PageReport() }
    return try tools.inTurn {
      try fetch(feeds, isOnline: report.isOnline, progress)
    } ?? PageReport()
  }

  private func fetch(
    _ feeds: [String]?,
    isOnline: Bool,
    _ progress: @escaping @Sendable (Int, Int) -> Void,
  ) throws -> PageReport {
    let (stories, library) = try claim(feeds)
    let options = tools.options(beside: library)
    var pages = PageFetch(tools.fetcher, options: options, for: library.subscriptions)
    var report = PageReport()
    var rest = stories[...]
    progress(0, stories.count)
    while !rest.isEmpty {
      let isLate = tools.clock.fetchDeadline.map { $0 <= .now } ?? false
      let isOver = isLate || tools.cancellation.isCancelled
      let batch = Array(isOver ? rest : rest.prefix(Self.pagesOfBatch))
      rest = rest.dropFirst(batch.count)
      let (done, total) = (stories.count - rest.count - batch.count, stories.count)
      let answers = pages.answers(for: batch, tools.cancellation) { count in
        progress(done + count, total)
      }
      let fetched = FetchedPages(
        batch,
        answers,
        in: tools.store,
        isOnline: isOnline,
        now: tools.now(),
      )
      pages.options.stoppedServers.merge(fetched.busy.stopped) { $1 }
      try tools.store.save(
        articles: fetched.articles,
        waitAtMost: tools.clock.timeToLock,
        fetched.note,
      )
      report.add(fetched)
    }
    return report
  }

  /// Counts the pages of this run as tried, and returns their stories, the newest of every feed
  /// first.
  ///
  /// Pages that are not to be fetched any more are dropped.
  private func claim(_ feeds: [String]?) throws -> ([StoredItem], Library) {
    try tools.store.update(waitAtMost: tools.clock.timeToLock) { library in
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
        // A page of several feeds is asked for once.
        for (rank, id) in ids.enumerated() {
          if let story = stories.removeValue(forKey: id) { claimed.append((rank, story)) }
        }
      }
      claimed.sort { $0.rank < $1.rank }
      return (LibraryChange(subscriptions: subscriptions), (claimed.map(\.story), library))
    }
  }
}

package struct PageReport: Hashable, Sendable {
  package private(set) var asked = 0
  package private(set) var articles = 0
  /// Articles that are shorter than the feed's text, which is shown.
  package private(set) var shorter = 0
  /// Pages left for lack of time, or because their servers wanted no requests.
  package private(set) var left = 0

  fileprivate mutating func add(_ pages: FetchedPages) {
    articles += pages.articles.count
    shorter += pages.articles.values.count { !$0.isShown }
    left += pages.unasked.count
    asked += pages.stories.count - pages.unasked.count
  }
}

private struct FetchedPages {
  let stories: [StoredItem]
  private(set) var articles: [String: FoundArticle] = [:]
  private(set) var busy = BusyServers()
  private(set) var unasked: Set<String> = []
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
      subscriptions[index].state.notePages(done: done, unasked: unasked)
    }
    retryTimes.extend(by: busy.retryTimes)
  }
}

extension PageAnswer {
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
  fileprivate mutating func claimPages(_ canBeAsked: (String) -> Bool) -> [String] {
    pages.removeAll { !canBeAsked($0.id) || $0.tries >= WantedPage.mostTries }
    let claimed = pages.indices.prefix(WantedPage.mostOfRun)
    for index in claimed { pages[index].tries += 1 }
    return pages[claimed].map(\.id)
  }

  fileprivate mutating func notePages(done: Set<String>, unasked: Set<String>) {
    for index in pages.indices where unasked.contains(pages[index].id) && pages[index].tries > 0 {
      pages[index].tries -= 1
    }
    pages.removeAll { done.contains($0.id) }
  }
}
