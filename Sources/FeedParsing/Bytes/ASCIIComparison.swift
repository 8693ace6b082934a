extension UnsafeRawBufferPointer {
  /// Whether the bytes are these ASCII characters.
  @inline(__always)
  func isASCII(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index] != text.utf8Start[index] { return false }
    return true
  }

  /// Whether these ASCII characters stand at an offset, in any case.
  func hasASCII(_ text: StaticString, at offset: Int) -> Bool {
    guard count - offset >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount {
      let (byte, wanted) = (self[offset + index], text.utf8Start[index])
      let folded = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
      if folded != ((0x41...0x5A).contains(wanted) ? wanted | 0x20 : wanted) { return false }
    }
    return true
  }
}
