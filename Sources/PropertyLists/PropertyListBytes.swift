internal import Synchronization

/// Bytes that stay where they are for as long as this object lives: a mapped file, or an array.
package final class PropertyListBytes: Sendable {
  // Written once, in init; read-only memory afterwards, so sharing it between threads is safe.
  nonisolated(unsafe) package let buffer: UnsafeRawBufferPointer
  private let looks = Atomic(0)
  private let unload: @Sendable (UnsafeRawBufferPointer) -> Void
  private let release: @Sendable (UnsafeRawBufferPointer) -> Void

  /// Each look brings 64 KiB or more of a file into memory.
  private static let looksUntilRest = 64

  /// Takes memory over.
  ///
  /// - Parameters:
  ///   - buffer: the memory.
  ///   - unload: may give back what the bytes take, if they can be had again by looking at them.
  ///   - release: is called once, when nobody needs them any more.
  package init(
    _ buffer: UnsafeRawBufferPointer,
    unload: @escaping @Sendable (UnsafeRawBufferPointer) -> Void = { _ in },
    release: @escaping @Sendable (UnsafeRawBufferPointer) -> Void,
  ) {
    self.buffer = buffer
    self.unload = unload
    self.release = release
  }

  /// Copies an array.
  package convenience init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    copy.copyBytes(from: bytes)
    self.init(UnsafeRawBufferPointer(copy)) { $0.deallocate() }
  }

  /// A place was looked at that has nothing to do with the last one; after some hundred of them
  /// their memory may go.
  package func look() {
    // Not exact where threads look at once, and need not be.
    let count = looks.load(ordering: .relaxed) &+ 1
    looks.store(count, ordering: .relaxed)
    if count % Self.looksUntilRest == 0 { rest() }
  }

  /// The bytes that were looked at so far will not be soon again: their memory may go.
  ///
  /// For whoever goes through a large file: what it has left behind need not stay in memory.
  package func rest() {
    unload(buffer)
  }

  deinit {
    release(buffer)
  }
}
