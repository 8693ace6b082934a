@usableFromInline package struct TextSpan: Hashable, Sendable {
  @usableFromInline package var start: Int
  @usableFromInline package var end: Int

  @inlinable
  package init(start: Int = 0, end: Int = 0) {
    (self.start, self.end) = (start, end)
  }

  @inlinable package var isEmpty: Bool { end <= start }
  @inlinable package var count: Int { end - start }
}

/// A buffer that is used again for the next item, so that nothing is allocated per event.
@usableFromInline package final class TextBuffer {
  @exclusivity(unchecked) @usableFromInline var length = 0
  @exclusivity(unchecked) @usableFromInline var capacity: Int
  @exclusivity(unchecked) @usableFromInline var base: UnsafeMutablePointer<UInt8>

  @inlinable package var count: Int { length }

  package init(capacity: Int = 4096) {
    self.capacity = max(capacity, 16)
    base = .allocate(capacity: self.capacity)
  }

  deinit {
    base.deallocate()
  }

  @inlinable
  package func truncate(to count: Int) {
    length = min(length, max(count, 0))
  }

  @inlinable @inline(__always)
  package func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    if bytes.count > capacity &- length { grow(by: bytes.count) }
    (base + length).initialize(from: source, count: bytes.count)
    length &+= bytes.count
  }

  @inlinable @inline(__always)
  package func append(_ byte: UInt8) {
    if length == capacity { grow(by: 1) }
    base[length] = byte
    length &+= 1
  }

  package func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  @inlinable
  package func bytes(_ span: TextSpan) -> UnsafeBufferPointer<UInt8> {
    let end = min(span.end, count)
    let start = min(max(span.start, 0), end)
    return UnsafeBufferPointer(start: base + start, count: end - start)
  }

  @inlinable package var all: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base, count: count)
  }

  package var string: String { all.string }

  @inlinable
  package func trimmed(_ span: TextSpan) -> TextSpan {
    var span = TextSpan(start: span.start, end: min(span.end, count))
    while span.start < span.end, base[span.start].isXMLWhitespace { span.start += 1 }
    while span.start < span.end, base[span.end - 1].isXMLWhitespace { span.end -= 1 }
    return span
  }

  /// Appends what a closure writes, at most `size` bytes; the closure returns their number.
  @inlinable @inline(__always)
  package func append(atMost size: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
    if size > capacity &- length { grow(by: size) }
    length &+= min(max(body(base + length), 0), size)
  }

  @usableFromInline
  func grow(by extra: Int) {
    let larger = max(capacity * 2, length + extra)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    memcpy(moved, base, length)
    base.deallocate()
    base = moved
    capacity = larger
  }
}

extension UnsafeBufferPointer<UInt8> {
  @inlinable
  package func isEqual(ignoringCase text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && hasPrefix(text)
  }

  @inlinable
  package func hasPrefix(_ text: StaticString) -> Bool {
    UnsafeRawBufferPointer(self).hasASCII(text, at: 0)
  }

  @inlinable
  package func hasSuffix(_ text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount
      && UnsafeRawBufferPointer(self).hasASCII(text, at: count - text.utf8CodeUnitCount)
  }

  @inlinable
  package var trimmed: UnsafeBufferPointer<UInt8> {
    var range = 0..<count
    while let first = range.first, self[first].isXMLWhitespace {
      range = first + 1..<range.upperBound
    }
    while let last = range.last, self[last].isXMLWhitespace { range = range.lowerBound..<last }
    return UnsafeBufferPointer(rebasing: self[range])
  }

  package var string: String {
    String(decoding: self, as: UTF8.self)
  }

  /// Returns the first bytes, not cut inside a UTF-8 character.
  package func characters(atMost length: Int) -> UnsafeBufferPointer<UInt8> {
    var end = Swift.min(Swift.max(length, 0), count)
    while end > 0, end < count, self[end] & 0xC0 == 0x80 { end -= 1 }
    return UnsafeBufferPointer(rebasing: self[..<end])
  }
}
