import Decompression
internal import System

/// The decompression of documents whose server does not say that they are compressed.
///
/// Checksums decide nothing: a damaged document shows in its markup, and what can be read of it is
/// to be read.
enum Inflater {
  struct Document {
    var bytes: [UInt8] = []
    var notes: [String] = []
  }

  static func inflate(
    _ bytes: UnsafeRawBufferPointer,
    maximumBytes: Int,
  ) throws(FeedParsingError) -> Document? {
    guard let format = format(of: bytes) else { return nil }
    var document = Document(notes: ["handed over compressed with \(format)"])
    switch try end(of: bytes, &document.bytes, maximumBytes) {
    case .stopped: throw .limitExceeded(name: "decoded bytes", limit: maximumBytes)
    case .cutOff: document.notes.append("the compressed data are cut off")
    case .damaged: document.notes.append("the compressed data are damaged")
    case .whole: break
    }
    return document
  }

  private static func end(
    of bytes: UnsafeRawBufferPointer,
    _ output: inout [UInt8],
    _ maximumBytes: Int,
  ) throws(FeedParsingError) -> Decompressor.End {
    do throws(LibraryFault) {
      return try Decompressor.decompress(bytes) { piece in
        output += piece
        return output.count <= maximumBytes
      }
    } catch {
      throw .library(error)
    }
  }

  private static func format(of bytes: UnsafeRawBufferPointer) -> String? {
    if bytes.starts(with: [0x1F, 0x8B, 0x08]) { return "gzip" }
    guard bytes.count >= 3, bytes[0] == 0x78 else { return nil }
    return [0x01, 0x5E, 0x9C, 0xDA].contains(bytes[1]) ? "zlib" : nil
  }
}
