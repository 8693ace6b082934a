internal import CZlib
internal import System

/// Inflates what was handed over compressed by a server that does not say so.
///
/// Checksums decide nothing: a damaged document shows in its markup, and what can be read of it is
/// to be read.
struct Inflater: ~Copyable {
  struct Document {
    var bytes: [UInt8] = []
    var notes: [String] = []
  }

  private static let pieceSize = 64 << 10

  private var stream = czlib_stream()

  static func inflate(
    _ bytes: UnsafeRawBufferPointer,
    maximumBytes: Int,
  ) throws(FeedParsingError) -> Document? {
    guard let format = format(of: bytes) else { return nil }
    if let reason = czlib_load() { throw .library(LibraryFault(.zlib, String(cString: reason))) }
    var inflater = Inflater()
    var document = Document(notes: ["handed over compressed with \(format)"])
    let end = try inflater.run(bytes, into: &document.bytes, maximumBytes: maximumBytes)
    if let end { document.notes.append("the compressed data are \(end)") }
    return document
  }

  private static func format(of bytes: UnsafeRawBufferPointer) -> String? {
    if bytes.starts(with: [0x1F, 0x8B, 0x08]) { return "gzip" }
    guard bytes.count >= 3, bytes[0] == 0x78 else { return nil }
    return [0x01, 0x5E, 0x9C, 0xDA].contains(bytes[1]) ? "zlib" : nil
  }

  /// Inflates as far as it goes; answers what is wrong with the data, or nil.
  private mutating func run(
    _ bytes: UnsafeRawBufferPointer,
    into output: inout [UInt8],
    maximumBytes: Int,
  ) throws(FeedParsingError) -> String? {
    guard czlib_start(&stream) == CZLIB_OK else { return "damaged" }
    defer { czlib_end(&stream) }
    stream.next_in = bytes.bindMemory(to: UInt8.self).baseAddress
    stream.avail_in = UInt32(clamping: bytes.count)
    while true {
      let before = output.count
      let status = inflatePiece(into: &output)
      guard output.count <= maximumBytes else {
        throw .limitExceeded(name: "decoded bytes", limit: maximumBytes)
      }
      if status == CZLIB_STREAM_END {
        // A gzip file may have several members (RFC 1952 §2.2); what else follows is none of it.
        guard stream.avail_in > 1, stream.next_in?[0] == 0x1F, stream.next_in?[1] == 0x8B,
          czlib_restart(&stream) == CZLIB_OK
        else { return nil }
      } else if stream.avail_in == 0, output.count - before < Self.pieceSize {
        return "cut off"
      } else if status != CZLIB_OK {
        return "damaged"
      }
    }
  }

  private mutating func inflatePiece(into output: inout [UInt8]) -> Int32 {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.pieceSize) { room in
      stream.next_out = room.baseAddress
      stream.avail_out = UInt32(room.count)
      let status = czlib_inflate(&stream)
      output.append(contentsOf: room[..<(room.count - Int(stream.avail_out))])
      return status
    }
  }
}
