internal import CZlib

package enum Compressor {
  /// Returns the bytes as gzip (RFC 1952); nil where zlib is missing, and for more than it takes at
  /// once.
  package static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    guard Decompressor.fault == nil, bytes.count < 1 << 30 else { return nil }
    // Bytes that do not become shorter take five more for each 16 KiB, and the format takes 18.
    let room = bytes.count + bytes.count >> 10 + 64
    return bytes.withUnsafeBufferPointer { input in
      withUnsafeTemporaryAllocation(of: czlib_stream.self, capacity: 1) { stream in
        stream.initialize(repeating: czlib_stream())
        guard let stream = stream.baseAddress, czlib_start_deflating(stream) == CZLIB_OK else {
          return nil
        }
        defer { czlib_end_deflating(stream) }
        var isWhole = false
        let output = [UInt8](unsafeUninitializedCapacity: room) { output, count in
          (stream.pointee.next_in, stream.pointee.avail_in) = (
            input.baseAddress, UInt32(input.count),
          )
          (stream.pointee.next_out, stream.pointee.avail_out) = (output.baseAddress, UInt32(room))
          isWhole = Int(czlib_deflate(stream)) == CZLIB_STREAM_END
          count = room - Int(stream.pointee.avail_out)
        }
        return isWhole ? output : nil
      }
    }
  }
}
