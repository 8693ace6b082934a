package import FeedFetching
import FeedModel
package import FeedStorage
import Synchronization
import System

/// Saves the newest episodes of the feeds whose reader wants that (`FeedSettings.downloads`), each
/// within the bytes that its feed's episodes may take.
package struct WantedDownloads: Sendable {
  private let store: LibraryStore
  private let fetcher: any FeedFetcher
  private let options: FetchOptions
  private let clock: RefreshRunClock
  private let folder: @Sendable () throws(StorageError) -> DownloadFolder
  /// Runs in which nothing came, after which only the reader asks again.
  private static let mostFailures = 3

  /// `clock` is that of the run that they belong to: its deadline holds for them.
  package init(
    _ fetcher: any FeedFetcher,
    options: FetchOptions,
    in store: LibraryStore,
    clock: RefreshRunClock,
    into folder: @escaping @Sendable () throws(StorageError) -> DownloadFolder,
  ) {
    (self.fetcher, self.options, self.store, self.clock) = (fetcher, options, store, clock)
    self.folder = folder
  }

  /// What each came to that was asked for; what the deadline leaves is gone on with by the next run.
  ///
  /// Where no feed has answered, the machine may be offline, and nothing is asked for. One run saves
  /// at a time.
  package func save(
    after report: RefreshReport,
    cancellation: FetchCancellation,
  ) throws(StorageError) -> [(Episode, DownloadOutcome)] {
    let isOnline = report.feeds.contains { $0.error == nil && WebURL.isWeb($0.url) }
    guard report.wantsDownloads, isOnline, report.storageError == nil, !report.wasInterrupted,
      clock.fetchDeadline.map({ .now < $0 }) ?? true
    else { return [] }
    let result = clock.watched { () -> Result<[(Episode, DownloadOutcome)], StorageError> in
      Result { () throws(StorageError) in
        let turn = store.takeTurn()
        defer { turn.end() }
        return turn.isTaken ? [] : try save(cancellation)
      }
    }
    return try result?.get() ?? []
  }

  private func save(
    _ cancellation: FetchCancellation
  ) throws(StorageError) -> [(Episode, DownloadOutcome)] {
    let library = try store.read()
    let wanted = try Self.wanted(in: library)
    guard !wanted.isEmpty else { return [] }
    let folder = try folder()
    let failures = try folder.failures()
    var options = options
    options.deadline = clock.fetchDeadline
    let downloads = EpisodeDownloads(
      wanted.filter { failures[$0.story.id, default: 0] < Self.mostFailures },
      of: library.subscriptions,
      into: folder,
      fetcher: fetcher,
      options: options,
      oneOfFeed: true,
    )
    let outcomes = Mutex<[(Episode, DownloadOutcome)]>([])
    let failure = Mutex<StorageError?>(nil)
    downloads.run(cancellation) { episode in
      Self.room(for: episode, in: folder, of: library.subscriptions)
    } done: { episode, outcome in
      outcomes.withLock { $0.append((episode, outcome)) }
      guard let path = outcome.path else { return }
      do throws(StorageError) {
        try store.note(files: [episode.story.id: path], waitAtMost: clock.timeToLock)
      } catch {
        failure.withLock { $0 = error }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return outcomes.withLock { $0 }
  }

  /// Of the newest episodes of each feed those that nobody has heard or had, the newest first.
  static func wanted(in library: Library) throws(StorageError) -> [Episode] {
    var left: [String: Int] = [:]
    for feed in library.subscriptions where !feed.state.isGone {
      left[feed.url] = feed.settings.downloads
    }
    var wanted: [Episode] = []
    for place in 0..<library.items.count where !left.isEmpty {
      let reader = try library.items.story(at: place)
      guard let feed = try reader.strings(.feeds).first(where: { left[$0] != nil }),
        try !reader.enclosures().isEmpty, let episode = Episode(try reader.item())
      else { continue }
      left[feed] = left[feed].flatMap { $0 > 1 ? $0 - 1 : nil }
      if !episode.story.isRead, episode.story.file == nil { wanted.append(episode) }
    }
    return wanted
  }

  /// Bytes that an episode may have.
  private static func room(
    for episode: Episode,
    in folder: DownloadFolder,
    of subscriptions: [Subscription],
  ) -> Int {
    guard let feed = episode.story.feeds.first else { return 0 }
    let settings = subscriptions.first { episode.story.feeds.contains($0.url) }?.settings
    let limit = settings?.downloadBytes ?? FeedSettings.usualDownloadBytes
    // A record that cannot be read stops the download itself, with a reason.
    let taken = try? folder.bytes(of: feed, without: episode.story.id)
    return max(limit - (taken ?? 0), 0)
  }
}

extension DownloadOutcome {
  /// Where the episode is; nil where it is not.
  package var path: String? {
    switch self {
    case .saved(let path, _, _), .present(let path): path
    case .failed: nil
    }
  }
}
