internal import System

package struct FoldedWord: Hashable, Sendable {
  private let bytes: [UInt8]

  /// Fails for a text of nothing but marks.
  package init?(_ text: String) {
    var folded = FoldedText()
    folded.append(text)
    bytes = Array(folded.bytes.dropLast())
    if bytes.isEmpty { return nil }
  }

  func occurs(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    var rest = UnsafeRawBufferPointer(text)
    while rest.count >= bytes.count, let base = rest.baseAddress,
      let found = memchr(base, Int32(bytes[0]), rest.count - bytes.count + 1)
    {
      if memcmp(found, bytes, bytes.count) == 0 { return true }
      rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(found) - base + 1)...])
    }
    return false
  }
}
