import Synchronization
import System

/// The process that fetches and reads for this one, and can do nothing else.
///
/// Its answers are records, which are checked; after one that is none, when it ends, and when it is
/// silent for too long, it is not used any more. While it works it says so every few seconds.
final class ReaderProcess: Sendable {
  /// Receives the answers to a fetch or a job; nil when the process has ended.
  typealias Receiver = @Sendable (ReaderAnswer?) -> Void

  private struct State {
    var receivers: [Int: (take: Receiver, isOfJob: Bool)] = [:]
    var last = 0
    var hasEnded = false
    /// The time of the last order or answer: signs of life extend no work without end.
    var lastWords = ContinuousClock.now
  }

  static let patience = Duration.seconds(15)
  static let pulse = Duration.seconds(3)
  private static let longestWork = Duration.seconds(300)

  private let process: pid_t
  private let connection: MessageConnection
  private let state = Mutex(State())

  private static let shared = Mutex<ReaderProcess?>(nil)

  /// The process that serves this one, replaced after its end; nil where there can be none.
  static var current: ReaderProcess? {
    shared.withLock { shared in
      if let shared, !shared.hasEnded { return shared }
      shared = start()
      return shared
    }
  }

  /// Starts a process for one request or job that may end it.
  static func start() -> ReaderProcess? {
    guard let started = Starter.current?.startReader() else { return nil }
    let connection = MessageConnection(
      started.connection,
      maximumMessage: bytes(about: 0),
      patience: patience,
    )
    let reader = ReaderProcess(started.process, connection)
    return POSIX.startThread(reader.receive) ? reader : nil
  }

  private init(_ process: pid_t, _ connection: MessageConnection) {
    (self.process, self.connection) = (process, connection)
  }

  deinit {
    connection.end()
  }

  var hasEnded: Bool { state.withLock(\.hasEnded) }

  func kill() {
    _ = System.kill(process, SIGKILL)
    connection.end()
  }

  /// Registers a receiver, and returns its number; nil where the process has ended.
  func number(ofJob isOfJob: Bool = false, for receiver: @escaping Receiver) -> Int? {
    state.withLock { state in
      guard !state.hasEnded else { return nil }
      state.last += 1
      state.receivers[state.last] = (receiver, isOfJob)
      return state.last
    }
  }

  func forget(_ number: Int) {
    state.withLock { $0.receivers[number] = nil }
  }

  /// Returns the most bytes of an answer about a body: what is short has much markup for its size.
  private static func bytes(about body: Int) -> Int {
    max(body.multipliedReportingOverflow(by: 3).partialValue, min(body, 2 << 20) * 32) + 1 << 20
  }

  func send(_ order: ReaderOrder, on content: ReaderContent = .bytes([])) {
    connection.take(upTo: Self.bytes(about: max(order.maximumBytes, content.count)))
    state.withLock { $0.lastWords = .now }
    // After the end of the process its receivers are called with nil.
    switch content {
    case .bytes(let bytes): bytes.withUnsafeBytes { _ = connection.send(order.record, $0) }
    case .file(let file): connection.send(order.record, file: file.descriptor)
    }
  }

  @Sendable private func receive() {
    while let message = connection.receive(isAwaited: { isAwaited }),
      let answer = ReaderAnswer(message)
    {
      guard answer.kind != .alive else {
        if isOverdue { break }
        continue
      }
      let receiver = state.withLock { state in
        let receiver = state.receivers[answer.number]
        // A job is answered once.
        if receiver?.isOfJob == true { state.receivers[answer.number] = nil }
        state.lastWords = .now
        return receiver
      }
      guard let receiver else { continue }
      guard receiver.isOfJob == (answer.kind == .performed) else {
        receiver.take(nil)
        break
      }
      receiver.take(answer)
    }
    let receivers = state.withLock { state in
      state.hasEnded = true
      defer { state.receivers = [:] }
      return state.receivers
    }
    // The process may go on after a message that is no answer.
    kill()
    for receiver in receivers.values { receiver.take(nil) }
  }

