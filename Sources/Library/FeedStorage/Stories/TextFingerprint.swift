internal import System

/// Numbers, never 0, that are equal for texts that may be the same, computed from bytes without
/// decoding.
///
/// A merge looks at all stored stories for a few; fingerprints leave next to none to look at
/// closely. Two spellings of one identity (`ItemID`, `WebURL.canonical`) have one fingerprint,
/// hence hosts, most parameters, fragments and punctuation do not count.
package enum TextFingerprint {
  /// The fingerprint of the lower bytes of a text in UTF-16.
  package static func exact(_ text: String) -> UInt32 {
    var print = seed
    for unit in text.utf16 { mix(UInt8(truncatingIfNeeded: unit), into: &print) }
    return folded(print)
  }

  static func exact(_ text: StringBytes) -> UInt32 {
    var print = seed
    switch text {
    case .ascii(let bytes): for byte in bytes { mix(byte, into: &print) }
    case .utf16BigEndian(let bytes):
      for index in stride(from: 1, to: bytes.count, by: 2) { mix(bytes[index], into: &print) }
    }
    return folded(print)
  }

  /// The fingerprint of a guid without white space and the scheme of a URL.
  package static func guid(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var print = seed
    for byte in bytes[afterScheme(bytes)...] where byte >= 0x80 || byte.isASCIILetterOrDigit {
      mix(byte, into: &print)
    }
    return folded(print)
  }

  /// The fingerprint of a path with dot segments, which may be several.
  package static let anyPath = UInt32.max

  /// The fingerprint of a URL's path and the short parameters of its query, with escapes decoded.
  ///
  /// Parameters with names of one or two letters (`v`, `p`, `id`) are all that tells the stories of
  /// many sites apart, and are never for tracking.
  package static func path(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var print = seed
    var offset = bytes[afterScheme(bytes)...].firstIndex(of: slash) ?? bytes.count
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte.isASCIILetterOrDigit {
        mix(byte, into: &print)
        offset += 1
        continue
      }
      if byte == question || byte == hash { break }
      if byte == slash, offset + 1 < bytes.count, bytes[offset + 1] == dot { return anyPath }
      mixUnescaped(bytes, at: &offset, into: &print)
    }
    while offset < bytes.count, bytes[offset] != hash {
      offset += 1
      mixParameter(bytes, at: &offset, into: &print)
    }
    return folded(print)
  }

  private static func mixParameter(
    _ bytes: UnsafeRawBufferPointer,
    at offset: inout Int,
    into print: inout UInt64,
  ) {
    let end = bytes[offset...].firstIndex { $0 == ampersand || $0 == hash } ?? bytes.count
    let equals = bytes[offset..<end].firstIndex(of: 0x3D) ?? end
    if equals - offset > 2 { offset = end }
    while offset < end { mixUnescaped(bytes, at: &offset, into: &print) }
  }

  private static func mixUnescaped(
    _ bytes: UnsafeRawBufferPointer,
    at offset: inout Int,
    into print: inout UInt64,
  ) {
    let (byte, length) = unescaped(bytes, at: offset)
    if byte.isASCIILetterOrDigit { mix(byte, into: &print) }
    offset += length
  }

  private static let slash: UInt8 = 0x2F
  private static let dot: UInt8 = 0x2E
  private static let question: UInt8 = 0x3F
  private static let hash: UInt8 = 0x23
  private static let ampersand: UInt8 = 0x26

  private static let seed: UInt64 = 0xcbf2_9ce4_8422_2325

  @inline(__always)
  private static func mix(_ byte: UInt8, into print: inout UInt64) {
    print = (print ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  private static func folded(_ print: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: print ^ print >> 32) | 1
  }

  /// The offset behind `http://` or `https://`; 0 for other texts.
  private static func afterScheme(_ bytes: UnsafeRawBufferPointer) -> Int {
    if begin(bytes, with: "https://") { return 8 }
    return begin(bytes, with: "http://") ? 7 : 0
  }

  static func begin(_ bytes: UnsafeRawBufferPointer, with start: StaticString) -> Bool {
    let length = start.utf8CodeUnitCount
    guard let first = bytes.baseAddress, bytes.count >= length else { return false }
    return memcmp(first, start.utf8Start, length) == 0
  }

  /// A byte, decoded if it is an escape such as `%7E`, and its length in the text.
  private static func unescaped(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> (UInt8, Int) {
    guard bytes[offset] == 0x25, offset + 2 < bytes.count,
      let high = bytes[offset + 1].hexadecimalValue,
      let low = bytes[offset + 2].hexadecimalValue
    else { return (bytes[offset], 1) }
    return (high << 4 | low, 3)
  }
}

extension TextFingerprint {
  package static func path(_ text: String) -> UInt32 {
    var text = text
    return text.withUTF8 { path(UnsafeRawBufferPointer($0)) }
  }
}
