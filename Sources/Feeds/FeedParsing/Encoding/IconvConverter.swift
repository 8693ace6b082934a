import System

/// The C library's converter to UTF-8.
///
/// It fails at what is no character; one byte is then skipped for one U+FFFD, so that a markup
/// character after a cut character stays (as in the Encoding Standard).
final class IconvConverter {
  private let descriptor: iconv_t
  private let isGBK: Bool
  private var room = [UInt8](repeating: 0, count: 16 << 10)

  init?(_ encoding: TextEncoding) {
    let failed = iconv_t(bitPattern: -1)
    for name in encoding.converters {
      if let descriptor = iconv_open("UTF-8", name), descriptor != failed {
        self.descriptor = descriptor
        isGBK = encoding.name == "GB18030"
        return
      }
    }
    return nil
  }

  deinit {
    iconv_close(descriptor)
  }

  /// Appends the text in UTF-8; a cut character at the end is one U+FFFD.
  func convert(
    _ bytes: UnsafeRawBufferPointer,
    into output: inout [UInt8],
    _ maximumBytes: Int,
  ) throws(FeedParsingError) {
    var position = 0
    var failures = 0
    while position < bytes.count {
      try output.check(maximumBytes: maximumBytes)
      let step = step(bytes, at: position, into: &output)
      position += step.consumed
      switch step.error {
      case nil, E2BIG:
        continue
      case EINVAL where bytes.count - position < Self.longestCharacter:
        output.append(codePoint: 0xFFFD)
        position = bytes.count
      default:
        output.append(codePoint: isGBK && bytes[position] == 0x80 ? 0x20AC : 0xFFFD)
        position += 1
        failures += 1
        guard failures <= Self.maximumFailures else {
          throw .limitExceeded(name: "undecodable bytes", limit: Self.maximumFailures)
        }
      }
    }
    flush(into: &output)
  }

  func codePoint(ofByte byte: UInt8) -> UInt32? {
    var output: [UInt8] = []
    let consumed = withUnsafeBytes(of: byte) { step($0, at: 0, into: &output).consumed }
    flush(into: &output)
    guard consumed == 1 else { return nil }
    return String(decoding: output, as: UTF8.self).unicodeScalars.first?.value
  }

  /// The number of failures after which the document is refused: the library starts anew after
  /// each.
  private static let maximumFailures = 4_000_000

  /// The longest character in bytes, with its shift sequence, of any accepted encoding.
  private static let longestCharacter = 16

  private func step(
    _ bytes: UnsafeRawBufferPointer,
    at position: Int,
    into output: inout [UInt8],
  ) -> (consumed: Int, error: CInt?) {
    room.withUnsafeMutableBytes { room in
      // iconv's prototype is older than const; it does not write to its input.
      var input = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?
        .advanced(by: position).assumingMemoryBound(to: CChar.self)
      var left = bytes.count - position
      var target = room.baseAddress?.assumingMemoryBound(to: CChar.self)
      var free = room.count
      let failed = iconv(descriptor, &input, &left, &target, &free) == Int(bitPattern: UInt.max)
      let error = failed ? errno : nil
      output.append(contentsOf: room[..<(room.count - free)])
      return (bytes.count - position - left, error)
    }
  }

  private func flush(into output: inout [UInt8]) {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { room in
      var target = room.baseAddress?.assumingMemoryBound(to: CChar.self)
      var free = room.count
      _ = iconv(descriptor, nil, nil, &target, &free)
      output.append(contentsOf: room[..<(room.count - free)])
    }
  }
}
