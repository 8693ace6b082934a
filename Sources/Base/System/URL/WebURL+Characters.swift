extension WebURL {
  /// Returns true for an absolute http or https URL that needs no work at all.
  ///
  /// PERF NOTES: one scan, since nearly all links of nearly all feeds are like that.
  package static func isClean(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { isClean($0) } ?? false
  }

  package static func isClean(
    _ bytes: UnsafeBufferPointer<UInt8>,
    orHasPort mayHavePort: Bool = false,
  ) -> Bool {
    guard 8..<maximumLength ~= bytes.count - 1, bytes[0] == 0x68, bytes[1] == 0x74,
      bytes[2] == 0x74, bytes[3] == 0x70
    else { return false }
    let colon = bytes[4] == 0x73 ? 5 : 4
    guard bytes[colon] == 0x3A, bytes[colon + 1] == slash, bytes[colon + 2] == slash else {
      return false
    }
    let hostStart = colon + 3
    var index = hostStart
    while index < bytes.count, isPlainHost(bytes[index]) { index &+= 1 }
    // Of dots, hyphens and underscores alone `Host` makes no name.
    guard index > hostStart, bytes[hostStart].isASCIILetterOrDigit else { return false }
    if mayHavePort, index < bytes.count, bytes[index] == 0x3A {
      let digits = bytes[(index &+ 1)...].prefix(while: \.isASCIIDigit)
      let port = digits.prefix(5).reduce(0) { $0 * 10 + Int($1 & 0x0F) }
      guard 1...5 ~= digits.count, port <= UInt16.max else { return false }
      index = digits.endIndex
    }
    guard index < bytes.count else { return true }
    guard bytes[index] == slash || bytes[index] == 0x3F || bytes[index] == 0x23 else {
      return false
    }
    return isPlainTail(bytes, from: index)
  }

  package static func isPlainHTTP(_ text: String) -> Bool {
    // PERF: `starts(with:)` of the view goes from byte to byte by calls.
    text.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.count >= 7 && bytes[4] == 0x3A && bytes.starts(with: "http://".utf8)
    } ?? text.utf8.starts(with: "http://".utf8)
  }

  /// Returns true for plain bytes without a segment that begins with a dot; there has to be a byte
  /// before `start`.
  private static func isPlainTail(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    guard raw.count - start >= 16 else {
      return bytes.indices[start...].allSatisfy { index in
        isPlain(bytes[index]) && (bytes[index] != dot || bytes[index - 1] != slash)
      }
    }
    // The last sixteen bytes may have been seen before.
    let last = raw.count - 16
    return stride(from: start, to: last, by: 16).allSatisfy { ByteScan.isPlainInURL(raw, at: $0) }
      && ByteScan.isPlainInURL(raw, at: last)
  }

  /// Returns a reference without the white space that XML and editors put around and into it, and
  /// with `/` for `\` as browsers read it.
  static func tidy(_ text: String) -> String {
    if text.utf8.isFree(of: { $0 <= 0x20 || $0 == 0x5C }) { return trimmed(text) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var isBroken = false
    var isInQuery = false
    for byte in text.utf8 {
      if byte == 0x0A || byte == 0x0D || byte == 0x09 {
        // The indentation around a line break goes with it.
        while bytes.last == 0x20 { bytes.removeLast() }
        isBroken = true
      } else if byte != 0x20 || (!isBroken && !bytes.isEmpty) {
        isBroken = false
        if byte == 0x3F || byte == 0x23 { isInQuery = true }
        bytes.append(byte == 0x5C && !isInQuery ? slash : byte)
      }
    }
    return trimmed(String(decoding: bytes, as: UTF8.self))
  }

  static func trimmed(_ text: String) -> String {
    var scalars = text.unicodeScalars[...]
    if let first = scalars.first, let last = scalars.last, isVisible(first), isVisible(last) {
      return text
    }
    while let first = scalars.first, !isVisible(first) { scalars.removeFirst() }
    while let last = scalars.last, !isVisible(last) { scalars.removeLast() }
    return String(scalars)
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch ScalarRole(scalar) {
    case .visible, .mark: true
    case .space, .joiner, .unwanted: false
    }
  }

  /// Percent-encodes what RFC 3986 has no place for; escapes stay as they are.
  static func encode(_ text: some StringProtocol) -> String {
    if text.utf8.isFree(of: { !isPlain($0) }) { return String(text) }
    return text.utf8.percentEncoded(unless: isPlain)
  }

  /// Returns true for printable ASCII except `"<>\^`{|}` and the space.
  static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B...0xFF, 0...0x20: byte == 0x7E
    default: true
    }
  }

  private static func isPlainHost(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x61...0x7A, 0x30...0x39, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }

  package static let slash: UInt8 = 0x2F
  static let dot: UInt8 = 0x2E
}

extension Sequence<UInt8> {
  /// PERF: the views of texts go from byte to byte by calls.
  fileprivate func isFree(of isMeant: (UInt8) -> Bool) -> Bool {
    withContiguousStorageIfAvailable { !$0.contains(where: isMeant) } ?? !contains(where: isMeant)
  }
}
