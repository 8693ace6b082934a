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

  /// Prints fields as a line, separated by tabs, uncut; `SafeText` makes spaces of tabs and line
  /// breaks in them.
  ///
  /// `style` is called with the index and the clean text of each field.
  package func printFields(
    _ fields: [String],
    style: ((_ index: Int, _ text: String) -> String)? = nil,
  ) {
    print { output in
      for (index, field) in fields.enumerated() {
        if index > 0 { output.append(0x09) }
        if let style {
          output += style(index, SafeText.line(field)).utf8
        } else {
          SafeText.append(line: field, to: &output)
        }
      }
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
