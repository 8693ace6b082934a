internal import CConfinement
internal import Synchronization

/// A process that starts programs, and processes that read what strangers wrote, for this one.
///
/// It is forked before there are other threads and before anything foreign was read, has one thread
/// of its own, and stays in the session and process group, so that programs have the terminal as
/// ever. It ends with the process that it serves, whichever way that ends, and ends first what it has
/// started and is still waited for: a run that is killed takes its programs with it.
package final class Starter: Sendable {
  private let (process, channel): (pid_t, Int32)

  private static let shared = Mutex<Starter?>(nil)
  /// A process that reads, which was ordered before it is needed.
  private static let prepared = Mutex<OrderedReader?>(nil)

  private struct OrderedReader {
    /// Where its process is told.
    let answer: Int32
    let connection: Int32
  }
  static let maximumMessage = 128 << 10

  /// The one that serves this process.
  package static var current: Starter? { shared.withLock(\.self) }

  private init(_ process: pid_t, _ channel: Int32) {
    (self.process, self.channel) = (process, channel)
  }

  /// Starts it; where there can be none, programs are started as ever.
  ///
  /// - Parameter reader: The work of a process that reads, with the connection to this one. It is called
  ///   in a process of its own, which it ends.
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

  /// Ends it with what it has started, at the end of the process that it serves.
  ///
  /// The first process of a container may wait for no child that is not its own: who ended before the
  /// starter would leave it a dead one there.
  package static func end() {
    guard let starter = shared.withLock({ $0.take() }) else { return }
    _ = shutdown(starter.channel, Int32(SHUT_RDWR))
    var status: Int32 = 0
    while waitpid(starter.process, &status, 0) < 0, errno == EINTR {}
  }

  /// A program's process, and where its status comes from; nil where there is no such program.
  func start(
    _ words: [String],
    _ variables: [String: String],
    _ descriptors: [(from: Int32, to: Int32)],
    _ kind: StarterOrder.Kind,
  ) -> (process: pid_t, answer: Int32)? {
    let standard = (Int32(0)...2).filter { to in !descriptors.contains { $0.to == to } }
    let all = descriptors + standard.map { ($0, $0) }
    let order = StarterOrder(kind, all.map(\.to), variables, words)
    return send(order, all.map(\.from)).flatMap(Self.started)
  }

  /// Has a process that reads begin, which is taken when it is needed.
  package static func prepareReader() {
    let reader = current?.orderReader()
    prepared.withLock { $0 = reader }
  }

  /// A process that reads, and the connection to it; nil where there can be none.
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
    let answer = send(StarterOrder(.reader, [], [:], []), [ends[1]])
    _ = close(ends[1])
    guard let answer else {
      _ = close(ends[0])
      return nil
    }
    return OrderedReader(answer: answer, connection: ends[0])
  }

  /// Sends an order; gives where it is answered.
  private func send(_ order: StarterOrder, _ files: [Int32]) -> Int32? {
    guard let pipe = SystemPipe() else { return nil }
    let bytes = order.bytes
    let files = files + [pipe.writeEnd]
    let isSent =
      bytes.count <= Self.maximumMessage
      && cconfinement_send(channel, bytes, bytes.count, files, files.count)
    _ = close(pipe.writeEnd)
    if isSent { return pipe.readEnd }
    _ = close(pipe.readEnd)
    return nil
  }

  /// Waits for the answer to an order; nil, with nothing left open, where nothing was started.
  private static func started(_ answer: Int32) -> (process: pid_t, answer: Int32)? {
    if let process = number(from: answer), process > 0 { return (process, answer) }
    _ = close(answer)
    return nil
  }

  /// Reads a number; nil when the other end has gone.
  static func number(from descriptor: Int32) -> Int32? {
    var number: Int32 = 0
    // Of a pipe, so few bytes come whole or not at all.
    let count = withUnsafeMutableBytes(of: &number) { POSIX.readPart(of: descriptor, into: $0) }
    return count == MemoryLayout<Int32>.size ? number : nil
  }
}

/// An order to the starter: texts with a NUL between them.
struct StarterOrder {
  enum Kind: String {
    case program
    /// A program that leads a process group of its own.
    case group
    /// A program in a cage, which leads a group, too.
    case caged
    /// A program that goes on when whoever had it started ends.
    case independent
    /// A process that reads what strangers wrote.
    case reader
  }

  let kind: Kind
  /// What the descriptors that come with it are to be in the program.
  let targets: [Int32]
  let variables: [String: String]
  let words: [String]

  init(_ kind: Kind, _ targets: [Int32], _ variables: [String: String], _ words: [String]) {
    (self.kind, self.targets) = (kind, targets)
    (self.variables, self.words) = (variables, words)
  }

  init?(_ bytes: ArraySlice<UInt8>) {
    let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count >= 3, let kind = Kind(rawValue: parts[0]), let count = Int(parts[2]),
      (0...(parts.count - 3)).contains(count)
    else { return nil }
    let targets = parts[1].split(separator: ",").map { Int32($0) ?? -1 }
    guard targets.allSatisfy({ (0...9).contains($0) }) else { return nil }
    var variables: [String: String] = [:]
    for text in parts[3..<3 + count] {
      let name = text.prefix { $0 != "=" }
      variables[String(name)] = String(text.dropFirst(name.count + 1))
    }
    self.init(kind, targets, variables, Array(parts[(3 + count)...]))
  }

  var bytes: [UInt8] {
    let slots = targets.map(String.init).joined(separator: ",")
    let variables = variables.map { "\($0.key)=\($0.value)" }
    let parts = [kind.rawValue, slots, String(variables.count)] + variables + words
    return Array(parts.joined(separator: "\0").utf8)
  }
}
