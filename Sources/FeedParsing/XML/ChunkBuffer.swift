/// Cuts a stream of bytes at fixed places, however it arrives.
///
/// libxml2 sees the same chunks whatever the network's were, so that a broken document is recovered
/// in the same way each time; and never a chunk too small to be worth a call.
struct ChunkBuffer {
  /// Measured: libxml2 is fastest between 16 and 64 KiB.
  private static let size = 32 << 10
  private let pending = TextBuffer(capacity: size)

  func append(
    _ bytes: UnsafeRawBufferPointer,
    into sink: ByteSink,
  ) throws(FeedParsingError) {
    var start = 0
    if pending.count > 0 {
      start = min(Self.size - pending.count, bytes.count)
      keep(bytes[..<start])
      guard pending.count == Self.size else { return }
      try finish(into: sink)
    }
    while bytes.count - start >= Self.size {
      try sink(UnsafeRawBufferPointer(rebasing: bytes[start..<start + Self.size]))
      start += Self.size
    }
    keep(bytes[start...])
  }

  /// Hands on what is left.
  func finish(into sink: ByteSink) throws(FeedParsingError) {
    guard pending.count > 0 else { return }
    let all = pending.bytes(TextSpan(start: 0, end: pending.count))
    pending.truncate(to: 0)
    try sink(UnsafeRawBufferPointer(all))
  }

  private func keep(_ bytes: Slice<UnsafeRawBufferPointer>) {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    pending.append(bytes.bindMemory(to: UInt8.self))
  }
}
