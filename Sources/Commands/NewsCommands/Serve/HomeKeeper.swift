import CommandLine
import CommandSupport
import FeedModel
import FeedServing

/// The process that makes changes for a server, which itself can neither save nor start anything.
///
/// It is forked before the server is confined, and ends with it. Each change comes as a record
/// (`ServedChange`), and is answered when it is made.
struct HomeKeeper: Sendable {
  private static let (mostAsking, maximumMessage) = (4, 64 << 20)

  /// The connections that are free: the one for changes of the home, which come one after the other
  /// anyway, and those to have feeds fetched and lists read.
  private let saving = BlockingQueue<MessageConnection>()
  private let asking = BlockingQueue<MessageConnection>()

  /// Forks the process; nil where there can be none.
  init?(_ actions: HomeActions, _ environment: Environment) {
    let ends = environment.handOver(1 + Self.mostAsking) { ends in
      let connections = ends.map { MessageConnection($0, maximumMessage: Self.maximumMessage) }
      for connection in connections.dropFirst() {
        _ = POSIX.startThread { Self.serve(connection, actions) }
      }
      // What is being saved is saved to its end; programs end with this process.
      Self.serve(connections[0], actions)
    }
    guard let ends else { return nil }
    saving.push(MessageConnection(ends[0]))
    for end in ends.dropFirst() { asking.push(MessageConnection(end)) }
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
