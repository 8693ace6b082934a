import System

package struct HTMLReference: Hashable {
  package let first: UInt32
  /// The second character, or 0.
  package private(set) var second: UInt32

  package init(first: UInt32, second: UInt32 = 0) {
    (self.first, self.second) = (first, second)
  }

  static let replacement = HTMLReference(first: 0xFFFD)

  /// Returns the reference that begins with the ampersand at `start` (HTML §13.2.5.72), or nil.
  ///
  /// In an attribute, `?a=1&copy=2` has none (§13.2.5.73).
  static func read(
    _ bytes: UnsafeRawBufferPointer,
    at start: Int,
    isInAttribute: Bool = false,
  ) -> (reference: HTMLReference, length: Int)? {
    let next = start + 1
    guard next < bytes.count else { return nil }
    if bytes[next] == UInt8(ascii: "#") {
      return NumericReference.read(bytes, at: start).map {
        (HTMLReference(number: $0.value), $0.length)
      }
    }
    var end = next
    while end < bytes.count, end - next < HTMLEntities.maximumLength,
      bytes[end].isASCIILetterOrDigit
    {
      end += 1
    }
    let name = UnsafeRawBufferPointer(rebasing: bytes[next..<end])
    if end < bytes.count, bytes[end] == UInt8(ascii: ";"), let whole = HTMLEntities.reference(name)
    {
      return (whole, end + 1 - start)
    }
    guard let length = HTMLEntities.legacyPrefix(of: name) else { return nil }
    if isInAttribute, let byte = bytes[(next + length)...].first,
      byte == UInt8(ascii: "=") || byte.isASCIILetterOrDigit
    {
      return nil
    }
    let legacy = UnsafeRawBufferPointer(rebasing: name.prefix(length))
    return HTMLEntities.reference(legacy).map { ($0, 1 + length) }
  }

  static func decoded(_ value: UnsafeRawBufferPointer, isInAttribute: Bool = true) -> String {
    var output: [UInt8] = []
    var start = 0
    while let ampersand = ByteScan.first(0x26, in: value, from: start) {
      output += value[start..<ampersand]
      if let found = read(value, at: ampersand, isInAttribute: isInAttribute) {
        found.reference.append(to: &output)
        start = ampersand + found.length
      } else {
        output.append(0x26)
        start = ampersand + 1
      }
    }
    guard start > 0 else { return String(decoding: value, as: UTF8.self) }
    output += value[start...]
    return String(decoding: output, as: UTF8.self)
  }

  func append(to output: inout [UInt8]) {
    output.append(codePoint: first)
    if second > 0 { output.append(codePoint: second) }
  }

  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 8, alignment: 1) { buffer in
      var count = 0
      for point in [first, second] where point > 0 {
        for byte in (Unicode.Scalar(point) ?? "\u{FFFD}").utf8 {
          buffer[count] = byte
          count += 1
        }
      }
      body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}

extension HTMLReference {
  /// Makes windows-1252 of 0x80 to 0x9F (HTML §13.2.5.80).
  init(number: UInt32) {
    switch number {
    case 0, 0xD800...0xDFFF, 0x11_0000...: self.init(first: 0xFFFD)
    case 0x80...0x9F: self.init(first: Windows1252.codePoint(UInt8(number)) ?? number)
    default: self.init(first: number)
    }
  }
}
