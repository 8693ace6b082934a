import FeedFetching
import FeedLibrary
import FeedModel
import Synchronization
import System

final class RefreshCollector: Sendable {
  private struct State {
    var arrived: [FetchedFeed] = []
    var done = 0
    var hosts: [Int: String] = [:]
    var stories = 0
    var busy: [String: FetchError] = [:]
  }

  private let state = Mutex(State())
  private let feeds: [Subscription]
  private let started: ContinuousClock.Instant
  private let progress: (@Sendable (RefreshProgress) -> Void)?

  init(
    _ feeds: [Subscription],
    started: ContinuousClock.Instant,
    progress: (@Sendable (RefreshProgress) -> Void)?,
  ) {
    self.feeds = feeds
    self.started = started
    self.progress = progress
  }

  func feed(of request: FetchRequest) -> Subscription {
    feeds[request.index]
  }

  func take(_ isWanted: (FetchedFeed) -> Bool = { _ in true }) -> [FetchedFeed] {
    state.withLock { state in
      defer { state.arrived.removeAll(where: isWanted) }
      return state.arrived.filter(isWanted)
    }
  }

  func putBack(_ feeds: [FetchedFeed]) {
    state.withLock { $0.arrived.insert(contentsOf: feeds, at: 0) }
  }

  func begin(_ request: FetchRequest) {
    guard progress != nil else { return }
    state.withLock { state in
      state.hosts[request.index] = WebURL.host(of: request.url) ?? "file"
      tell(state)
    }
  }

  var busyServers: [String: FetchError] { state.withLock(\.busy) }

  /// Notes that a server wants no requests, for its own feeds or for those redirected to it.
  func noteBusy(_ request: FetchRequest, _ outcome: FetchOutcome) {
    guard let error = outcome.whyBusy, let asked = WebURL.origin(of: request.url),
      let answered = outcome.response.flatMap({ WebURL.origin(of: $0.url) })
    else { return }
    let key = asked == answered ? answered : "\(asked) \(answered)"
    state.withLock { $0.busy[key] = error }
  }

  func end(_ request: FetchRequest, _ feed: FetchedFeed) {
    state.withLock { state in
      if !feed.wasCancelled { state.arrived.append(feed) }
      state.done += 1
      state.stories += feed.stories
      state.hosts[request.index] = nil
      tell(state)
    }
  }

  /// Reports progress under the lock, so that no two calls overlap and none goes back.
  private func tell(_ state: borrowing State) {
    guard let progress else { return }
    progress(
      RefreshProgress(
        done: state.done,
        total: feeds.count,
        stories: state.stories,
        hosts: Array(Set(state.hosts.values).sorted().prefix(4)),
        seconds: (ContinuousClock.now - started).inSeconds,
      )
    )
  }
}
