internal import FeedFetching
internal import FeedModel
package import FeedStorage
package import FeedUpdating
internal import Synchronization
internal import System

/// Saves the newest episodes of the feeds whose settings ask for it (`FeedSettings.downloads`),
/// within each feed's limit of bytes.
package struct WantedDownloads: Sendable {
  private let tools: RunTools
  private let folder: @Sendable () throws -> DownloadFolder

  package init(_ tools: RunTools, into folder: @escaping @Sendable () throws -> DownloadFolder) {
    (self.tools, self.folder) = (tools, folder)
  }

  /// Returns the outcomes of the episodes that were asked for; the next run goes on with what the
  /// deadline leaves.
  ///
  /// Nothing is asked for while no feed has answered, since the machine may be offline. One run
  /// saves at a time.
  package func save(after report: RefreshReport) throws -> [(Episode, DownloadOutcome)] {
    guard report.wantsDownloads, report.isOnline else { return [] }
    return try tools.inTurn { try save() } ?? []
  }

  private func save() throws -> [(Episode, DownloadOutcome)] {
    let library = try tools.store.read()
    let all = try Self.wanted(in: library)
    guard !all.isEmpty else { return [] }
    let folder = try folder()
    let waiting = try folder.waiting(at: tools.clock.date)
    let sizes = try folder.sizes()
    let room = try EpisodeRoom(library, sizes, all.map(\.episode))
    let wanted = all.filter { episode, feed in
      let length = Int(clamping: episode.enclosure.length ?? 1)
      return !waiting.contains(episode.story.id)
        && length <= room.bytes(for: episode, of: feed, beside: sizes)
    }
    let feeds = Dictionary(wanted.map { ($0.episode.story.id, $0.feed) }) { $1 }
    let downloads = EpisodeDownloads(
      wanted.map(\.episode),
      of: library.subscriptions,
      into: folder,
      fetcher: tools.fetcher,
      options: tools.options(beside: library),
      lanes: feeds,
      now: tools.clock.date,
    )
    let outcomes = Mutex<[(Episode, DownloadOutcome)]>([])
    let failure = Mutex<(any Error)?>(nil)
    let retryTimes = downloads.run(tools.cancellation) { episode in
      // If the record cannot be read, the download itself stops with a reason.
      let sizes = (try? folder.sizes()) ?? [:]
      return room.bytes(for: episode, of: feeds[episode.story.id] ?? "", beside: sizes)
    } done: { episode, outcome in
      outcomes.withLock { $0.append((episode, outcome)) }
      guard let path = outcome.path else { return }
      do {
        try tools.store.note(
          files: [episode.story.id: path],
          waitAtMost: tools.clock.timeToLock,
        )
      } catch {
        failure.withLock { $0 = error }
      }
    }
    try tools.note(retryTimes: retryTimes)
    if let failure = failure.withLock({ $0 }) { throw failure }
    return outcomes.withLock { $0 }
  }

  /// Returns those of each feed's newest episodes that are neither read nor saved, the newest
  /// first, each with the feed that wants it.
  private static func wanted(in library: Library) throws -> [(episode: Episode, feed: String)] {
    var left: [String: Int] = [:]
    for feed in library.subscriptions where !feed.state.isGone {
      left[feed.url] = feed.settings.downloads
    }
    var wanted: [(Episode, String)] = []
    for position in 0..<library.items.count where !left.isEmpty {
      let reader = try library.items.story(at: position)
      guard let feed = try reader.strings(.feeds).first(where: { left[$0] != nil }),
        try !reader.enclosures().isEmpty, let episode = Episode(try reader.item())
      else { continue }
      left[feed] = left[feed].flatMap { $0 > 1 ? $0 - 1 : nil }
      if !episode.story.isRead, episode.story.file == nil { wanted.append((episode, feed)) }
    }
    return wanted
  }
}

private struct EpisodeRoom: Sendable {
  private let limits: [String: Int]
  /// The feeds of the stories that have files in the folder, or will have, by the stories' ids.
  private let feeds: [String: [String]]

  init(_ library: Library, _ sizes: [String: Int], _ wanted: [Episode]) throws {
    let bytes = library.subscriptions.map { ($0.url, $0.settings.downloadBytes) }
    limits = Dictionary(bytes.map { ($0, $1 ?? FeedSettings.usualDownloadBytes) }) { $1 }
    var feeds = Dictionary(wanted.map { ($0.story.id, $0.story.feeds) }) { $1 }
    for position in try library.items.positions(of: ItemIDs(sizes.keys)) {
      let reader = try library.items.story(at: position)
      feeds[try reader.id()] = try reader.strings(.feeds)
    }
    self.feeds = feeds
  }

  func bytes(for episode: Episode, of feed: String, beside sizes: [String: Int]) -> Int {
    let taken = sizes.reduce(0) { sum, file in
      let isOther = file.key != episode.story.id && feeds[file.key]?.contains(feed) ?? false
      return sum + (isOther ? file.value : 0)
    }
    return max((limits[feed] ?? 0) - taken, 0)
  }
}

extension DownloadOutcome {
  package var path: String? {
    switch self {
    case .saved(let path, _), .present(let path): path
    case .failed: nil
    }
  }
}
