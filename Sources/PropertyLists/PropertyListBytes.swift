/// Bytes that stay where they are for as long as this object lives: a mapped file, or an array.
package final class PropertyListBytes: Sendable {
  // Written once, in init; read-only memory afterwards, so sharing it between threads is safe.
  nonisolated(unsafe) package let buffer: UnsafeRawBufferPointer
  private let release: @Sendable (UnsafeRawBufferPointer) -> Void

  /// Takes memory over; `release` is called once, when nobody needs it any more.
  package init(
    _ buffer: UnsafeRawBufferPointer,
    release: @escaping @Sendable (UnsafeRawBufferPointer) -> Void,
  ) {
    self.buffer = buffer
    self.release = release
  }

  /// Copies an array.
  package convenience init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    copy.copyBytes(from: bytes)
    self.init(UnsafeRawBufferPointer(copy)) { $0.deallocate() }
  }

  deinit {
    release(buffer)
  }
}
