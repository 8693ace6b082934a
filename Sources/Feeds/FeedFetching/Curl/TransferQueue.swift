import Synchronization

/// The web requests that wait, shared by the workers.
///
/// They are given out in their order, skipping those whose host is at its limit. Each worker has
/// its own connections, so that limits are per worker: its share of the transfers, and its share of
/// each host's; then connections that stay open for the next request keep to them too.
///
/// Slow servers hold half of the places at most: further transfers from them hold none, and no more
/// requests to slow hosts are begun.
final class TransferQueue: Sendable {
  struct Entry: Sendable {
    let job: FetchJob
    let url: HTTPURL
  }

  private let state: Mutex<State>

  fileprivate struct State {
    var entries: [Entry] = []
    var hostIDs: [String: Int] = [:]
    /// The positions in `entries` by host, in order; the first `taken` of them have been given out,
    /// and `next` is the position of the next one, or `Int.max`.
    var waiting: [[Int]] = []
    var taken: [Int] = []
    var next: [Int] = []
    var isLocal: [Bool] = []
    var isSlow: [Bool] = []
    var running: [[Int]]
    var limits: [Limits]
    /// The failures of stopped servers, by `RedirectChain.server`.
    var stopped: [String: FetchError] = [:]
    var unfinished = 0
  }

  fileprivate struct Limits {
    var transfers: Int
    /// The limit that includes slow transfers which hold no place.
    var mostTransfers: Int
    var perHost: Int
    var perInternetHost: Int
    var running = 0
    var slow = 0

    var slowSlots: Int { max(transfers / 2, 1) }

    var hasSlot: Bool {
      running < mostTransfers && running - max(slow - slowSlots, 0) < transfers
    }
  }

  /// Divides the limits among the workers, at most as many as may transfer at once, altogether and
  /// from one host.
  ///
  /// `mostTransfers` includes slow transfers that hold no place.
  init(_ entries: [Entry], workers: Int, options: FetchOptions, mostTransfers: Int) {
    let share = { (total: Int, worker: Int) in
      max(total / workers + (worker < total % workers ? 1 : 0), 1)
    }
    var state = State(
      running: Array(repeating: [], count: workers),
      limits: (0..<workers).map { worker in
        Limits(
          transfers: share(options.maximumTransfers, worker),
          mostTransfers: share(mostTransfers, worker),
          perHost: share(options.maximumTransfersPerHost, worker),
          perInternetHost: share(
            min(options.maximumTransfersPerInternetHost, options.maximumTransfersPerHost),
            worker,
          ),
        )
      },
    )
    for entry in entries { state.append(entry) }
    state.stopped = options.stoppedServers
    self.state = Mutex(state)
  }

  func take(worker: Int) -> Entry? {
    state.withLock { $0.take(worker: worker) }
  }

  /// Starts a redirect to `url`; false when the worker has to wait for one of its own transfers.
  func enter(_ url: HTTPURL, worker: Int) -> Bool {
    state.withLock { state in
      let host = state.id(of: url)
      guard state.limits[worker].hasSlot, state.mayStart(worker: worker, host: host) else {
        return false
      }
      state.start(worker: worker, host: host)
      return true
    }
  }

  func noteSlow(_ host: String, worker: Int) {
    state.withLock { state in
      state.hostIDs[host].map { state.isSlow[$0] = true }
      state.limits[worker].slow += 1
    }
  }

  func leave(_ host: String, worker: Int, wasSlow: Bool) {
    state.withLock { state in
      state.hostIDs[host].map { state.running[worker][$0] -= 1 }
      state.limits[worker].running -= 1
      if wasSlow { state.limits[worker].slow -= 1 }
    }
  }

  func finish() {
    state.withLock { $0.unfinished -= 1 }
  }

  /// Stops the server that a chain has reached, and returns its waiting requests, which count as
  /// finished.
  ///
  /// A server to which another redirected is stopped for the redirects of that one alone.
  func stop(_ chain: RedirectChain, because error: FetchError) -> [Entry] {
    state.withLock { state in
      let isNew = state.stopped.updateValue(error, forKey: chain.server) == nil
      guard isNew, chain.server == chain.url.origin else { return [] }
      let host = state.id(of: chain.url)
      let waiting = state.waiting[host][state.taken[host]...]
      let isSecure = chain.url.isSecure
      let rest = waiting.filter { state.entries[$0].url.isSecure == isSecure }
      state.waiting[host] = waiting.filter { state.entries[$0].url.isSecure != isSecure }
      state.taken[host] = 0
      state.next[host] = state.waiting[host].first ?? .max
      state.unfinished -= rest.count
      return rest.map { state.entries[$0] }
    }
  }

  func whyStopped(_ chain: RedirectChain) -> FetchError? {
    state.withLock { state in chain.servers.compactMap { state.stopped[$0] }.first }
  }
}

extension TransferQueue.State {
  fileprivate mutating func append(_ entry: TransferQueue.Entry) {
    let host = id(of: entry.url)
    if waiting[host].isEmpty { next[host] = entries.count }
    waiting[host].append(entries.count)
    entries.append(entry)
    unfinished += 1
  }

  fileprivate mutating func id(of url: HTTPURL) -> Int {
    if let id = hostIDs[url.hostKey] { return id }
    let id = hostIDs.count
    hostIDs[url.hostKey] = id
    isLocal.append(LocalHost.contains(url.host))
    isSlow.append(false)
    waiting.append([])
    taken.append(0)
    next.append(.max)
    for worker in running.indices { running[worker].append(0) }
    return id
  }

  fileprivate mutating func start(worker: Int, host: Int) {
    running[worker][host] += 1
    limits[worker].running += 1
  }

  fileprivate mutating func take(worker: Int) -> TransferQueue.Entry? {
    // Each worker takes a fair share of the rest, so that none sits idle while another has it all.
    let share = (unfinished + limits.count - 1) / limits.count
    guard limits[worker].hasSlot, limits[worker].running < max(share, 1),
      let host = nextHost(worker: worker)
    else { return nil }
    let entry = entries[next[host]]
    taken[host] += 1
    next[host] = taken[host] < waiting[host].count ? waiting[host][taken[host]] : .max
    start(worker: worker, host: host)
    return entry
  }

  /// Returns the host whose next entry is the first of those that the worker may take.
  ///
  /// It scans all hosts: 5,000 cost 3 µs, once for each request.
  private func nextHost(worker: Int) -> Int? {
    var best: Int?
    var first = Int.max
    for host in next.indices where next[host] < first && mayStart(worker: worker, host: host) {
      (best, first) = (host, next[host])
    }
    return best
  }

  fileprivate func mayStart(worker: Int, host: Int) -> Bool {
    let limits = limits[worker]
    let limit = isLocal[host] ? limits.perHost : limits.perInternetHost
    return running[worker][host] < limit && !(isSlow[host] && limits.slow >= limits.slowSlots)
  }
}
