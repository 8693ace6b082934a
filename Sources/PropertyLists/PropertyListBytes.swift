internal import Synchronization

/// Bytes that stay where they are for as long as this object lives: a mapped file, or an array.
package final class PropertyListBytes: Sendable {
  // Written once, in init; read-only memory afterwards, so sharing it between threads is safe.
  nonisolated(unsafe) package let buffer: UnsafeRawBufferPointer
  private let lastWindow = Atomic(-1)
  private let windows = Atomic(0)
  private let unload: @Sendable (UnsafeRawBufferPointer) -> Void
  private let release: @Sendable (UnsafeRawBufferPointer) -> Void

  /// What Linux brings into memory around a byte of a mapped file.
  private static let windowSize = 64 << 10
  private static let windowsUntilRelease = 64

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

  /// The bytes at a place are about to be looked at; those that were looked at a while ago may leave
  /// the memory.
  ///
  /// PERF: giving pages back and getting them again costs 80 µs, so that a pass over all bytes does
  /// it every 4 MiB, and one that goes to and fro at every 64th place.
  package func willRead(at offset: Int) {
    let window = offset / Self.windowSize
    guard window != lastWindow.load(ordering: .relaxed) else { return }
    lastWindow.store(window, ordering: .relaxed)
    // Not exact where threads look at once, and need not be.
    let count = windows.load(ordering: .relaxed) &+ 1
    windows.store(count, ordering: .relaxed)
    if count % Self.windowsUntilRelease == 0 { releasePages() }
  }

  /// The bytes that were looked at so far will not be soon again: their memory may go.
  package func releasePages() {
    unload(buffer)
  }

  deinit {
    release(buffer)
  }
}
