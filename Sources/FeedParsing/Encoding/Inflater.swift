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
    let progress = try decompressor(format)?.decompress(bytes) { piece in
      document.bytes += piece
      return document.bytes.count <= maximumBytes
    }
    switch progress {
    case .stopped: throw .limitExceeded(name: "decoded bytes", limit: maximumBytes)
    case .wantsMore: document.notes.append("the compressed data are cut off")
    case .damaged, nil: document.notes.append("the compressed data are damaged")
    case .ended: break
    }
    return document
  }

  private static func decompressor(
    _ format: Compression
  ) throws(FeedParsingError) -> Decompressor? {
    do throws(LibraryFault) {
      return try Decompressor(format)
    } catch {
      throw .library(error)
    }
  }

  private static func format(of bytes: UnsafeRawBufferPointer) -> Compression? {
    if bytes.starts(with: [0x1F, 0x8B, 0x08]) { return .gzip }
    guard bytes.count >= 3, bytes[0] == 0x78 else { return nil }
    return [0x01, 0x5E, 0x9C, 0xDA].contains(bytes[1]) ? .zlib : nil
  }
}
