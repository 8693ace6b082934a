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

  private static let shared = Mutex<Starter?>(nil)
  private static let prepared = Mutex<OrderedReader?>(nil)

  private struct OrderedReader {
    let answer: Int32
    let connection: Int32
  }
  static let maximumMessage = 128 << 10

  package static var current: Starter? { shared.withLock(\.self) }

  private init(_ process: pid_t, _ channel: Int32) {
    (self.process, self.channel) = (process, channel)
  }

  /// Forks the starter; where that fails, this process starts its programs itself.
  ///
  /// - Parameters:
  ///   - isTaken: Whether a program is started after `limit`, by the words behind those given there.
  ///   - reader: The work of a reader, with the connection to this process. It runs in a process of
  ///     its own, which ends after it.
  package static func begin(
    limitedTo isTaken: @escaping (_ words: ArraySlice<String>) -> Bool,
    reader: @escaping (_ connection: Int32) -> Void,
  ) {
    var ends: [Int32] = [-1, -1]
    guard cconfinement_make_channel(&ends) else { return }
    let process = cconfinement_fork()
    if process == 0 {
      _ = close(ends[0])
      StarterService(ends[1], isTaken, reader).serve()
    }
    _ = close(ends[1])
    guard process > 0 else {
      _ = close(ends[0])
      return
    }
    shared.withLock { $0 = Starter(process, ends[0]) }
  }

  /// Limits the starter to readers, and to programs with these variables whose words begin so and go
  /// on as `begin` was told: whoever takes over this process gets no others.
  ///
  /// Nothing takes that back. Returns false where the starter did not take it; without one this
  /// process's own confinement is the limit.
  package static func limit(toWords words: [String], variables: [String: String]) -> Bool {
    guard let starter = current else { return true }
    guard let answer = starter.send(StarterOrder(.limit, [], variables, words), []) else {
      return false
    }
    defer { _ = close(answer) }
    return number(from: answer) == 0
  }

  /// Ends the starter with what it has started, at the end of this process.
  ///
  /// The first process of a container may wait for no child but its own: if this process ended
  /// before the starter, that would stay there as a zombie.
  package static func end() {
    guard let starter = shared.withLock({ $0.take() }) else { return }
    _ = shutdown(starter.channel, Int32(SHUT_RDWR))
    var status: Int32 = 0
    while waitpid(starter.process, &status, 0) < 0, errno == EINTR {}
  }

  /// Starts a program; `answer` brings its status, and nil says that there is no such program.
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
    let answer = send(StarterOrder(.reader, [], [:], []), [ends[1]])
    _ = close(ends[1])
    guard let answer else {
      _ = close(ends[0])
      return nil
    }
    return OrderedReader(answer: answer, connection: ends[0])
  }

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

/// An order to the starter: texts joined by NULs.
///
/// Programs of the kinds `group`, `independentGroup` and `caged` lead a process group; `reader` reads what strangers
/// wrote.
struct StarterOrder {
  enum Kind: String {
    case program
    case group
    case caged
    /// A program that outlives the process that ordered it.
    case independent
    case independentGroup
    case reader
    /// Limits later starts to command lines that begin with these words and have these variables.
    case limit
  }

  let kind: Kind
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