  private var isAwaited: Bool { state.withLock { !$0.receivers.isEmpty } }

  private var isOverdue: Bool {
    state.withLock { !$0.receivers.isEmpty && .now - $0.lastWords > Self.longestWork }
  }
}

/// The content that a job is done with: bytes, or a file that is read where the job is done.
enum ReaderContent: Sendable {
  case bytes([UInt8])
  case file(PassedFile)

  var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .file(let file): file.size
    }
  }
}

final class PassedFile: Sendable {
  let (descriptor, size): (Int32, Int)

  /// Opens a file once more; nil where this machine has no room for that.
  init?(_ file: Int32, size: Int) {
    (descriptor, self.size) = (fcntl(file, F_DUPFD_CLOEXEC, 0), size)
    if descriptor < 0 { return nil }
  }

  deinit { _ = close(descriptor) }
}

package enum ReaderJobs {
  package typealias Performer =
    @Sendable (
      _ job: [UInt8], UnsafeRawBufferPointer,
    ) -> Result<[UInt8], ReaderFailure>

  private static let substitute = Mutex<Performer?>(nil)

  package static var areRemote: Bool { Starter.current != nil }

  /// Has another process perform the jobs, as this one can have no reader started.
  package static func perform(by performer: @escaping Performer) {
    substitute.withLock { $0 = performer }
  }

  package static func perform(
    _ job: [UInt8],
    on bytes: UnsafeRawBufferPointer,
    _ head: ResponseHead?,
  ) throws(ReaderFailure) -> [UInt8] {
    if let substitute = substitute.withLock(\.self) { return try substitute(job, bytes).get() }
    let results = BlockingQueue<Result<[UInt8], ReaderFailure>>()
    ReaderJob(order: job, content: .bytes(Array(bytes)), head: head).begin { results.push($0) }
    guard let result = results.pop() else { throw .exhausted }
    return try result.get()
  }
}

/// A job for another process: what it is to do with bytes, and the head that came with them.
struct ReaderJob: Sendable {
  let order: [UInt8]
  let content: ReaderContent
  let head: ResponseHead?

  /// Begins the job; `completion` is called on the thread that receives the result.
  ///
  /// A process that ends may have ended for the sake of another job: the job is tried once more, in
  /// a process of its own.
  func begin(completion: @escaping @Sendable (Result<[UInt8], ReaderFailure>) -> Void) {
    guard let reader = ReaderProcess.current else { return completion(.failure(.exhausted)) }
    let isBegun = begin(in: reader) { result in
      if let result { return completion(.success(result)) }
      // Others are to hear of the end, too.
      let again: @Sendable () -> Void = { completion(performAlone()) }
      if !POSIX.startThread(again) { again() }
    }
    if !isBegun { completion(performAlone()) }
  }

  private func performAlone() -> Result<[UInt8], ReaderFailure> {
    guard let reader = ReaderProcess.start() else { return .failure(.exhausted) }
    defer { reader.kill() }
    let results = BlockingQueue<[UInt8]?>()
    guard begin(in: reader, completion: { results.push($0) }),
      let result = results.pop() ?? nil
    else { return .failure(.ended) }
    return .success(result)
  }

  /// Begins the job, whose `completion` gets nil where the process ends before; false where it has
  /// ended already.
  private func begin(
    in reader: ReaderProcess,
    completion: @escaping @Sendable ([UInt8]?) -> Void,
  ) -> Bool {
    guard let number = reader.number(ofJob: true, for: { completion($0?.content) }) else {
      return false
    }
    let kind =
      if case .file = content { ReaderOrder.Kind.performOnFile } else { ReaderOrder.Kind.perform }
    reader.send(ReaderOrder(kind: kind, number: number, job: order, head: head), on: content)
    return true
  }
}
