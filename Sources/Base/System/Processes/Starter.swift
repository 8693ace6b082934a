internal import CConfinement
internal import Synchronization

/// A process that starts programs, and readers of what strangers wrote, for this one.
///
/// It is forked before there are other threads and before anything foreign was read, has one
/// thread, and stays in the session and process group, so that programs have the terminal. It ends
/// with the process that it serves, however that ends, and first ends what it has started and is
/// still waited for: a run that is killed takes its programs with it.
package final class Starter: Sendable {
  private let (process, channel): (pid_t, Int32)
  /// The process that has it in the place of this one, and a connection to that.
  private let heir: (process: pid_t, channel: Int32)?

  private static let shared = Mutex<Starter?>(nil)
  private static let prepared = Mutex<OrderedReader?>(nil)

  private struct OrderedReader {
    let answer: Int32
    let connection: Int32
  }
  static let maximumMessage = 128 << 10

  package static var current: Starter? { shared.withLock(\.self) }

  private init(
    _ process: pid_t,
    _ channel: Int32,
    heir: (process: pid_t, channel: Int32)? = nil,
  ) {
    (self.process, self.channel, self.heir) = (process, channel, heir)
  }

  /// Forks the starter; where that fails, this process starts its programs itself.
  ///
  /// `reader` is the work of a reader, with the connection to this process. It runs in a process of
  /// its own, which ends after it.
  package static func begin(reader: @escaping (_ connection: Int32) -> Void) {
    var ends: [Int32] = [-1, -1]
    guard cconfinement_make_channel(&ends) else { return }
    let process = cconfinement_fork()
    if process == 0 {
      _ = close(ends[0])
      StarterService(ends[1], reader).serve()
    }
    _ = close(ends[1])
    guard process > 0 else {
      _ = close(ends[0])
      return
    }
    shared.withLock { $0 = Starter(process, ends[0]) }
  }

  /// Forks a process that does `work` with its ends of so many connections, and that alone has the
  /// starter from then on: whoever takes this process over can have nothing started.
  ///
  /// It goes on at signals that end this process, and is to end with the connections. Returns our
  /// ends of them; nil where it cannot be had.
  package static func handOver(_ count: Int, _ work: (_ connections: [Int32]) -> Void) -> [Int32]? {
    guard let starter = current else { return nil }
    var (own, others): ([Int32], [Int32]) = ([], [])
    for _ in 0..<count {
      var ends: [Int32] = [-1, -1]
      _ = cconfinement_make_connection(&ends)
      own.append(ends[0])
      others.append(ends[1])
    }
    let process = own.contains(-1) ? -1 : cconfinement_fork()
    if process == 0 {
      for end in own { _ = close(end) }
      StarterService.keepSignals()
      work(others)
      _exit(0)
    }
    for end in others where end >= 0 { _ = close(end) }
    guard process > 0 else { return nil }
    _ = close(starter.channel)
    let heir = (process, fcntl(own[0], F_DUPFD_CLOEXEC, 0))
    shared.withLock { $0 = Starter(starter.process, -1, heir: heir) }
    return own
  }

  /// Ends the starter with what it has started, at the end of this process.
  ///
  /// The first process of a container may wait for no child but its own: if this process ended
  /// before the starter, that would stay there as a zombie.
  package static func end() {
    guard let starter = shared.withLock({ $0.take() }) else { return }
    let own = (starter.process, starter.channel)
    for (process, channel) in [starter.heir, own].compactMap(\.self) {
      _ = shutdown(channel, Int32(SHUT_RDWR))
      _ = POSIX.waitForEnd(of: process)
    }
  }

  /// Starts a program; `answer` brings its status, and nil says that there is no such program.
  func start(
    _ words: [String],
    _ variables: [String: String],
    _ descriptors: [(from: Int32, to: Int32)],
    _ kind: ProgramKind,
  ) -> (process: pid_t, answer: Int32)? {
    let standard = (Int32(0)...2).filter { to in !descriptors.contains { $0.to == to } }
    let all = descriptors + standard.map { ($0, $0) }
    let targets = all.map { Int($0.to) }
    guard targets.allSatisfy(StarterOrder.targets.contains) else { return nil }
    let order = StarterOrder(kind: kind, targets: targets, variables: variables, words: words)
    return send(order, all.map(\.from)).flatMap(Self.started)
  }

  package static func prepareReader() {
    let reader = current?.orderReader()
    prepared.withLock { $0 = reader }
  }

  package func startReader() -> (process: pid_t, connection: Int32)? {
    let prepared = Self.prepared.withLock { $0.take() }
    return prepared.flatMap(take) ?? orderReader().flatMap(take)
  }

  private func take(_ reader: OrderedReader) -> (process: pid_t, connection: Int32)? {
    guard let started = Self.started(reader.answer) else {
      _ = close(reader.connection)
      return nil
    }
    _ = close(started.answer)
    return (started.process, reader.connection)
  }

  private func orderReader() -> OrderedReader? {
    var ends: [Int32] = [-1, -1]
    guard cconfinement_make_connection(&ends) else { return nil }
    let answer = send(StarterOrder(), [ends[1]])
    _ = close(ends[1])
    guard let answer else {
      _ = close(ends[0])
      return nil
    }
    return OrderedReader(answer: answer, connection: ends[0])
  }

  private func send(_ order: StarterOrder, _ files: [Int32]) -> Int32? {
    guard let pipe = SystemPipe() else { return nil }
    let bytes = order.record
    let files = files + [pipe.writeEnd]
    let isSent =
      bytes.count <= Self.maximumMessage
      && cconfinement_send(channel, bytes, bytes.count, files, files.count)
    _ = close(pipe.writeEnd)
    if isSent { return pipe.readEnd }
    _ = close(pipe.readEnd)
    return nil
  }

  /// Waits for the answer to an order; nil, with the descriptor closed, where nothing was started.
  private static func started(_ answer: Int32) -> (process: pid_t, answer: Int32)? {
    if let process = number(from: answer), process > 0 { return (process, answer) }
    _ = close(answer)
    return nil
  }

  static func number(from descriptor: Int32) -> Int32? {
    var number: Int32 = 0
    // A pipe delivers so few bytes whole or not at all.
    let count = withUnsafeMutableBytes(of: &number) { POSIX.readPart(of: descriptor, into: $0) }
    return count == MemoryLayout<Int32>.size ? number : nil
  }
}

/// An order to the starter, for a reader where there is no kind.
struct StarterOrder {
  static let targets = 0...9

  var kind: ProgramKind?
  var targets: [Int] = []
  var variables: [String: String] = [:]
  var words: [String] = []
}

extension StarterOrder: RecordValue {
  static let blank = StarterOrder()

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&kind, among: [nil] + ProgramKind.allCases)
    coder.code(&targets, in: Self.targets)
    coder.code(&variables) { $0.code(&$1, .own) }
    coder.code(&words, .own)
  }
}
