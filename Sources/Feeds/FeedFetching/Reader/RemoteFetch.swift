import FeedModel
import Synchronization
import System

/// One fetch by the process that reads.
///
/// A request that ends that process is found: those that were under way then are asked once more,
/// each in a process of its own, and the one that ends that, too, fails. All others go on.
final class RemoteFetch: Sendable {
  private struct State {
    var open: Set<Int> = []
    var ended: Set<Int> = []
  }

  private let jobs: [FetchJob]
  private let run: FetchRun
  private let state = Mutex(State())
  /// The ends of requests whose bodies still have to be read here.
  private let arrivals = BlockingQueue<(index: Int, answer: ReaderAnswer)>()
  private let takers: Int

  init(_ jobs: [FetchJob], _ run: FetchRun) {
    (self.jobs, self.run) = (jobs, run)
    takers = max(min(run.options.workers ?? POSIX.processors, jobs.count), 1)
  }

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
      // The process ended with nothing under way that it had told of; at the second time no answer
      // is to blame.
      if open.isEmpty, hasEndedUntold { return fail(rest, .resourcesExhausted) }
      hasEndedUntold = open.isEmpty
    }
    for suspect in suspects where run.ending == nil { askAlone(for: suspect) }
  }

  private func askAlone(for index: Int) {
    guard !jobs[index].request.isStreamed, let reader = ReaderProcess.start() else {
      // The beginning of an answer that came in pieces is kept already.
      return fail([index], .readerEnded)
    }
    defer { reader.kill() }
    if !ask(for: [index], reader), run.ending == nil { fail([index], .readerEnded) }
  }

  private func fail(_ indices: [Int], _ error: FetchError) {
    for index in indices { jobs[index].complete(.failed(error, nil)) }
  }

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
    reader.send(
      ReaderOrder(
        kind: .fetch,
        number: number,
        options: run.options,
        requests: indices.map { jobs[$0].request },
      )
    )
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
    // The process knows the deadline itself, and ends with it the requests that it has not ended.
    if run.cancellation.isCancelled { reader.send(ReaderOrder(kind: .cancel, number: number)) }
    let end = ContinuousClock.now + FetchRun.remoteGrace
    while !event.hasHappened, .now < end { POSIX.wait(on: [event.readEnd], until: end) }
    // The process is at something that no time-out reaches.
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
      let isTaken = answer.content.withUnsafeBytes { job.receive($0) }
      if !isTaken {
        reader.send(ReaderOrder(kind: .stop, number: answer.number, index: answer.index))
      }
    case .ended:
      state.withLock { state in
        state.open.remove(index)
        state.ended.insert(index)
      }
      // PERF: a result is at hand; reading a body here takes its time.
      if job.request.reading.isEmpty {
        arrivals.push((index, answer))
      } else {
        job.end(with: answer)
      }
    case .batchEnded, .performed, .alive: break
    }
  }

  private func takeArrivals() {
    while let next = arrivals.pop() { jobs[next.index].end(with: next.answer) }
  }
}

extension FetchOutcome {
  /// Returns the outcome as another process may claim it: such a claim can take trust away, and give
  /// none; accounts are those of the request.
  fileprivate func claimed(of request: FetchRequest) -> FetchOutcome {
    guard var response else { return self }
    response.trust = response.trust.limited(to: request.trust)
    response.permanentURL = response.permanentURL.map(request.spelling)
    if let place = response.validators?.url { response.validators?.url = request.spelling(place) }
    return switch self {
    case .content: .content(response)
    case .notModified: .notModified(response)
    case .failed(let error, _): .failed(error, response)
    }
  }
}

extension FetchRequest {
  /// Returns a URL that the request has led to, as the request spells it and with its account.
  fileprivate func spelling(_ url: String) -> String {
    if url == self.url || url == (try? HTTPURL(self.url))?.publicText { return self.url }
    guard let account = WebURL.account(of: self.url), RequestTrust.isOneSite(self.url, url) else {
      return url
    }
    return WebURL.adding(account: account, to: url)
  }
}

extension FetchJob {
  fileprivate func end(with answer: ReaderAnswer) {
    take { body in
      guard !request.isStreamed else { return }
      body.take(answer.head, answer.isResult || !request.reading.isEmpty ? [] : answer.content)
      // A body whose reading was for the other process is not read here.
      if !request.reading.isEmpty {
        body.result = answer.isResult ? .success(answer.content) : .failure(.ended)
      }
    }
    complete(answer.outcome?.claimed(of: request) ?? .failed(.malformedResponse, nil))
  }
}
