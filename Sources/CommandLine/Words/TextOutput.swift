import Synchronization
internal import System

/// A stream of text that is buffered, and whose write errors are kept and not lost.
///
/// After a failure it takes everything and writes nothing: commands check `hasFailed` in long
/// loops, and `NewsCommand` looks at `failure` at the end. Threads may share it: the progress of a
/// fetch is told on the fetch's threads.
package final class TextOutput: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    var failure: Int32 = 0
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let write: @Sendable (UnsafeRawBufferPointer) -> Int32

  /// A stream that hands its bytes to `write`, which takes all of them and answers 0 or an `errno`.
  ///
  /// So many bytes are collected before they are handed over; 0 hands over at once.
  package init(
    capacity: Int = 65_536,
    write: @escaping @Sendable (UnsafeRawBufferPointer) -> Int32,
  ) {
    self.capacity = capacity
    self.write = write
  }

  /// A stream on an open descriptor.
  package static func descriptor(_ number: Int32, capacity: Int = 65_536) -> TextOutput {
    TextOutput(capacity: capacity) { POSIX.writeAll($0, to: number) }
  }

  /// The `errno` of the first write that failed; 0 while none has.
  package var failure: Int32 {
    state.withLock(\.failure)
  }

  package var hasFailed: Bool {
    failure != 0
  }

  /// Whether everything was written, as far as anybody read: a closed pipe is no fault of ours.
  package var hasReader: Bool {
    failure == 0 || failure == EPIPE
  }

  package func print(_ text: String) {
    state.withLock { state in
      guard state.failure == 0 else { return }
      state.buffer.append(contentsOf: text.utf8)
      if state.buffer.count >= capacity { flush(&state) }
    }
  }

  package func printLine(_ text: String = "") {
    print(text + "\n")
  }

  /// Hands over what is buffered.
  package func flush() {
    state.withLock { flush(&$0) }
  }

  private func flush(_ state: inout State) {
    guard !state.buffer.isEmpty, state.failure == 0 else { return }
    state.failure = state.buffer.withUnsafeBytes(write)
    state.buffer.removeAll(keepingCapacity: true)
  }
}

/// Lines for programs: tab-separated, never cut.
package enum TabSeparated {
  /// Fields that hold no tab and no line break, since `SafeText` has made spaces of them.
  ///
  /// `dress` is given a field by its place, when it is clean.
  package static func line(
    _ fields: [String],
    style: ((_ index: Int, _ text: String) -> String)? = nil,
  ) -> String {
    var clean = fields.map { SafeText.line($0) }
    if let style {
      for index in clean.indices { clean[index] = style(index, clean[index]) }
    }
    return clean.joined(separator: "\t")
  }
}
