/// A place in the bytes that a step works on.
struct MarkupCursor {
  let bytes: UnsafeRawBufferPointer
  /// Whether nothing follows the bytes.
  let isLast: Bool
  /// The first byte that has not been looked at.
  var position = 0
  /// The first byte of those that will be handed on as they are.
  var run = 0

  init(_ bytes: UnsafeRawBufferPointer, isLast: Bool) {
    self.bytes = bytes
    self.isLast = isLast
  }

  var isAtEnd: Bool { position >= bytes.count }

  /// The bytes from the position on.
  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[position...]) }

  /// Goes on at `end` with nothing before it to be handed on.
  mutating func skip(to end: Int) {
    position = end
    run = end
  }

  func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[range])
  }
}
