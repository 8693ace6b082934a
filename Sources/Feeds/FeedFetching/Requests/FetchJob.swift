import Synchronization

/// One request on its way through a fetch: it waits, runs, and ends once.
///
/// All calls to the caller's body and completion go through here, under a lock: so that when a
/// thread is stuck in the system at the deadline, another may end its requests for it, and later
/// calls by the first one have no effect.
final class FetchJob: Sendable {
  let request: FetchRequest
  private let batch: FetchBatch
  private let state = Mutex(State.waiting)
  /// The outcome that stands unless more becomes known before the run ends.
  private let presumed = Mutex<FetchOutcome?>(nil)

  private enum State {
    case waiting
    case running(ReceivedBody)
    case done
  }

  init(_ request: FetchRequest, of batch: FetchBatch) {
    (self.request, self.batch) = (request, batch)
  }

  /// Makes the body; false when the request has ended already.
  func start() -> Bool {
    state.withLock { state in
      guard case .waiting = state else { return false }
      state = .running(batch.body(request))
      return true
    }
  }

  func begin(_ head: ResponseHead) {
    take { $0.begin(head) }
  }

  /// Returns false when no more is wanted, or the request has ended already.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    take { $0.receive(bytes) } ?? false
  }

  /// Passes the body to `use` under the lock, unless the request has ended.
  @discardableResult
  func take<R: Sendable>(_ use: (ReceivedBody) -> R) -> R? {
    state.withLock { state in
      guard case .running(let body) = state else { return nil }
      return use(body)
    }
  }

  func presume(_ outcome: FetchOutcome) {
    presumed.withLock { $0 = outcome }
  }

  func end(because error: FetchError) {
    complete(presumed.withLock(\.self) ?? .failed(error, nil))
  }

  func complete(_ outcome: FetchOutcome) {
    state.withLock { state in
      switch state {
      case .waiting:
        let outcome = outcome.error == .deadline ? .failed(.notBegun, nil) : outcome
        batch.completion(request, outcome, batch.body(request))
      case .running(let body): batch.completion(request, outcome, body)
      case .done: return
      }
      state = .done
    }
  }
}
