import Synchronization

/// The web requests that wait, shared by the workers.
///
/// They are given out in their order, skipping those whose host is at its limit. Each worker has
/// its own connections, so that limits are per worker: its share of the transfers, and its share
/// of each host's; then connections that stay open for the next request keep to them too.
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
    /// By worker and host: transfers that run.
    var running: [[Int]]
    var limits: [Limits]
    var stopped: [Int: FetchError] = [:]
    /// Entries that wait or run.
    var unfinished = 0
  }

  fileprivate struct Limits {
    var transfers: Int
    var perHost: Int
    var running = 0
  }

  /// `workers` is at most `maximumTransfers` and `maximumTransfersPerHost`: each has a share.
  init(_ entries: [Entry], workers: Int, options: FetchOptions) {
    let share = { (total: Int, worker: Int) in
      max(total / workers + (worker < total % workers ? 1 : 0), 1)
    }
    var state = State(
      running: Array(repeating: [], count: workers),
      limits: (0..<workers).map { worker in
        Limits(
          transfers: share(options.maximumTransfers, worker),
          perHost: share(options.maximumTransfersPerHost, worker),
        )
      },
    )
    for entry in entries { state.append(entry) }
    self.state = Mutex(state)
  }

  /// The next request for a worker, which now runs; nil when there is none for it at the moment.
  func take(worker: Int) -> Entry? {
    state.withLock { $0.take(worker: worker) }
  }

  /// A redirect leads to `host`: false when this worker has to wait for one of its own transfers.
  func enter(_ host: String, worker: Int) -> Bool {
    state.withLock { state in
      let host = state.id(of: host)
      let limits = state.limits[worker]
      guard state.running[worker][host] < limits.perHost, limits.running < limits.transfers else {
        return false
      }
      state.start(worker: worker, host: host)
      return true
    }
  }

  /// The transfer that a worker ran at `host` no longer does.
  func leave(_ host: String, worker: Int) {
    state.withLock { state in
      let host = state.id(of: host)
      state.running[worker][host] -= 1
      state.limits[worker].running -= 1
    }
  }

  /// A request has ended for good.
  func finish() {
    state.withLock { $0.unfinished -= 1 }
  }

  /// Ends the queue of a host; its waiting requests come back, and count as finished.
  func stop(_ host: String, because error: FetchError) -> [Entry] {
    state.withLock { state in
      let host = state.id(of: host)
      guard state.stopped[host] == nil else { return [] }
      state.stopped[host] = error
      let rest = state.waiting[host][state.taken[host]...].map { state.entries[$0] }
      state.taken[host] = state.waiting[host].count
      state.next[host] = .max
      state.unfinished -= rest.count
      return rest
    }
  }

  /// Why a host is not asked any more; nil when it is.
  func whyStopped(_ host: String) -> FetchError? {
    state.withLock { state in state.hostIDs[host].flatMap { state.stopped[$0] } }
  }
}

extension TransferQueue.State {
  fileprivate mutating func append(_ entry: TransferQueue.Entry) {
    let host = id(of: entry.url.hostKey)
    if waiting[host].isEmpty { next[host] = entries.count }
    waiting[host].append(entries.count)
    entries.append(entry)
    unfinished += 1
  }

  fileprivate mutating func id(of host: String) -> Int {
    if let id = hostIDs[host] { return id }
    let id = hostIDs.count
    hostIDs[host] = id
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
    guard limits[worker].running < min(limits[worker].transfers, max(share, 1)),
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
    let limit = limits[worker].perHost
    for host in next.indices where next[host] < first && running[worker][host] < limit {
      (best, first) = (host, next[host])
    }
    return best
  }
}
