package import FeedFetching
import FeedLibrary
package import FeedModel
import FeedParsing
import FeedReading
package import FeedStorage
package import System

/// Asks a feed's pages of older stories, one after the other, and stores what they bring.
///
/// Nothing of it is news: the stories come read, and as if they had been stored when they were
/// published. Each page is saved before the next is asked for, so that a later call goes on there.
package struct OlderStories {
  private let fetcher: any FeedFetcher
  private let options: FetchOptions
  private let store: LibraryStore
  private let rules: StoryRules?
  private let now: @Sendable () -> Date

  private var feed: Subscription
  private var older: OlderPages
  private var asked: Set<String> = []
  private var seen: Set<UInt64> = []
  private var repeats = 0
  package private(set) var stored = 0
  private var pages = 0
  /// The reason why a page did not come, which may come at the next call.
  package private(set) var failure: String?

  private static let mostPages = 10
  /// The pages without another story after which nothing older is expected.
  private static let mostRepeats = 2

  package init(
    of feed: Subscription,
    _ fetcher: any FeedFetcher,
    options: FetchOptions,
    in store: LibraryStore,
    rules: StoryRules?,
    now: @escaping @Sendable () -> Date,
  ) {
    (self.feed, self.fetcher, self.options, self.store) = (feed, fetcher, options, store)
    (self.rules, self.now) = (rules, now)
    older = feed.state.older ?? OlderPages()
  }

  package var found: OlderPages { older }

  /// Asks at most ten pages; the feed's own document names the first.
  package mutating func fetch(keepsTexts: Bool, _ cancellation: FetchCancellation) throws {
    let (oldest, isFurther) = (older.oldest, older.next != nil)
    while older.end == nil, failure == nil, pages < Self.mostPages, !cancellation.isCancelled {
      let url = older.next ?? feed.url
      guard asked.insert(url).inserted else {
        older.end = "its pages lead in a circle"
        break
      }
      try take(page(url, keepsTexts, cancellation), of: url)
      if url != feed.url { pages += 1 }
    }
    // A circle may be longer than a call.
    let isVain = isFurther && stored == 0 && older.oldest == oldest
    if isVain, older.end == nil, pages == Self.mostPages { older.end = Self.repeatWords }
    if older.end != nil { try save(nil) }
  }

  /// False for a feed that names no page: its stories are kept like any other's.
  private var hasPages: Bool { pages > 0 || older.next != nil || feed.state.older != nil }

  private static let repeatWords = "its older pages have the same stories again"

  private func page(
    _ url: String,
    _ keepsTexts: Bool,
    _ cancellation: FetchCancellation,
  ) -> FetchedDocument? {
    var request =
      url == feed.url
      ? FetchRequest(feed, validators: nil, index: 0) : FetchRequest(feed, at: url)
    let reading = DocumentReading(
      ParsingLimits(
        maximumBytes: request.maximumBytes(options),
        keeping: keepsTexts ? .texts : .items,
        datesAt: now(),
      )
    )
    request.reading = reading.job
    return fetcher.answers(
      to: [request],
      options: options,
      cancellation: cancellation,
      make: { DocumentReader(reading).read($0, $1, $2) },
    ).first.flatMap(\.self)
  }

  private mutating func take(_ document: FetchedDocument?, of url: String) throws {
    switch document?.feed {
    case .success(let page)?: try take(page, isFirst: url == feed.url)
    case .failure(let error)? where url != feed.url:
      older.end = "\(WebURL.printable(url)) is no page of a feed: \(error)"
    case .failure(let error)?: failure = "\(error)"
    case nil:
      let error = document?.outcome.error
      let isGone = error?.isGone == true || error == .status(404)
      if isGone, url != feed.url {
        older.end = "there is nothing at \(WebURL.printable(url)) any more"
      } else {
        failure = document?.reason ?? "no answer"
      }
      guard let document else { return }
      var busy = BusyServers()
      busy.note(document.outcome, to: url, now: now())
      if !busy.retryTimes.isEmpty { try store.note(retryTimes: busy.retryTimes) }
    }
  }

  /// Takes a page; of the first, the feed's own document, which may have news, the next alone.
  private mutating func take(_ page: Feed, isFirst: Bool) throws {
    let past = page.items.compactMap(\.date).filter { $0 <= now() }
    older.oldest = ([older.oldest].compactMap(\.self) + past).min()
    let keys = ItemID.distinctKeys(of: page.items).keys
    let ids = keys.map { ItemID.number(feed: feed.url, key: $0) }
    let others = ids.indices.filter { !seen.contains(ids[$0]) }
    repeats = others.isEmpty ? repeats + 1 : 0
    seen.formUnion(ids)
    older.next = page.olderPage
    older.end = end(after: page, isFirst: isFirst)
    stored += try save(isFirst ? nil : delivery(page, others))
  }

  private func end(after page: Feed, isFirst: Bool) -> String? {
    guard let next = page.olderPage else {
      return isFirst ? "it names no page of older ones" : OlderPages.wholeWords
    }
    if feed.url.hasPrefix("https:"), !next.hasPrefix("https:") {
      return "the next page is asked for without TLS: \(WebURL.printable(next))"
    }
    return repeats >= Self.mostRepeats ? Self.repeatWords : nil
  }

  /// Makes stories that were stored when they were published, and known ones that stay as they are.
  private func delivery(_ page: Feed, _ stories: [Int]) -> FeedDelivery {
    let items = stories.map { page.items[$0] }
    let imported = items.enumerated().map { index, item in
      var original = ImportedStory.original
      original.stored = item.date ?? older.oldest ?? Date(timeIntervalSince1970: 0)
      return ImportedStory(original, at: index)
    }
    var delivery = FeedDelivery(
      feed: feed.url,
      items: items,
      texts: page.texts.isEmpty ? [] : stories.map { page.texts[$0] },
      imported: imported,
      isComplete: false,
    )
    delivery.comesRead = true
    return delivery
  }

  /// Saves the state, and the stories of a page; returns how many were stored for the first time.
  @discardableResult
  private func save(_ delivery: FeedDelivery?) throws -> Int {
    guard delivery != nil || hasPages else { return 0 }
    return try store.update { [older, rules] library in
      guard let index = library.subscriptions.firstIndex(where: { $0.url == feed.url }) else {
        return (LibraryChange(), 0)
      }
      var subscriptions = library.subscriptions
      subscriptions[index].state.older = older
      guard let delivery = delivery?.with(subscriptions[index], keep: 0, isForced: false) else {
        return (LibraryChange(subscriptions: subscriptions), 0)
      }
      let (merged, incoming) = try library.merging(
        [delivery],
        now: now(),
        evaluator: rules?(subscriptions),
        finish: { incoming in
          subscriptions = subscriptions.with(incoming.findings)
          subscriptions[index].state.evicted = incoming.findings.first?.findings.evicted ?? []
          return subscriptions
        },
      )
      return (merged, incoming.findings.first?.findings.stored ?? 0)
    }
  }
}
