import Synchronization
package import System

/// The work of the process that reads: it fetches and does jobs with bodies until the process that
/// gives the orders has gone.
package final class ReaderService: Sendable {
  package typealias Work =
    @Sendable (_ job: [UInt8], _ head: ResponseHead?, _ body: UnsafeRawBufferPointer) -> [UInt8]

  private struct Batch {
    let cancellation: FetchCancellation
    var stopped: Set<Int> = []
  }

  private let connection: MessageConnection
  private let work: Work
  private let batches = Mutex<[Int: Batch]>([:])
  private let jobs = BlockingQueue<@Sendable () -> Void>()
  private let workers = Mutex(0)
  /// The number of orders that are being carried out; nil before the first.
  private let busy = Mutex<Int?>(nil)

  package init(_ connection: MessageConnection, work: @escaping Work) {
    (self.connection, self.work) = (connection, work)
  }

  package func serve() {
    while let message = connection.receive(), let order = ReaderOrder(record: message.record) {
      carryOut(order, on: message.content)
    }
  }

  /// Does some work, and says every few seconds that it is done.
  private func working(_ work: () -> Void) {
    let isFirst = busy.withLock { busy in
      defer { busy = (busy ?? 0) + 1 }
      return busy == nil
    }
    if isFirst { _ = POSIX.startThread { self.pulse() } }
    work()
    busy.withLock { $0? -= 1 }
  }

  private func pulse() {
    while true {
      POSIX.pause(ReaderProcess.pulse)
      if busy.withLock({ $0 ?? 0 > 0 }) { send(ReaderAnswer(.alive, 0)) }
    }
  }

  private func carryOut(_ order: ReaderOrder, on content: [UInt8]) {
    let number = order.number
    switch order.kind {
    case .cancel:
      batches.withLock { $0[number]?.cancellation }?.event?.happen()
    case .stop:
      batches.withLock { _ = $0[number]?.stopped.insert(order.index) }
    case .fetch:
      let cancellation = FetchCancellation()
      batches.withLock { $0[number] = Batch(cancellation: cancellation) }
      let work = { @Sendable in self.working { self.fetch(order, cancellation) } }
      if !POSIX.startThread(work) { work() }
    case .perform: perform(order) { content.withUnsafeBytes($0) }
    case .performOnFile:
      guard let file = connection.takeFile() else { return connection.end() }
      perform(order) { work in
        defer { _ = close(file) }
        POSIX.withBytes(of: file, atMost: order.head?.size ?? 0, work)
      }
    }
  }

  /// Performs a job on the bytes that `content` passes on.
  private func perform(
    _ order: ReaderOrder,
    _ content: @escaping @Sendable ((UnsafeRawBufferPointer) -> Void) -> Void,
  ) {
    perform {
      self.working {
        content { bytes in
          let result = self.work(order.job, order.head, bytes)
          result.withUnsafeBytes { _ = self.send(ReaderAnswer(.performed, order.number), $0) }
        }
      }
    }
  }

  private func perform(_ job: @escaping @Sendable () -> Void) {
    if jobs.push(job) { return }
    let isWanted = workers.withLock { count in
      guard count < POSIX.processors else { return false }
      count += 1
      return true
    }
    guard isWanted else { return }
    let work: @Sendable () -> Void = { [jobs] in while let job = jobs.pop() { job() } }
    guard !POSIX.startThread(work) else { return }
    workers.withLock { $0 -= 1 }
    jobs.popAvailable()?()
  }

  private func fetch(_ order: ReaderOrder, _ cancellation: FetchCancellation) {
    let number = order.number
    SourceFetcher().fetch(
      order.requests.numbered,
      options: order.options,
      cancellation: cancellation,
      body: { self.body($0, number) },
      beforeWaiting: { self.connection.flush() },
      completion: { self.end($0, $1, $2, number) },
    )
    batches.withLock { $0[number] = nil }
    send(ReaderAnswer(.batchEnded, number))
  }

  @discardableResult
  private func send(
    _ answer: ReaderAnswer,
    _ content: UnsafeRawBufferPointer = MessageConnection.noContent,
  ) -> Bool {
    connection.send(answer.record, content)
  }

  private func body(_ request: FetchRequest, _ number: Int) -> ReceivedBody {
    let index = request.index
    connection.post(ReaderAnswer(.began, number, index: index).record)
    guard request.isStreamed else { return ReceivedBody(request) }
    return ReceivedBody(
      isWanted: { head in
        var answer = ReaderAnswer(.head, number, index: index)
        answer.head = head
        return self.send(answer)
      },
      into: { piece in
        let isStopped = self.batches.withLock { $0[number]?.stopped.contains(index) ?? true }
        return !isStopped && self.send(ReaderAnswer(.piece, number, index: index), piece)
      },
    )
  }

  private func end(
    _ request: FetchRequest,
    _ outcome: FetchOutcome,
    _ body: ReceivedBody,
    _ number: Int,
  ) {
    var answer = ReaderAnswer(.ended, number, index: request.index)
    (answer.head, answer.outcome) = (body.head, outcome)
    // PERF: answers go together before the next wait; each one written alone wakes the other end.
    guard body.head != nil else { return connection.post(answer.record) }
    // A body that ended early is read as far as it came.
    answer.isResult = !request.reading.isEmpty
    body.withBytes { bytes in
      guard answer.isResult else { return connection.post(answer.record, bytes) }
      let result = work(request.reading, body.head, bytes)
      result.withUnsafeBytes { connection.post(answer.record, $0) }
    }
  }
}
