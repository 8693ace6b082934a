/// Gathers what a stage hands on from one chunk.
///
/// Bytes that stay as they are go to the sink without a copy while nothing in the chunk had to be
/// changed; after a change the rest is gathered, so that a chunk with many changes is still one call.
struct RunWriter {
  private var buffer: [UInt8] = []

  /// Flushing at this size bounds what a chunk full of repairs can hold.
  private static let flushSize = 64 << 10

  /// Adds bytes, as they are, before a change.
  mutating func append(
    _ bytes: UnsafeRawBufferPointer,
    in range: Range<Int>,
  ) {
    if !range.isEmpty { buffer.append(contentsOf: bytes[range]) }
  }

  mutating func append(_ bytes: some Sequence<UInt8>) {
    buffer.append(contentsOf: bytes)
  }

  mutating func append(_ byte: UInt8) {
    buffer.append(byte)
  }

  /// Adds a character in UTF-8.
  mutating func append(codePoint: UInt32) {
    buffer.append(codePoint: codePoint)
  }

  /// Hands on what was gathered when it has become much.
  mutating func flushIfLarge(into sink: ByteSink) throws(FeedParsingError) {
    if buffer.count >= Self.flushSize { try flush(into: sink) }
  }

  /// Hands on what was gathered, and after it the chunk's last untouched bytes.
  mutating func flush(
    then bytes: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
    in range: Range<Int> = 0..<0,
    into sink: ByteSink,
  ) throws(FeedParsingError) {
    if buffer.isEmpty {
      if !range.isEmpty { try sink(UnsafeRawBufferPointer(rebasing: bytes[range])) }
      return
    }
    append(bytes, in: range)
    try buffer.withRawBytes(sink)
    buffer.removeAll(keepingCapacity: true)
  }
}

extension [UInt8] {
  /// `withUnsafeBytes` with a typed error.
  func withRawBytes(_ body: ByteSink) throws(FeedParsingError) {
    let result = withUnsafeBytes { bytes in
      Result { () throws(FeedParsingError) in try body(bytes) }
    }
    try result.get()
  }
}
