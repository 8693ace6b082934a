import Synchronization

/// The web requests that wait, shared by the workers.
///
/// They are given out in their order, skipping those whose host is at its limit. Each worker has
/// its own connections, so that limits are per worker: its share of the transfers, and its share
/// of each host's; then connections that stay open for the next request keep to them too.
///
/// Servers that let a transfer wait hold half of the places at the most: what more of them run
/// counts for none, and what else waits for such hosts goes on waiting.
final class TransferQueue: Sendable {
  struct Entry: Sendable {
    let job: FetchJob
    let url: HTTPURL
  }

  private let state: Mutex<State>

  fileprivate struct State {
    var entries: [Entry] = []
    var hostIDs: [String: Int] = [:]
    /// By host: positions in `entries`, in order, and how many of them have been taken.
    var waiting: [[Int]] = []
    var taken: [Int] = []
    /// By host: the position of its next entry, or `Int.max`.
    var next: [Int] = []
    /// By host: whether the internet is not needed to reach it.
    var isLocal: [Bool] = []
    /// By host: whether it has let a transfer wait in this run.
    var isSlow: [Bool] = []
    /// By worker and host: transfers that run.
    var running: [[Int]]
    var limits: [Limits]
    /// By `RedirectChain.server`.
    var stopped: [String: FetchError] = [:]
    /// Entries that wait or run.
    var unfinished = 0
  }

  fileprivate struct Limits {
    var transfers: Int
    /// With those that count for none.
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

  /// `workers` is at most what may run at once altogether, and at one host: each has a share.
  ///
  /// `mostTransfers` counts those too whose slow servers hold no place.
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

  /// The next request for a worker, which now runs; nil when there is none for it at the moment.
  func take(worker: Int) -> Entry? {
    state.withLock { $0.take(worker: worker) }
  }

  /// A redirect leads to `url`: false when this worker has to wait for one of its own transfers.
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

  /// A transfer that a worker runs at `host` is waiting for its server.
  func noteSlow(_ host: String, worker: Int) {
    state.withLock { state in
      state.hostIDs[host].map { state.isSlow[$0] = true }
      state.limits[worker].slow += 1
    }
  }

  /// The transfer that a worker ran at `host` no longer does; `wasSlow` if it was noted.
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

  /// Ends the queue of the server that a chain has reached, or for those who are redirected there
  /// as it was; the waiting requests come back, and count as finished.
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

  /// Why a server is not asked any more; nil when it is.
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
    // A fair share of what is left, so that no worker sits idle while another has it all.
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

  /// The host whose next entry is the first of those that the worker may take.
  ///
  /// A scan: 5,000 hosts cost 3 µs, once for each request.
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
