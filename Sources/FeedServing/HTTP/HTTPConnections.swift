internal import Synchronization
internal import System

/// The connections of a server, each with the time since when it has been in its present state.
///
/// libmicrohttpd ends those that have sent no byte for a while; one that sends a byte now and then
/// would keep its place for ever.
final class HTTPConnections: Sendable {
  enum Phase: Hashable, Sendable {
    /// The connection waits for a request, or for the rest of one.
    case waiting
    /// The answer is being made.
    case working
    case answering
  }

  private struct Connection: Sendable {
    var phase = Phase.waiting
    var since = ContinuousClock.now
  }

  private struct State: Sendable {
    var connections: [Int32: Connection] = [:]
    var lastAsked = ContinuousClock.now
  }

  private let state = Mutex(State())
  private let limits: HTTPLimits
  /// An event that is set when there is a connection to watch.
  let event: SystemEvent

  private static let interval = Duration.seconds(1)

  init?(_ limits: HTTPLimits) {
    guard let event = SystemEvent() else { return nil }
    (self.limits, self.event) = (limits, event)
  }

  func add(_ descriptor: Int32) {
    let isFirst = state.withLock { state in
      state.connections[descriptor] = Connection()
      state.lastAsked = .now
      return state.connections.count == 1
    }
    if isFirst { event.happen() }
  }

  /// Removes a connection; to be called before the descriptor is closed, since another may get its
  /// number then.
  func remove(_ descriptor: Int32) {
    state.withLock { state in
      state.connections[descriptor] = nil
      state.lastAsked = .now
    }
  }

  func note(_ phase: Phase, _ descriptor: Int32) {
    state.withLock { state in
      guard state.connections[descriptor] != nil else { return }
      state.connections[descriptor] = Connection(phase: phase)
      state.lastAsked = .now
    }
  }

  /// Returns the time to look again, or nil if there is nothing to look at.
  func nextLook(orIdleFor limit: Duration?) -> ContinuousClock.Instant? {
    state.withLock { state in
      guard state.connections.isEmpty else { return .now + Self.interval }
      return limit.map { state.lastAsked + $0 }
    }
  }

  func isIdle(for limit: Duration) -> Bool {
    state.withLock { $0.connections.isEmpty && ContinuousClock.now - $0.lastAsked >= limit }
  }

  func closeOverdue() {
    close { connection, now in
      switch connection.phase {
      case .waiting: now - connection.since > self.limits.requestTime
      case .working: false
      case .answering: now - connection.since > self.limits.answerTime
      }
    }
  }

  func closeAll() { close { _, _ in true } }

  /// Shuts connections down; the library notices that, and closes their descriptors.
  private func close(_ isOver: (Connection, ContinuousClock.Instant) -> Bool) {
    state.withLock { state in
      for (descriptor, connection) in state.connections where isOver(connection, .now) {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
      }
    }
  }
}
