import Synchronization
internal import System

/// A buffered stream of text that keeps its first write error.
///
/// After a failure it takes everything and writes nothing: commands check `hasFailed` in long
/// loops, and `NewsCommand` looks at `failure` at the end. Threads may share it: a fetch reports
/// its progress on its own threads.
package final class TextOutput: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    var failure: Int32 = 0
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let write: @Sendable (UnsafeRawBufferPointer) -> Int32

  /// - Parameters:
  ///   - capacity: The bytes that are collected for each write; 0 writes at once.
  ///   - write: Writes all bytes and returns 0 or an `errno`.
  package init(
    capacity: Int = 65_536,
    write: @escaping @Sendable (UnsafeRawBufferPointer) -> Int32,
  ) {
    self.capacity = capacity
    self.write = write
  }

  package static func descriptor(_ number: Int32, capacity: Int = 65_536) -> TextOutput {
    TextOutput(capacity: capacity) { POSIX.writeAll($0, to: number) }
  }

  package var failure: Int32 {
    state.withLock(\.failure)
  }

  package var hasFailed: Bool {
    failure != 0
  }

  /// True where everything was written, as far as anybody read: a closed pipe is no fault of ours.
  package var isSound: Bool {
    failure == 0 || failure == EPIPE
  }

  package func print(_ text: String) { print { $0 += text.utf8 } }

  package func printLine(_ text: String = "") {
    print { output in
      output += text.utf8
      output.append(0x0A)
    }
  }

  /// Prints what `body` appends, which has to be UTF-8.
  package func print(_ body: (_ output: inout [UInt8]) -> Void) {
    state.withLock { state in
      guard state.failure == 0 else { return }
      body(&state.buffer)
      if state.buffer.count >= capacity { flush(&state) }
    }
  }

  package func printFields(_ fields: [String], style: FieldLine.Styling? = nil) {
    printFields(style: style) { line in
      for field in fields { line.append(field) }
    }
  }

  /// Prints a line of the fields that `body` appends; it must not print.
  package func printFields(style: FieldLine.Styling? = nil, _ body: (inout FieldLine) -> Void) {
    print { output in
      var line = FieldLine(style)
      swap(&line.bytes, &output)
      body(&line)
      swap(&line.bytes, &output)
      output.append(0x0A)
    }
  }

  package func flush() {
    state.withLock { flush(&$0) }
  }

  private func flush(_ state: inout State) {
    guard !state.buffer.isEmpty, state.failure == 0 else { return }
    state.failure = state.buffer.withUnsafeBytes(write)
    state.buffer.removeAll(keepingCapacity: true)
  }
}
