internal import CBrotli
internal import CZlib
internal import CZstd
import System

protocol CompressedStream: AnyObject {
  /// Fills the room as far as the input goes, and removes what it used from the input.
  ///
  /// - Returns: the bytes written, and `ended` or `damaged` where it can do no more.
  func decompress(
    _ input: inout UnsafeRawBufferPointer,
    into room: UnsafeMutableRawBufferPointer,
  ) -> (count: Int, progress: Decompressor.Progress)
}

final class ZlibStream: CompressedStream {
  /// The state of zlib at a fixed address, which zlib compares with that of the start.
  private let stream = UnsafeMutablePointer<czlib_stream>.allocate(capacity: 1)
  private let hasStarted: Bool

  static func load() throws(LibraryFault) {
    if let reason = czlib_load() { throw LibraryFault(.zlib, String(cString: reason)) }
  }

  init?(hasHeader: Bool) {
    stream.initialize(to: czlib_stream())
    hasStarted = czlib_start(stream, hasHeader) == CZLIB_OK
    guard hasStarted else { return nil }
  }

  deinit {
    if hasStarted { czlib_end(stream) }
    stream.deallocate()
  }

  func decompress(
    _ input: inout UnsafeRawBufferPointer,
    into room: UnsafeMutableRawBufferPointer,
  ) -> (count: Int, progress: Decompressor.Progress) {
    let part = UnsafeRawBufferPointer(rebasing: input.prefix(1 << 30))
    stream.pointee.next_in = part.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_in = UInt32(part.count)
    stream.pointee.next_out = room.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_out = UInt32(room.count)
    let status = czlib_inflate(stream)
    input = UnsafeRawBufferPointer(
      rebasing: input.dropFirst(part.count - Int(stream.pointee.avail_in))
    )
    let count = room.count - Int(stream.pointee.avail_out)
    return switch Int(status) {
    case CZLIB_STREAM_END: (count, .ended)
    // zlib reports an error when it has no bytes to read.
    case CZLIB_OK, CZLIB_BUFFER_ERROR: (count, .wantsMore)
    default: (count, .damaged)
    }
  }
}

final class BrotliStream: CompressedStream {
  private let stream: UnsafeMutableRawPointer

  static func load() throws(LibraryFault) {
    if let reason = cbrotli_load() { throw LibraryFault(.brotli, String(cString: reason)) }
  }

  init?() {
    guard let stream = cbrotli_start() else { return nil }
    self.stream = stream
  }

  deinit { cbrotli_end(stream) }

  func decompress(
    _ input: inout UnsafeRawBufferPointer,
    into room: UnsafeMutableRawBufferPointer,
  ) -> (count: Int, progress: Decompressor.Progress) {
    var (inputCount, roomCount) = (input.count, room.count)
    var next = input.bindMemory(to: UInt8.self).baseAddress
    var output = room.bindMemory(to: UInt8.self).baseAddress
    let status = cbrotli_decompress(stream, &inputCount, &next, &roomCount, &output)
    input = UnsafeRawBufferPointer(rebasing: input.suffix(inputCount))
    let count = room.count - roomCount
    return switch Int(status) {
    case CBROTLI_STREAM_END: (count, .ended)
    case CBROTLI_ERROR: (count, .damaged)
    default: (count, .wantsMore)
    }
  }
}

final class ZstdStream: CompressedStream {
  private let stream: UnsafeMutableRawPointer

  static func load() throws(LibraryFault) {
    if let reason = czstd_load() { throw LibraryFault(.zstd, String(cString: reason)) }
  }

  init?() {
    guard let stream = czstd_start() else { return nil }
    self.stream = stream
  }

  deinit { czstd_end(stream) }

  func decompress(
    _ input: inout UnsafeRawBufferPointer,
    into room: UnsafeMutableRawBufferPointer,
  ) -> (count: Int, progress: Decompressor.Progress) {
    var source = czstd_input(bytes: input.baseAddress, count: input.count, position: 0)
    var output = czstd_output(bytes: room.baseAddress, count: room.count, position: 0)
    let result = czstd_decompress(stream, &output, &source)
    input = UnsafeRawBufferPointer(rebasing: input.dropFirst(source.position))
    if czstd_is_error(result) { return (output.position, .damaged) }
    return (output.position, result == 0 ? .ended : .wantsMore)
  }
}
