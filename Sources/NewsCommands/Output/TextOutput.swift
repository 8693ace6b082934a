/// A stream of text that is buffered, and whose write errors are kept and not lost.
///
/// After a failure it takes everything and writes nothing: commands check `hasFailed` in long
/// loops, and `NewsCommand` looks at `failure` at the end.
package final class TextOutput {
  private var buffer: [UInt8] = []
  private let capacity: Int
  private let write: (UnsafeRawBufferPointer) -> Int32
  /// The `errno` of the first write that failed; 0 while none has.
  package private(set) var failure: Int32 = 0

  /// - Parameters:
  ///   - capacity: bytes that are collected before they are written; 0 writes at once.
  ///   - write: takes all bytes, and answers 0 or an `errno`.
  package init(capacity: Int = 65_536, write: @escaping (UnsafeRawBufferPointer) -> Int32) {
    self.capacity = capacity
    self.write = write
  }

  /// A stream on an open descriptor.
  package static func descriptor(_ number: Int32, capacity: Int = 65_536) -> TextOutput {
    TextOutput(capacity: capacity) { SystemCalls.write($0, to: number) }
  }

  package var hasFailed: Bool {
    failure != 0
  }

  /// Whether the reader went away, which is no fault of ours.
  package var isClosedByReader: Bool {
    SystemCalls.isClosedPipe(failure)
  }

  package func print(_ text: String) {
    guard !hasFailed else { return }
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= capacity { flush() }
  }

  package func printLine(_ text: String = "") {
    print(text + "\n")
  }

  /// Hands over what is buffered.
  package func flush() {
    guard !buffer.isEmpty, !hasFailed else { return }
    failure = buffer.withUnsafeBytes(write)
    buffer.removeAll(keepingCapacity: true)
  }
}
