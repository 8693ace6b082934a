internal import Synchronization
internal import System

/// The connections of a server, each with the time that it has for what it does.
///
/// libmicrohttpd ends those that have sent no byte for a while; one that sends a byte now and then
/// would keep its place for ever. Whoever holds many without a token takes the places of others
/// who do, and of no app that has logged in.
final class HTTPConnections: Sendable {
  private struct Connection: Sendable {
    let begun = ContinuousClock.now
    /// True once it has shown a valid token.
    var isKnown = false
    /// The time at which it is shut down, if it has done nothing else by then.
    var end: ContinuousClock.Instant?
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
      state.connections[descriptor] = Connection(end: .now + limits.strangerHeadTime)
      state.lastAsked = .now
      makeRoom(&state)
      return state.connections.count == 1
    }
    if isFirst { event.happen() }
  }

  private func makeRoom(_ state: inout State) {
    guard state.connections.count > limits.connections else { return }
    let strangers = state.connections.filter { !$0.value.isKnown }
    if let oldest = strangers.min(by: { $0.value.begun < $1.value.begun }) {
      Self.end(oldest.key, &state)
    }
  }

  /// Removes a connection; to be called before the descriptor is closed, since another may get its
  /// number then.
  func remove(_ descriptor: Int32) {
    state.withLock { state in
      state.connections[descriptor] = nil
      state.lastAsked = .now
    }
  }

  /// Lets a connection take so long for what it does next, or as long as it likes for nil; one that
  /// has shown no token may have another time.
  func allow(_ time: Duration?, stranger: Duration? = nil, _ descriptor: Int32) {
    state.withLock { state in
      guard let connection = state.connections[descriptor] else { return }
      let time = connection.isKnown ? time : stranger ?? time
      state.connections[descriptor]?.end = time.map { .now + $0 }
      state.lastAsked = .now
    }
  }

  /// Keeps the place of a connection that has shown a valid token.
  func noteKnown(_ descriptor: Int32) {
    state.withLock { $0.connections[descriptor]?.isKnown = true }
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

  func closeOverdue() { close { $0.end.map { $0 < .now } ?? false } }

  func closeAll() { close { _ in true } }

  private func close(_ isOver: (Connection) -> Bool) {
    state.withLock { state in
      for (descriptor, connection) in state.connections where isOver(connection) {
        Self.end(descriptor, &state)
      }
    }
  }

  /// Shuts a connection down; the library notices that, and closes its descriptor.
  private static func end(_ descriptor: Int32, _ state: inout State) {
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    state.connections[descriptor] = nil
  }
}
