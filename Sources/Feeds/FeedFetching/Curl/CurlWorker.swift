/// One thread's transfers: takes requests from the queue, and moves them on until all have ended.
///
/// Never leaves its thread.
final class CurlWorker {
  private let number: Int
  private let queue: TransferQueue
  private let run: FetchRun
  private let multi: CurlMulti
  private var active: [Transfer] = []
  private var redirected: [Transfer] = []
  /// The ended transfers whose name is still being looked up: they cannot be removed.
  private var parked: [Transfer] = []
  private var unresolved: [(job: FetchJob, host: String, response: FetchResponse?)] = []

  init?(number: Int, queue: TransferQueue, run: FetchRun, connections: Int) {
    guard let multi = CurlMulti(connections: connections) else { return nil }
    self.number = number
    self.queue = queue
    self.run = run
    self.multi = multi
  }

  func work() {
    fill()
    while !active.isEmpty || !redirected.isEmpty {
      if let ending = run.ending { return end(because: ending) }
      // An answer that comes while bodies are parsed is seen by the next look: nobody has waited
      // for it.
      let lastLook = ContinuousClock.now
      perform()
      let hasEnded = reap()
      expire(at: lastLook)
      noteSlow(at: lastLook)
      fill()
      // A transfer that ended while other bodies were parsed is not waited for.
      if !hasEnded, !active.isEmpty {
        run.beforeWaiting()
        multi.wait(until: nextCheck, orReadable: run.cancellation.descriptor)
      }
    }
    leaveParked()
  }

  private func perform() {
    // A request whose answer ends this process has been told of before it goes out.
    run.beforeWaiting()
    multi.perform()
  }

  private var nextCheck: ContinuousClock.Instant? {
    let checks = active.map(\.nextCheck) + (run.options.deadline.map { [$0] } ?? [])
    return checks.min()
  }

  // MARK: - Starting

  private func fill() {
    var waiting: [Transfer] = []
    for transfer in redirected {
      if let error = queue.whyStopped(transfer.chain) {
        conclude(transfer, .failed(error, transfer.response))
      } else if queue.enter(transfer.chain.url, worker: number) {
        start(transfer)
      } else {
        waiting.append(transfer)
      }
    }
    redirected = waiting
    while let entry = queue.take(worker: number) { start(entry) }
  }

  private func start(_ entry: TransferQueue.Entry) {
    guard entry.job.start(), let easy = CurlEasy() else {
      entry.job.complete(.failed(.resourcesExhausted, nil))
      queue.leave(entry.url.hostKey, worker: number, wasSlow: false)
      return queue.finish()
    }
    start(Transfer(job: entry.job, url: entry.url, easy: easy, run: run))
  }

  private func start(_ transfer: Transfer) {
    if let refusal = transfer.prepare() {
      leave(transfer)
      return conclude(transfer, .failed(refusal, nil))
    }
    guard multi.add(transfer.easy) else {
      leave(transfer)
      return conclude(transfer, .failed(.resourcesExhausted, nil))
    }
    active.append(transfer)
  }

  // MARK: - Ending

  private func reap() -> Bool {
    var outcomes: [(transfer: Transfer, outcome: FetchOutcome)] = []
    while let ended = multi.nextEnded() {
      if let index = active.firstIndex(where: { $0.easy.handle == ended.handle }) {
        let transfer = active.remove(at: index)
        if let outcome = finish(transfer, ended.result) { outcomes.append((transfer, outcome)) }
      } else if let index = parked.firstIndex(where: { $0.easy.handle == ended.handle }) {
        multi.remove(parked.remove(at: index).easy)
      }
    }
    guard !outcomes.isEmpty else { return false }
    // PERF: servers work on the next requests while these bodies are parsed.
    fill()
    perform()
    for (transfer, outcome) in outcomes { conclude(transfer, outcome) }
    return true
  }

  /// Returns nil for an exchange that is to be followed by another.
  private func finish(_ transfer: Transfer, _ result: UInt32) -> FetchOutcome? {
    multi.remove(transfer.easy)
    leave(transfer)
    guard let outcome = transfer.conclude(result) else {
      redirected.append(transfer)
      return nil
    }
    if let error = outcome.whyBusy { stop(transfer.chain, because: error) }
    return outcome
  }

  private func conclude(_ transfer: Transfer, _ outcome: FetchOutcome) {
    if case .failed(.nameNotResolved(let host), let response) = outcome {
      transfer.job.presume(outcome)
      unresolved.append((transfer.job, host, response))
    } else {
      transfer.job.complete(outcome)
    }
    queue.finish()
  }

  func judgeNames(_ names: UnresolvedNames) {
    for request in unresolved {
      if let ending = run.ending {
        request.job.end(because: ending)
      } else {
        request.job.complete(.failed(names.failure(of: request.host), request.response))
      }
    }
  }

  private func stop(_ chain: RedirectChain, because error: FetchError) {
    for entry in queue.stop(chain, because: error) {
      entry.job.complete(.failed(error, nil))
    }
  }

  private func leave(_ transfer: Transfer) {
    queue.leave(transfer.chain.url.hostKey, worker: number, wasSlow: transfer.isSlow)
  }

  private func noteSlow(at now: ContinuousClock.Instant) {
    for transfer in active where !transfer.isSlow && transfer.slowTime <= now {
      transfer.isSlow = true
      queue.noteSlow(transfer.chain.url.hostKey, worker: number)
    }
  }

  private func expire(at now: ContinuousClock.Instant) {
    for transfer in active {
      guard let error = transfer.timeout(at: now) else { continue }
      active.removeAll { $0 === transfer }
      leave(transfer)
      transfer.job.complete(.failed(error, transfer.response))
      queue.finish()
      takeOut(transfer)
    }
  }

  /// Removes a transfer in its middle, unless libcurl would wait for the resolver to do so.
  private func takeOut(_ transfer: Transfer) {
    if CurlLibrary.removesWithoutWaiting || transfer.easy.hasResolvedName {
      multi.remove(transfer.easy)
    } else {
      transfer.easy.giveUpTimeouts()
      parked.append(transfer)
    }
  }

  private func end(because error: FetchError) {
    for transfer in active + redirected {
      transfer.job.complete(.failed(error, transfer.response))
    }
    for transfer in active { takeOut(transfer) }
    leaveParked()
  }

  /// Leaves the handles whose name is being looked up in memory, with all that they point to.
  ///
  /// Cleaning them up would join the resolver's thread, for as long as a dead name server takes;
  /// and the process is about to end.
  private func leaveParked() {
    guard !parked.isEmpty else { return }
    _ = Unmanaged.passRetained(multi)
    for transfer in parked { _ = Unmanaged.passRetained(transfer) }
  }
}
