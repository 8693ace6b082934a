import FeedFetching
import FeedModel
import Synchronization

/// Takes what the threads of a fetch bring, and tells how far it is.
final class RefreshCollector: Sendable {
  private struct State {
    var fetched: [FetchedFeed] = []
    var hosts: [Int: String] = [:]
    var stories = 0
  }

  private let state = Mutex(State())
  private let total: Int
  private let started: ContinuousClock.Instant
  private let progress: (@Sendable (RefreshProgress) -> Void)?

  init(
    total: Int,
    started: ContinuousClock.Instant,
    progress: (@Sendable (RefreshProgress) -> Void)?,
  ) {
    self.total = total
    self.started = started
    self.progress = progress
  }

  /// Everything so far, in the order in which it came.
  var fetched: [FetchedFeed] { state.withLock(\.fetched) }

  func begin(_ request: FetchRequest) {
    guard progress != nil else { return }
    state.withLock { state in
      state.hosts[request.index] = WebURL.host(of: request.url) ?? "file"
      tell(state)
    }
  }

  func end(_ request: FetchRequest, _ feed: FetchedFeed) {
    state.withLock { state in
      state.fetched.append(feed)
      state.stories += feed.stories
      state.hosts[request.index] = nil
      tell(state)
    }
  }

  /// Under the lock, so that no two calls overlap and none goes back.
  private func tell(_ state: borrowing State) {
    guard let progress else { return }
    progress(
      RefreshProgress(
        done: state.fetched.count,
        total: total,
        stories: state.stories,
        hosts: Array(Set(state.hosts.values).sorted().prefix(4)),
        seconds: (ContinuousClock.now - started).inSeconds,
      )
    )
  }
}
