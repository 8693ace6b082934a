/// Ends a fetch from outside, such as on Ctrl-C.
///
/// A pipe that becomes readable for good, so that every thread that waits for the network is woken,
/// however often and from wherever it is written to.
package final class FetchCancellation: Sendable {
  private let pipe: SystemPipe?

  package init() {
    pipe = SystemPipe()
  }

  /// A descriptor for signal handlers: one byte written to it cancels, once and for all.
  ///
  /// Nothing but `write` is needed, which is async-signal-safe; nil when no pipe could be made
  /// (no descriptors left). Valid as long as this object.
  package var signalDescriptor: Int32? { pipe?.writeEnd }

  /// Whether it was cancelled.
  package var isCancelled: Bool {
    pipe?.isReadable ?? false
  }

  /// Readable once it was cancelled.
  package var descriptor: Int32? { pipe?.readEnd }
}
