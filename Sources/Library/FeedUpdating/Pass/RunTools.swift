package import FeedFetching
import FeedLibrary
package import FeedStorage
package import System

/// The means of work behind a run: pages, episodes, icons, and addresses of feeds that have moved.
package struct RunTools: Sendable {
  package let fetcher: any FeedFetcher
  package let store: LibraryStore
  package let clock: RefreshRunClock
  package let cancellation: FetchCancellation
  package let now: @Sendable () -> Date
  private let options: FetchOptions

  package init(
    _ fetcher: any FeedFetcher,
    options: FetchOptions,
    in store: LibraryStore,
    clock: RefreshRunClock,
    _ cancellation: FetchCancellation,
    now: @escaping @Sendable () -> Date,
  ) {
    (self.fetcher, self.options, self.store) = (fetcher, options, store)
    (self.clock, self.cancellation, self.now) = (clock, cancellation, now)
  }

  /// Returns the options for the time that is left, which leave servers in peace that ask for that.
  package func options(beside library: Library) -> FetchOptions {
    var options = options
    options.deadline = clock.fetchDeadline
    options.stoppedServers = RefreshMoment(now(), library.retryTimes).stoppedServers
    return options
  }

  package func note(retryTimes: [String: RetryTime]) throws {
    guard !retryTimes.isEmpty else { return }
    try store.note(retryTimes: retryTimes, waitAtMost: clock.timeToLock)
  }

  /// Performs work if no other run is active and there is time left; returns nil if it was not done.
  package func inTurn<R: Sendable>(_ work: @escaping @Sendable () throws -> R) throws -> R? {
    try clock.inTurn(of: store, work)
  }
}
