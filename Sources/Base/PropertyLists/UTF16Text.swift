internal import System

/// Converts between UTF-8 and the UTF-16 of property lists, which has the more significant byte
/// first.
///
/// PERF: the standard library goes through both scalar by scalar, by calls; here eight characters
/// of ASCII, which most texts in other scripts are half made of, take a few instructions.
enum UTF16Text {
  static func count(_ utf8: UnsafeBufferPointer<UInt8>) -> Int {
    let input = UnsafeRawBufferPointer(utf8)
    var (position, count) = (0, 0)
    while position < input.count {
      while position + 8 <= input.count {
        let word = input.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        guard word & 0x8080_8080_8080_8080 == 0 else { break }
        (position, count) = (position + 8, count + 8)
      }
      for byte in input[position..<min(position + 8, input.count)] {
        count &+= (byte & 0xc0 == 0x80 ? 0 : 1) &+ (byte >= 0xf0 ? 1 : 0)
      }
      position += 8
    }
    return count
  }

  /// Writes a valid UTF-8 text to memory with room for two bytes for each of its bytes.
  static func write(_ utf8: UnsafeBufferPointer<UInt8>, to output: UnsafeMutableRawPointer) -> Int {
    let input = UnsafeRawBufferPointer(utf8)
    var (position, end) = (0, 0)
    while position < input.count {
      while position + 8 <= input.count {
        let word = input.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        guard word & 0x8080_8080_8080_8080 == 0 else { break }
        let eight = input.loadUnaligned(fromByteOffset: position, as: SIMD8<UInt8>.self)
        let units = SIMD8<UInt16>(truncatingIfNeeded: eight) &<< 8
        output.storeBytes(of: units, toByteOffset: end, as: SIMD8<UInt16>.self)
        (position, end) = (position + 8, end + 16)
      }
      guard position < input.count else { break }
      let (decoded, length) = UTF8Scalar.decode(input, at: position)
      position += length
      let scalar = decoded?.value ?? 0xfffd
      if scalar < 0x1_0000 {
        store(scalar, to: output, at: &end)
      } else {
        store(0xd800 + (scalar - 0x1_0000) >> 10, to: output, at: &end)
        store(0xdc00 + (scalar - 0x1_0000) & 0x3ff, to: output, at: &end)
      }
    }
    return end
  }

  @inline(__always)
  private static func store(
    _ unit: UInt32,
    to output: UnsafeMutableRawPointer,
    at end: inout Int,
  ) {
    let unit = UInt16(truncatingIfNeeded: unit).bigEndian
    output.storeBytes(of: unit, toByteOffset: end, as: UInt16.self)
    end += 2
  }

  /// Decodes UTF-16; U+FFFD stands for half a pair.
  static func string(_ input: UnsafeRawBufferPointer) -> String {
    String(unsafeUninitializedCapacity: maximumUTF8(of: input)) { utf8 in
      write(utf8: input, to: UnsafeMutableRawBufferPointer(utf8))
    }
  }

  static func withUTF8<R>(
    of input: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> R,
  ) -> R {
    withUnsafeTemporaryAllocation(byteCount: maximumUTF8(of: input), alignment: 1) { output in
      let end = write(utf8: input, to: output)
      return body(UnsafeRawBufferPointer(rebasing: output[..<end]))
    }
  }

  /// The bound of the bytes in UTF-8: no code unit takes more than three.
  private static func maximumUTF8(of input: UnsafeRawBufferPointer) -> Int {
    input.count / 2 * 3
  }

  private static func write(
    utf8 input: UnsafeRawBufferPointer,
    to output: UnsafeMutableRawBufferPointer,
  ) -> Int {
    var (position, end) = (0, 0)
    while position + 2 <= input.count {
      while position + 16 <= input.count, isASCII(input, at: position) {
        let units = input.loadUnaligned(fromByteOffset: position, as: SIMD8<UInt16>.self)
        let bytes = SIMD8<UInt8>(truncatingIfNeeded: units &>> 8)
        output.storeBytes(of: bytes, toByteOffset: end, as: SIMD8<UInt8>.self)
        (position, end) = (position + 16, end + 8)
      }
      guard position + 2 <= input.count else { break }
      store(utf8: scalar(ofUTF16: input, at: &position), to: output, at: &end)
    }
    return end
  }

  @inline(__always)
  private static func isASCII(_ input: UnsafeRawBufferPointer, at position: Int) -> Bool {
    let first = input.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    let second = input.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self)
    return (first | second).bigEndian & 0xff80_ff80_ff80_ff80 == 0
  }

  private static func scalar(
    ofUTF16 input: UnsafeRawBufferPointer,
    at position: inout Int,
  ) -> UInt32 {
    let unit = unit(input, at: position)
    position += 2
    guard unit & 0xf800 == 0xd800 else { return unit }
    guard unit < 0xdc00, position + 2 <= input.count else { return 0xfffd }
    let next = self.unit(input, at: position)
    guard next & 0xfc00 == 0xdc00 else { return 0xfffd }
    position += 2
    return 0x1_0000 + (unit & 0x3ff) << 10 + next & 0x3ff
  }

  @inline(__always)
  private static func unit(_ input: UnsafeRawBufferPointer, at position: Int) -> UInt32 {
    UInt32(UInt16(bigEndian: input.loadUnaligned(fromByteOffset: position, as: UInt16.self)))
  }

  private static func store(
    utf8 scalar: UInt32,
    to output: UnsafeMutableRawBufferPointer,
    at end: inout Int,
  ) {
    func put(_ byte: UInt32) {
      output[end] = UInt8(truncatingIfNeeded: byte)
      end += 1
    }
    if scalar < 0x80 { return put(scalar) }
    switch scalar {
    case ..<0x800: put(0xc0 | scalar >> 6)
    case ..<0x1_0000:
      put(0xe0 | scalar >> 12)
      put(0x80 | scalar >> 6 & 0x3f)
    default:
      put(0xf0 | scalar >> 18)
      put(0x80 | scalar >> 12 & 0x3f)
      put(0x80 | scalar >> 6 & 0x3f)
    }
    put(0x80 | scalar & 0x3f)
  }
}
