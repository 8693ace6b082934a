package import System

/// A format of compressed bytes: RFC 1952, 1950, 1951 (without a header), 7932 and 8878.
package enum Compression: Sendable {
  case gzip
  case zlib
  case deflate
  case brotli
  case zstd

  package func load() throws(LibraryFault) {
    switch self {
    case .gzip, .zlib, .deflate: try ZlibStream.load()
    case .brotli: try BrotliStream.load()
    case .zstd: try ZstdStream.load()
    }
  }

  /// The bytes with which a stream surely begins, also one that follows another; empty for formats
  /// without any.
  package var mark: [UInt8] {
    switch self {
    case .gzip: [0x1F, 0x8B]
    case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
    case .zlib, .deflate, .brotli: []
    }
  }

  func stream() throws(LibraryFault) -> (any CompressedStream)? {
    try load()
    return switch self {
    case .gzip, .zlib: ZlibStream(hasHeader: true)
    case .deflate: ZlibStream(hasHeader: false)
    case .brotli: BrotliStream()
    case .zstd: ZstdStream()
    }
  }
}

/// Decompresses bytes as they come: all streams that follow one another (RFC 1952 §2.2), and
/// nothing behind the last.
package final class Decompressor {
  package enum Progress: Sendable {
    case wantsMore
    /// The bytes so far are complete.
    case ended
    case damaged
    /// `sink` returned false.
    case stopped
  }

  private let compression: Compression
  private var stream: any CompressedStream
  /// The first bytes behind the end of a stream.
  private var following: [UInt8]?
  private var isOver = false

  /// Small, so that `sink` can look at the clock between two pieces.
  private static let pieceSize = 16 << 10

  /// Opens a first stream; nil where there is no memory for it.
  package init?(_ compression: Compression) throws(LibraryFault) {
    guard let stream = try compression.stream() else { return nil }
    (self.compression, self.stream) = (compression, stream)
  }

  package func decompress(
    _ bytes: UnsafeRawBufferPointer,
    into sink: (UnsafeRawBufferPointer) -> Bool,
  ) -> Progress {
    var input = bytes
    while true {
      if isOver { return .ended }
      if following != nil {
        guard let start = nextStart(&input) else { return .ended }
        let progress = start.withUnsafeBytes { bytes in
          var start = bytes
          return run(&start, into: sink)
        }
        guard progress == .wantsMore else { return progress }
      }
      let progress = run(&input, into: sink)
      guard progress == .ended else { return progress }
      (following, isOver) = ([], compression.mark.isEmpty)
    }
  }

  /// Returns the first bytes of another stream once they have come.
  private func nextStart(_ input: inout UnsafeRawBufferPointer) -> [UInt8]? {
    let mark = compression.mark
    let part = input.prefix(mark.count - (following?.count ?? 0))
    let start = (following ?? []) + part
    input = UnsafeRawBufferPointer(rebasing: input.dropFirst(part.count))
    following = start
    guard start.count == mark.count else { return nil }
    guard start == mark, let next = try? compression.stream() else {
      isOver = true
      return nil
    }
    (stream, following) = (next, nil)
    return start
  }

  private func run(
    _ input: inout UnsafeRawBufferPointer,
    into sink: (UnsafeRawBufferPointer) -> Bool,
  ) -> Progress {
    withUnsafeTemporaryAllocation(byteCount: Self.pieceSize, alignment: 1) { room in
      while true {
        let (count, progress) = stream.decompress(&input, into: room)
        let output = UnsafeRawBufferPointer(rebasing: room[..<count])
        if count > 0, !sink(output) { return .stopped }
        if progress != .wantsMore || input.isEmpty && count < room.count { return progress }
      }
    }
  }
}
