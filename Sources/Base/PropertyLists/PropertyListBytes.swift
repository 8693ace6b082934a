internal import Synchronization

/// Bytes that stay where they are for as long as this object lives: a mapped file, or an array.
package final class PropertyListBytes: Sendable {
  // Written once, in init; read-only memory afterwards, so sharing it between threads is safe.
  nonisolated(unsafe) package let buffer: UnsafeRawBufferPointer
  private let lastWindow = Atomic(-1)
  private let windows = Atomic(0)
  private let unload: @Sendable (UnsafeRawBufferPointer) -> Void
  private let release: @Sendable (UnsafeRawBufferPointer) -> Void

  /// The size of the part that Linux brings into memory around a byte of a mapped file.
  private static let windowSize = 64 << 10
  private static let windowsUntilRelease = 64

  /// Takes over memory that `release` frees.
  ///
  /// `unload` may give back the memory of bytes that can be had again by looking at them.
  package init(
    _ buffer: UnsafeRawBufferPointer,
    unload: @escaping @Sendable (UnsafeRawBufferPointer) -> Void = { _ in },
    release: @escaping @Sendable (UnsafeRawBufferPointer) -> Void,
  ) {
    self.buffer = buffer
    self.unload = unload
    self.release = release
  }

  package convenience init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    copy.copyBytes(from: bytes)
    self.init(UnsafeRawBufferPointer(copy)) { $0.deallocate() }
  }

  /// Notes that the bytes at a place are about to be read; those read a while ago may leave the
  /// memory.
  ///
  /// PERF: giving pages back and getting them again costs 80 µs, so that a pass over all bytes does
  /// it every 4 MiB, and one that goes to and fro at every 64th place.
  package func willRead(at offset: Int) {
    let window = offset / Self.windowSize
    guard window != lastWindow.load(ordering: .relaxed) else { return }
    lastWindow.store(window, ordering: .relaxed)
    // Not exact where threads read at once, and need not be.
    let count = windows.load(ordering: .relaxed) &+ 1
    windows.store(count, ordering: .relaxed)
    if count % Self.windowsUntilRelease == 0 { releasePages() }
  }

  package func releasePages() {
    unload(buffer)
  }

  deinit {
    release(buffer)
  }
}
