/// Values in the form that they have in the file.
extension PropertyListOutput {
  /// Anything but a container.
  mutating func append(_ value: PropertyListValue) {
    switch value {
    case .string(let text): append(text: text)
    case .data(let bytes):
      append(marker: 0x40, count: bytes.count)
      bytes.withUnsafeBytes { append($0) }
    case .boolean(let flag): append(flag ? 0x09 : 0x08, width: 1)
    case .integer(let number) where number >= 0: append(integer: UInt64(number))
    case .integer(let number): append(0x13, UInt64(bitPattern: number))
    case .unsigned(let number):
      append(0x14, 0)
      append(number, width: 8)
    case .real(let number): append(0x23, number.bitPattern)
    case .date(let seconds): append(0x33, (seconds.isFinite ? seconds : 0).bitPattern)
    case .uid(let number):
      let width = Self.width(of: number)
      append(0x80 | UInt64(width - 1), width: 1)
      append(number, width: width)
    case .array, .dictionary: break
    }
  }

  /// A marker with its count, in an integer of its own from 15 on.
  mutating func append(marker: UInt8, count: Int) {
    guard count >= 15 else { return append(UInt64(marker) | UInt64(count), width: 1) }
    append(UInt64(marker) | 0x0f, width: 1)
    append(integer: UInt64(count))
  }

  /// An integer that is not negative, in the smallest width.
  private mutating func append(integer number: UInt64) {
    let width = Self.width(of: number)
    append(0x10 | UInt64(width.trailingZeroBitCount), width: 1)
    append(number, width: width)
  }

  private mutating func append(_ marker: UInt64, _ number: UInt64) {
    append(marker, width: 1)
    append(number, width: 8)
  }

  private mutating func append(text: String) {
    var text = text
    text.withUTF8 { bytes in
      guard Self.isASCII(bytes) else { return appendUTF16(bytes) }
      append(marker: 0x50, count: bytes.count)
      append(UnsafeRawBufferPointer(bytes))
    }
  }

  /// PERF: eight bytes at a time.
  private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    var position = 0
    while position + 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      position += 8
    }
    return raw[position...].allSatisfy { $0 < 0x80 }
  }

  /// PERF: UTF-8 is decoded here: a string's own view of UTF-16 takes four times as long.
  private mutating func appendUTF16(_ bytes: UnsafeBufferPointer<UInt8>) {
    // A scalar of four bytes is two units; every other byte that leads is one.
    let count = bytes.reduce(0) { $0 + ($1 & 0xc0 == 0x80 ? 0 : $1 >= 0xf0 ? 2 : 1) }
    append(marker: 0x60, count: count)
    var position = 0
    while position < bytes.count {
      let scalar = Self.scalar(bytes, at: &position)
      if scalar < 0x1_0000 {
        append(UInt64(scalar), width: 2)
      } else {
        append(UInt64(0xd800 + (scalar - 0x1_0000) >> 10), width: 2)
        append(UInt64(0xdc00 + (scalar - 0x1_0000) & 0x3ff), width: 2)
      }
    }
  }

  /// The scalar that begins at a position of valid UTF-8.
  private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, at position: inout Int) -> UInt32
  {
    let lead = bytes[position]
    let length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    var scalar = UInt32(length == 1 ? lead : lead & (0xff >> UInt8(length + 1)))
    for next in bytes[(position + 1)..<(position + length)] {
      scalar = scalar << 6 | UInt32(next & 0x3f)
    }
    position += length
    return scalar
  }
}
