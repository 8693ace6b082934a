import Synchronization

/// Ends a fetch from outside, such as on Ctrl-C.
///
/// A pipe that becomes readable for good, so that every thread that waits for the network is woken,
/// however often and from wherever it is set.
package final class FetchCancellation: Sendable {
  private let pipe: SystemPipe?
  private let flag = Atomic<Bool>(false)

  package init() {
    pipe = SystemPipe()
  }

  /// A descriptor for signal handlers: one byte written to it cancels.
  ///
  /// Nothing but `write` is needed, which is async-signal-safe; nil when no pipe could be made
  /// (no descriptors left). Valid as long as this object.
  package var signalDescriptor: Int32? { pipe?.writeEnd }

  /// Cancels, from any thread; again is harmless.
  package func cancel() {
    flag.store(true, ordering: .releasing)
    pipe?.write()
  }

  /// Whether it was cancelled.
  package var isCancelled: Bool {
    if flag.load(ordering: .acquiring) { return true }
    guard let pipe, pipe.isReadable else { return false }
    flag.store(true, ordering: .releasing)
    return true
  }

  /// Readable once it was cancelled.
  var descriptor: Int32? { pipe?.readEnd }
}
