import System

struct TextSpan: Hashable, Sendable {
  var start = 0
  var end = 0

  var isEmpty: Bool { end <= start }
  var count: Int { end - start }
}

/// A buffer that is used again for the next item, so that nothing is allocated per event.
final class TextBuffer {
  @exclusivity(unchecked) private(set) var count = 0
  @exclusivity(unchecked) private var capacity: Int
  @exclusivity(unchecked) private var base: UnsafeMutablePointer<UInt8>

  init(capacity: Int = 4096) {
    self.capacity = max(capacity, 16)
    base = .allocate(capacity: self.capacity)
  }

  deinit {
    base.deallocate()
  }

  func truncate(to length: Int) {
    count = min(count, max(length, 0))
  }

  @inline(__always)
  func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    if bytes.count > capacity &- count { grow(by: bytes.count) }
    memcpy(base + count, source, bytes.count)
    count &+= bytes.count
  }

  @inline(__always)
  func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    base[count] = byte
    count &+= 1
  }

  func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  func bytes(_ span: TextSpan) -> UnsafeBufferPointer<UInt8> {
    let end = min(span.end, count)
    let start = min(max(span.start, 0), end)
    return UnsafeBufferPointer(start: base + start, count: end - start)
  }

  var all: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  var string: String { all.string }

  func trimmed(_ span: TextSpan) -> TextSpan {
    var span = TextSpan(start: span.start, end: min(span.end, count))
    while span.start < span.end, base[span.start].isXMLWhitespace { span.start += 1 }
    while span.start < span.end, base[span.end - 1].isXMLWhitespace { span.end -= 1 }
    return span
  }

  /// Appends what a closure writes, at most `length` bytes; the closure returns their number.
  @inline(__always)
  func append(atMost length: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
    if length > capacity &- count { grow(by: length) }
    count &+= min(max(body(base + count), 0), length)
  }

  private func grow(by extra: Int) {
    let larger = max(capacity * 2, count + extra)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    memcpy(moved, base, count)
    base.deallocate()
    base = moved
    capacity = larger
  }
}

extension UnsafeBufferPointer<UInt8> {
  func isEqual(ignoringCase text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && hasPrefix(text)
  }

  func hasPrefix(_ text: StaticString) -> Bool {
    UnsafeRawBufferPointer(self).hasASCII(text, at: 0)
  }

  func hasSuffix(_ text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount
      && UnsafeRawBufferPointer(self).hasASCII(text, at: count - text.utf8CodeUnitCount)
  }

  var trimmed: UnsafeBufferPointer<UInt8> {
    var range = 0..<count
    while let first = range.first, self[first].isXMLWhitespace {
      range = first + 1..<range.upperBound
    }
    while let last = range.last, self[last].isXMLWhitespace { range = range.lowerBound..<last }
    return UnsafeBufferPointer(rebasing: self[range])
  }

  var string: String {
    String(decoding: self, as: UTF8.self)
  }

  /// Returns the first bytes, not cut inside a UTF-8 character.
  func characters(atMost length: Int) -> UnsafeBufferPointer<UInt8> {
    var end = Swift.min(Swift.max(length, 0), count)
    while end > 0, end < count, self[end] & 0xC0 == 0x80 { end -= 1 }
    return UnsafeBufferPointer(rebasing: self[..<end])
  }
}
