internal import CZlib
package import System

/// The decompression of gzip (RFC 1952) and zlib (RFC 1950), whichever the bytes are.
package enum Decompressor {
  package enum End: Sendable {
    case whole
    case cutOff
    case damaged
    /// `sink` returned false.
    case stopped
  }

  package static var fault: LibraryFault? { LibraryFault(.zlib, loading: czlib_load()) }

  private static let mark: [UInt8] = [0x1F, 0x8B]
  private static let pieceSize = 16 << 10

  /// Decompresses all members that follow one another (RFC 1952 §2.2), and nothing behind the last.
  package static func decompress(
    _ bytes: UnsafeRawBufferPointer,
    into sink: (UnsafeRawBufferPointer) -> Bool,
  ) throws(LibraryFault) -> End {
    if let fault { throw fault }
    var rest = bytes
    while true {
      let end = decompressMember(&rest, into: sink)
      guard end == .whole, rest.starts(with: mark) else { return end }
    }
  }

  private static func decompressMember(
    _ input: inout UnsafeRawBufferPointer,
    into sink: (UnsafeRawBufferPointer) -> Bool,
  ) -> End {
    // At a fixed address, which zlib compares with that of the start.
    withUnsafeTemporaryAllocation(of: czlib_stream.self, capacity: 1) { stream in
      stream.initialize(repeating: czlib_stream())
      guard let stream = stream.baseAddress, czlib_start(stream) == CZLIB_OK else {
        return .damaged
      }
      defer { czlib_end(stream) }
      return withUnsafeTemporaryAllocation(byteCount: pieceSize, alignment: 1) { room in
        while true {
          let (count, end) = inflate(stream, &input, into: room)
          let output = UnsafeRawBufferPointer(rebasing: room[..<count])
          if count > 0, !sink(output) { return .stopped }
          if let end { return end }
          if input.isEmpty, count < room.count { return .cutOff }
        }
      }
    }
  }

  /// Fills the room as far as the input goes, and removes what it used from the input.
  ///
  /// - Returns: the bytes written, and the end where it can do no more.
  private static func inflate(
    _ stream: UnsafeMutablePointer<czlib_stream>,
    _ input: inout UnsafeRawBufferPointer,
    into room: UnsafeMutableRawBufferPointer,
  ) -> (count: Int, end: End?) {
    let part = input.prefix(1 << 30)
    stream.pointee.next_in =
      UnsafeRawBufferPointer(rebasing: part)
      .bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_in = UInt32(part.count)
    stream.pointee.next_out = room.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_out = UInt32(room.count)
    let status = Int(czlib_inflate(stream))
    let used = part.count - Int(stream.pointee.avail_in)
    input = UnsafeRawBufferPointer(rebasing: input.dropFirst(used))
    let count = room.count - Int(stream.pointee.avail_out)
    return switch status {
    case CZLIB_STREAM_END: (count, .whole)
    // zlib reports an error when it has no bytes to read.
    case CZLIB_OK, CZLIB_BUFFER_ERROR: (count, nil)
    default: (count, .damaged)
    }
  }
}
