import Synchronization

/// One request on its way through a fetch: it waits, runs, and ends once.
///
/// All calls to the caller's body and completion go through here, under a lock: so that when a
/// thread is stuck in the system at the deadline, another may end its requests for it, and later
/// calls by the first one have no effect.
final class FetchJob: Sendable {
  let request: FetchRequest
  private let batch: FetchBatch
  private let state: Mutex<State>

  private struct Exchange {
    let body: ReceivedBody
    var presumed: FetchOutcome?
  }

  private enum State {
    case waiting
    case running(Exchange)
    case done
  }

  init(_ request: FetchRequest, of batch: FetchBatch) {
    (self.request, self.batch) = (request, batch)
    state = Mutex(.waiting)
  }

  /// Makes the body; false when the request has ended already.
  func start() -> Bool {
    state.withLock { state in
      guard case .waiting = state else { return false }
      state = .running(Exchange(body: batch.body(request)))
      return true
    }
  }

  func begin(_ head: ResponseHead) {
    state.withLock { state in
      guard case .running(let exchange) = state else { return }
      exchange.body.begin(head)
    }
  }

  /// Returns false when no more is wanted, or the request has ended already.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      guard case .running(let exchange) = state else { return false }
      return exchange.body.receive(bytes)
    }
  }

  /// Passes the body to `use` under the lock, unless the request has ended.
  func take(_ use: (ReceivedBody) -> Void) {
    state.withLock { state in
      guard case .running(let exchange) = state else { return }
      use(exchange.body)
    }
  }

  /// Notes an outcome that stands unless more becomes known before the run ends.
  func presume(_ outcome: FetchOutcome) {
    state.withLock { state in
      guard case .running(var exchange) = state else { return }
      exchange.presumed = outcome
      state = .running(exchange)
    }
  }

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
        let outcome = outcome.error == .deadline ? .failed(.notBegun, nil) : outcome
        batch.completion(request, outcome, batch.body(request))
      case .running(let exchange): batch.completion(request, outcome, exchange.body)
      case .done: return
      }
      state = .done
    }
  }
}
