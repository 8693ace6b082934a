#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Gathers what a stage hands on from one chunk.
///
/// Bytes that stay as they are go to the sink without a copy while nothing in the chunk had to be
/// changed; after a change the rest is gathered, so that a chunk with many changes is still one call.
struct RunWriter {
  private let buffer = TextBuffer()

  /// Flushing at this size bounds what a chunk full of repairs can hold.
  private static let flushSize = 64 << 10

  /// Adds bytes, as they are, before a change.
  @inline(__always)
  func append(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
    guard !range.isEmpty else { return }
    append(UnsafeRawBufferPointer(rebasing: bytes[range]))
  }

  @inline(__always)
  func append(_ bytes: UnsafeRawBufferPointer) {
    buffer.append(bytes.bindMemory(to: UInt8.self))
  }

  @inline(__always)
  func append(_ text: StaticString) {
    buffer.append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Adds a CDATA section of a mark and line feeds.
  ///
  /// PERF: for each text of a document.
  @inline(__always)
  func appendSection(_ mark: UInt8, lines: Int) {
    buffer.append(atMost: lines &+ 13) { output in
      memcpy(output, "<![CDATA[", 9)
      output[9] = mark
      if lines > 0 { memset(output + 10, 0x0A, lines) }
      memcpy(output + 10 + lines, "]]>", 3)
      return lines &+ 13
    }
  }

  func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { buffer.append($0) }
  }

  func append(_ byte: UInt8) {
    buffer.append(byte)
  }

  /// Adds a character in UTF-8.
  func append(codePoint: UInt32) {
    var bytes: [UInt8] = []
    bytes.append(codePoint: codePoint)
    append(bytes)
  }

  /// Hands on what was gathered when it has become much.
  func flushIfLarge(into sink: ByteSink) throws(FeedParsingError) {
    if buffer.count >= Self.flushSize { try flush(into: sink) }
  }

  /// Hands on what was gathered, and after it the chunk's last untouched bytes.
  func flush(
    then bytes: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
    in range: Range<Int> = 0..<0,
    into sink: ByteSink,
  ) throws(FeedParsingError) {
    if buffer.count == 0 {
      if !range.isEmpty { try sink(UnsafeRawBufferPointer(rebasing: bytes[range])) }
      return
    }
    append(bytes, in: range)
    defer { buffer.truncate(to: 0) }
    try sink(UnsafeRawBufferPointer(buffer.bytes(TextSpan(start: 0, end: buffer.count))))
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
