import CommandLine
import CommandSupport
import FeedFetching
import FeedModel
import FeedServing

/// The process that makes changes for a server, which itself can neither save nor start anything.
///
/// It is forked before the server is confined, and ends with it. Each change comes as a record
/// (`ServedChange`), and is answered when it is made. Texts go through it to the process that
/// reads.
struct HomeKeeper: Sendable {
  private static let (mostAsking, mostReading, maximumMessage) = (4, 2, 64 << 20)

  /// The connections that are free: the one for changes of the home, which come one after the other
  /// anyway, and those to have feeds fetched and lists read.
  private let saving = BlockingQueue<MessageConnection>()
  private let asking = BlockingQueue<MessageConnection>()
  private let reading = BlockingQueue<MessageConnection>()

  /// Forks the process; nil where there can be none.
  init?(_ actions: HomeActions, _ environment: Environment) {
    let ends = environment.handOver(1 + Self.mostAsking + Self.mostReading) { ends in
      let connections = ends.map { MessageConnection($0, maximumMessage: Self.maximumMessage) }
      for connection in connections.dropFirst().prefix(Self.mostAsking) {
        _ = POSIX.startThread { Self.serve(connection, actions) }
      }
      for connection in connections.suffix(Self.mostReading) {
        _ = POSIX.startThread { Self.read(connection) }
      }
      // What is being saved is saved to its end; programs end with this process.
      Self.serve(connections[0], actions)
    }
    guard let ends else { return nil }
    saving.push(MessageConnection(ends[0]))
    for end in ends.dropFirst().prefix(Self.mostAsking) { asking.push(MessageConnection(end)) }
    for end in ends.suffix(Self.mostReading) { reading.push(MessageConnection(end)) }
    ReaderJobs.perform(by: read)
  }

  /// Has a change made; throws the reason of a failure.
  @Sendable
  func make(_ change: ServedChange) throws {
    let free = [.subscribe, .importList].contains(change.kind) ? asking : saving
    guard let connection = free.pop() else { return }
    defer { free.push(connection) }
    guard connection.send(change.record), let message = connection.receive(),
      let answer = ServedAnswer(record: message.record)
    else { throw Failure("the process that saves has ended: start `news serve` again") }
    if let reason = answer.reason {
      throw Failure(reason, status: answer.isMistake ? .notAFeed : .failed)
    }
  }

  /// Has bytes read: an empty answer tells that they were not.
  private func read(
    _ job: [UInt8],
    _ bytes: UnsafeRawBufferPointer,
  ) -> Result<[UInt8], ReaderFailure> {
    guard let connection = reading.pop() else { return .failure(.exhausted) }
    defer { reading.push(connection) }
    guard connection.send(job, bytes), let answer = connection.receive() else {
      return .failure(.exhausted)
    }
    return answer.content.isEmpty ? .failure(.ended) : .success(answer.content)
  }

  private static func read(_ connection: MessageConnection) {
    while let message = connection.receive() {
      let answer = message.content.withUnsafeBytes {
        // A text that cannot be read is told as none.
        (try? ReaderJobs.perform(message.record, on: $0, nil)) ?? []
      }
      answer.withUnsafeBytes { _ = connection.send([], $0) }
    }
  }

  private static func serve(_ connection: MessageConnection, _ actions: HomeActions) {
    while let message = connection.receive() {
      guard let change = ServedChange(record: message.record, maximumCount: 8 << 20),
        change.isSound
      else { return }
      var answer = ServedAnswer()
      do { try actions.make(change) } catch let failure {
        answer.reason = "\(failure)"
        answer.isMistake = failure is TagLimit || Failure(failure).status == .notAFeed
      }
      connection.send(answer.record)
    }
  }
}

private struct ServedAnswer: RecordValue {
  /// The reason why the change was not made; nil for one that was.
  var reason: String?
  /// True where the app asked for what cannot be.
  var isMistake = false

  static let blank = ServedAnswer()

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&reason, .text)
    coder.code(&isMistake)
  }
}
