import Synchronization
import System

/// One fetch by the process that reads.
///
/// What ends that process is found: requests that were under way then are asked once more, each in a
/// process of its own, and the one that ends that, too, is told. All others go on.
final class RemoteFetch: Sendable {
  private struct State {
    /// By their place among all: those that have begun, and have not ended.
    var open: Set<Int> = []
    var ended: Set<Int> = []
  }

  private let jobs: [FetchJob]
  private let run: FetchRun
  private let state = Mutex(State())
  /// Ends of requests whose bodies are still to be worked on.
  private let arrivals = BlockingQueue<(index: Int, answer: ReaderAnswer)>()
  private let takers: Int

  init(_ jobs: [FetchJob], _ run: FetchRun) {
    (self.jobs, self.run) = (jobs, run)
    takers = max(min(run.options.workers ?? POSIX.processors, jobs.count), 1)
  }

  /// One worker gives the orders, and others work on what comes.
  var workers: [@Sendable () -> Void] {
    guard !jobs.isEmpty else { return [] }
    return [{ self.order() }] + Array(repeating: { self.takeArrivals() }, count: takers)
  }

  // MARK: Orders

  private func order() {
    defer { arrivals.close() }
    var rest = Array(jobs.indices)
    var suspects: [Int] = []
    var hasEndedUntold = false
    while !rest.isEmpty, run.ending == nil {
      guard let reader = ReaderProcess.current else { return fail(rest, .resourcesExhausted) }
      if ask(for: rest, reader) { break }
      let (open, ended) = state.withLock { ($0.open, $0.ended) }
      rest.removeAll { open.contains($0) || ended.contains($0) }
      suspects += open.sorted()
      state.withLock { $0.open = [] }
      // It ended, and nothing was under way that it had come to tell of; at the second time no answer is
      // to blame.
      if open.isEmpty, hasEndedUntold { return fail(rest, .resourcesExhausted) }
      hasEndedUntold = open.isEmpty
    }
    for suspect in suspects where run.ending == nil { askAlone(for: suspect) }
  }

  /// Asks for what may have ended a process in one of its own.
  private func askAlone(for index: Int) {
    guard !jobs[index].request.isStreamed, let reader = ReaderProcess.start() else {
      // Of what came in pieces the beginning is kept already.
      return fail([index], .readerEnded)
    }
    defer { reader.kill() }
    if !ask(for: [index], reader), run.ending == nil { fail([index], .readerEnded) }
  }

  private func fail(_ indices: [Int], _ error: FetchError) {
    for index in indices { jobs[index].complete(.failed(error, nil)) }
  }

  /// Has some requests asked for; false where the process ended before all had.
  private func ask(for indices: [Int], _ reader: ReaderProcess) -> Bool {
    let end = Mutex<Bool?>(nil)
    guard let event = SystemEvent() else { return false }
    let number = reader.number { answer in
      if let answer, answer.kind != .batchEnded { return self.take(answer, of: indices, reader) }
      end.withLock { $0 = $0 ?? (answer != nil) }
      event.happen()
    }
    guard let number else { return false }
    defer { reader.forget(number) }
    reader.send(.fetch(batch: number, run.options, indices.map { jobs[$0].request }))
    wait(for: event, number, reader)
    return end.withLock(\.self) ?? true
  }

  /// Waits for the end; at the deadline for as long as it takes to tell what has come.
  private func wait(for event: SystemEvent, _ number: Int, _ reader: ReaderProcess) {
    while !event.hasHappened, run.ending == nil {
      let cancellation = [run.cancellation.descriptor].compactMap(\.self)
      POSIX.wait(on: [event.readEnd] + cancellation, until: run.options.deadline)
    }
    guard !event.hasHappened else { return }
    // The deadline it knows itself, and says of what it has not ended that it was that.
    if run.cancellation.isCancelled { reader.send(.cancel(batch: number)) }
    let end = ContinuousClock.now + FetchRun.remoteGrace
    while !event.hasHappened, .now < end { POSIX.wait(on: [event.readEnd], until: end) }
    // It is at something that no time-out reaches.
    if !event.hasHappened { reader.kill() }
  }

  // MARK: Answers

  private func take(_ answer: ReaderAnswer, of indices: [Int], _ reader: ReaderProcess) {
    guard indices.indices.contains(answer.index) else { return reader.kill() }
    let index = indices[answer.index]
    let job = jobs[index]
    switch answer.kind {
    case .began:
      state.withLock { _ = $0.open.insert(index) }
      _ = job.start()
    case .head:
      if let head = answer.head { job.begin(head) }
    case .piece:
      let isTaken = answer.bytes.withUnsafeBytes { job.receive($0) }
      if !isTaken { reader.send(.stop(batch: answer.number, index: answer.index)) }
    case .ended:
      state.withLock { state in
        state.open.remove(index)
        state.ended.insert(index)
      }
      // PERF: what was read there is at hand; of what is not, the reading takes its time.
      if job.request.reading.isEmpty {
        arrivals.push((index, answer))
      } else {
        job.end(with: answer)
      }
    case .batchEnded, .performed: break
    }
  }

  private func takeArrivals() {
    while let next = arrivals.pop() { jobs[next.index].end(with: next.answer) }
  }
}

extension FetchJob {
  /// Ends the request with what another process says of it.
  fileprivate func end(with answer: ReaderAnswer) {
    take { body in
      guard !request.isStreamed else { return }
      body.take(answer.head, answer.isResult || !request.reading.isEmpty ? [] : answer.bytes)
      // What was to be read there is not read here.
      if !request.reading.isEmpty {
        body.take(answer.isResult ? .success(answer.bytes) : .failure(.ended))
      }
    }
    complete(answer.outcome ?? .failed(.malformedResponse, nil))
  }
}
