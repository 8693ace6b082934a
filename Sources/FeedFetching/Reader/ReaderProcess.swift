import Synchronization
import System

/// The process that fetches and reads for this one, and can do nothing else.
///
/// Its answers are records, which are checked; where they are none, or it ends, it is done with.
final class ReaderProcess: Sendable {
  /// Is told what comes for a fetch; nil when the process has ended.
  typealias Receiver = @Sendable (ReaderAnswer?) -> Void

  private struct State {
    var receivers: [Int: Receiver] = [:]
    var last = 0
    var hasEnded = false
  }

  private let process: pid_t
  private let connection: MessageConnection
  private let state = Mutex(State())

  private static let shared = Mutex<ReaderProcess?>(nil)

  /// The one that serves this process: another one where the last has ended; nil where there can be none.
  static var current: ReaderProcess? {
    shared.withLock { shared in
      if let shared, !shared.hasEnded { return shared }
      shared = start()
      return shared
    }
  }

  /// One for a single thing, which may end it.
  static func start() -> ReaderProcess? {
    guard let started = Starter.current?.startReader() else { return nil }
    let reader = ReaderProcess(started.process, MessageConnection(started.connection))
    return POSIX.startThread(reader.receive) ? reader : nil
  }

  private init(_ process: pid_t, _ connection: MessageConnection) {
    (self.process, self.connection) = (process, connection)
  }

  deinit {
    connection.end()
  }

  var hasEnded: Bool { state.withLock(\.hasEnded) }

  /// Ends it: what hangs is waited for no longer.
  func kill() {
    _ = System.kill(process, SIGKILL)
    connection.end()
  }

  /// A number for what comes back; nil where the process has ended.
  func number(for receiver: @escaping Receiver) -> Int? {
    state.withLock { state in
      guard !state.hasEnded else { return nil }
      state.last += 1
      state.receivers[state.last] = receiver
      return state.last
    }
  }

  func forget(_ number: Int) {
    state.withLock { $0.receivers[number] = nil }
  }

  func send(_ order: ReaderOrder) {
    // Where it has gone, the receivers are told so.
    connection.send(order.record)
  }

  @Sendable private func receive() {
    while let message = connection.receive(), let answer = ReaderAnswer(record: message) {
      state.withLock { $0.receivers[answer.number] }?(answer)
    }
    let receivers = state.withLock { state in
      state.hasEnded = true
      defer { state.receivers = [:] }
      return state.receivers
    }
    // It may go on where it said what is no answer.
    kill()
    for receiver in receivers.values { receiver(nil) }
  }
}

package enum ReaderFailure: Error, Hashable, Sendable {
  /// The process ended in the middle of the job, by itself, too.
  case ended
  /// There can be none: this machine has no room for it.
  case exhausted
}

/// Jobs for the process that reads.
package enum ReaderJobs {
  /// Whether there is one to do them.
  package static var areRemote: Bool { Starter.current != nil }

  /// Has a job done with bytes.
  ///
  /// A process that ends may have ended for the sake of another job: it is tried once more, by
  /// itself.
  package static func perform(
    _ job: [UInt8],
    on bytes: UnsafeRawBufferPointer,
  ) throws(ReaderFailure) -> [UInt8] {
    let bytes = Array(bytes)
    guard let reader = ReaderProcess.current else { throw .exhausted }
    if let result = result(of: job, bytes, reader) { return result }
    guard let own = ReaderProcess.start() else { throw .exhausted }
    defer { own.kill() }
    guard let result = result(of: job, bytes, own) else { throw .ended }
    return result
  }

  private static func result(
    of job: [UInt8],
    _ bytes: [UInt8],
    _ reader: ReaderProcess,
  ) -> [UInt8]? {
    let results = BlockingQueue<[UInt8]?>()
    guard let number = reader.number(for: { results.push($0?.bytes) }) else { return nil }
    reader.send(.perform(number: number, job: job, bytes: bytes))
    defer { reader.forget(number) }
    return results.pop() ?? nil
  }
}
