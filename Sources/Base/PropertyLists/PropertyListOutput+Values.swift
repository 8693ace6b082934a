extension PropertyListOutput {
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

  /// Appends a marker with its count, which is an integer of its own from 15 on.
  mutating func append(marker: UInt8, count: Int) {
    guard count >= 15 else { return append(UInt64(marker) | UInt64(count), width: 1) }
    append(UInt64(marker) | 0x0f, width: 1)
    append(integer: UInt64(count))
  }

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
      if Self.isASCII(bytes) { append(ascii: bytes) } else { appendUTF16(bytes) }
    }
  }

  mutating func append(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    if Self.isASCII(bytes) {
      append(ascii: bytes)
    } else if (try? UTF8Span(validating: bytes.span)) != nil {
      appendUTF16(bytes)
    } else {
      append(text: String(decoding: bytes, as: UTF8.self))
    }
  }

  private mutating func append(ascii bytes: UnsafeBufferPointer<UInt8>) {
    append(marker: 0x50, count: bytes.count)
    append(UnsafeRawBufferPointer(bytes))
  }

  /// PERF: 32 bytes at a time, then eight.
  private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    var position = 0
    while position + 32 <= raw.count {
      let words = raw.loadUnaligned(fromByteOffset: position, as: SIMD4<UInt64>.self)
      let word = words[0] | words[1] | words[2] | words[3]
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      position += 32
    }
    while position + 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      position += 8
    }
    return raw[position...].allSatisfy { $0 < 0x80 }
  }

  private mutating func appendUTF16(_ bytes: UnsafeBufferPointer<UInt8>) {
    append(marker: 0x60, count: UTF16Text.count(bytes))
    append(upTo: 2 * bytes.count) { UTF16Text.write(bytes, to: $0) }
  }
}
