import Synchronization

/// One request on its way through a fetch: it waits, runs, and ends once.
///
/// All calls to the caller's receiver and completion go through here, under a lock: so that when
/// a thread is stuck in the system at the deadline, another may end its requests for it, and
/// whatever the first one does later has no effect.
final class FetchJob: Sendable {
  let request: FetchRequest
  private let makeExchange: @Sendable () -> Exchange
  private let state: Mutex<State>

  /// What the caller gave for the request, without its generic type: libcurl's callbacks are C
  /// functions, which cannot be generic.
  ///
  /// Safe to pass between threads: it never leaves `state`, whose lock is held for every call.
  private struct Exchange: @unchecked Sendable {
    let receiver: any BodyReceiver
    let complete: (FetchOutcome) -> Void
    var presumed: FetchOutcome?
  }

  private enum State {
    case waiting
    case running(Exchange)
    case done
  }

  init<R: BodyReceiver>(
    _ request: FetchRequest,
    receiver: @escaping @Sendable (FetchRequest) -> R,
    completion: @escaping @Sendable (FetchRequest, FetchOutcome, R) -> Void,
  ) {
    self.request = request
    makeExchange = {
      let made = receiver(request)
      return Exchange(receiver: made) { completion(request, $0, made) }
    }
    state = Mutex(.waiting)
  }

  /// Makes the receiver; false when the request has ended already.
  func start() -> Bool {
    state.withLock { state in
      guard case .waiting = state else { return false }
      state = .running(makeExchange())
      return true
    }
  }

  func begin(_ head: ResponseHead) {
    state.withLock { state in
      guard case .running(let exchange) = state else { return }
      exchange.receiver.begin(head)
    }
  }

  /// False when the receiver refuses more, or the request has ended already.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      guard case .running(let exchange) = state else { return false }
      return exchange.receiver.receive(bytes)
    }
  }

  /// Notes what the request has come to unless more becomes known before the run ends.
  func presume(_ outcome: FetchOutcome) {
    state.withLock { state in
      guard case .running(var exchange) = state else { return }
      exchange.presumed = outcome
      state = .running(exchange)
    }
  }

  /// Ends the request with the run, unless it has ended already.
  func end(because error: FetchError) {
    let presumed = state.withLock { state -> FetchOutcome? in
      guard case .running(let exchange) = state else { return nil }
      return exchange.presumed
    }
    complete(presumed ?? .failed(error, nil))
  }

  func complete(_ outcome: FetchOutcome) {
    state.withLock { state in
      switch state {
      case .waiting:
        makeExchange().complete(outcome.error == .deadline ? .failed(.notBegun, nil) : outcome)
      case .running(let exchange): exchange.complete(outcome)
      case .done: return
      }
      state = .done
    }
  }
}
