package import FeedFetching
package import FeedModel
package import FeedStorage
import FeedUpdating
internal import Synchronization
package import System

/// Saves episodes in their order: four at once, from one server two, and from one lane one.
package final class EpisodeDownloads: Sendable {
  private let folder: DownloadFolder
  private let fetcher: any FeedFetcher
  private let subscriptions: [Subscription]
  private let options: FetchOptions
  /// The lanes of stories, by their ids: one episode of a lane is asked for at once.
  private let lanes: [String: String]
  private let now: Date
  private let state: Mutex<State>

  private struct State {
    var waiting: [Episode]
    var running: [String: Int] = [:]
    var busy = BusyServers()
  }

  package static let stopped = "stopped"
  private static let mostAtOnce = 4
  private static let mostOfHost = 2
  /// The limit of one transfer, however steadily it comes.
  private static let longest = Duration.seconds(7 * 86_400)

  package init(
    _ episodes: [Episode],
    of subscriptions: [Subscription],
    into folder: DownloadFolder,
    fetcher: any FeedFetcher,
    options: FetchOptions,
    lanes: [String: String] = [:],
    now: Date,
  ) {
    (self.lanes, self.now) = (lanes, now)
    (self.folder, self.fetcher, self.subscriptions) = (folder, fetcher, subscriptions)
    var options = options
    options.transferTimeout = Self.longest
    self.options = options
    state = Mutex(State(waiting: episodes))
  }

  /// Returns the times until which servers asked to be left in peace, once each episode has an
  /// outcome.
  ///
  /// The closures are called on several threads at a time; `maximumBytes` returns the limit of an
  /// episode's size.
  package func run(
    _ cancellation: FetchCancellation,
    maximumBytes: @escaping @Sendable (Episode) -> Int,
    progress: @escaping @Sendable (Episode, Int, Int?) -> Void = { _, _, _ in },
    done: @escaping @Sendable (Episode, DownloadOutcome) -> Void,
  ) -> [String: RetryTime] {
    let work = { @Sendable in
      while let episode = self.take() {
        guard !cancellation.isCancelled else {
          done(episode, .failed(reason: Self.stopped, kept: 0))
          self.leave(episode, nil)
          continue
        }
        let part = episode.enclosure.url
        var request = FetchRequest(part: part, of: episode.story, self.subscriptions)
        (request.maximumBytes, request.isStreamed) = (maximumBytes(episode), true)
        let download = EpisodeDownload(
          episode: episode,
          request: request,
          fetcher: self.fetcher,
          now: self.now,
          cancellation: cancellation,
        ) { progress(episode, $0, $1) }
        let (outcome, answer) = download.run(into: self.folder, self.currentOptions)
        self.leave(episode, answer)
        done(episode, outcome)
      }
    }
    let count = min(state.withLock { $0.waiting.count }, Self.mostAtOnce)
    WorkerThreads(Array(repeating: work, count: count)).wait(until: nil, orReadable: nil)
    return state.withLock { $0.busy.retryTimes }
  }

  /// Returns the next episode whose server and lane have room; nil where those at work will take the rest.
  private func take() -> Episode? {
    state.withLock { state in
      let index = state.waiting.firstIndex { episode in
        places(of: episode).allSatisfy { state.running[$0, default: 0] < $1 }
      }
      guard let index else { return nil }
      let episode = state.waiting.remove(at: index)
      for (place, _) in places(of: episode) { state.running[place, default: 0] += 1 }
      return episode
    }
  }

  private func leave(_ episode: Episode, _ answer: FetchOutcome?) {
    state.withLock { state in
      for (place, _) in places(of: episode) { state.running[place, default: 1] -= 1 }
      if let answer { state.busy.note(answer, to: episode.enclosure.url, now: now) }
    }
  }

  private var currentOptions: FetchOptions {
    var options = options
    options.stoppedServers.merge(state.withLock { $0.busy.stopped }) { $1 }
    return options
  }

  /// The server of an episode and its lane, with how many at once each has room for.
  private func places(of episode: Episode) -> [(name: String, room: Int)] {
    let lane = lanes[episode.story.id].map { (name: "lane \($0)", room: 1) }
    let host = (name: WebURL.host(of: episode.enclosure.url) ?? "", room: Self.mostOfHost)
    return [host] + (lane.map { [$0] } ?? [])
  }
}
