import System

package struct StoryText: Hashable, Sendable {
  package var isHTML: Bool
  /// The URL that relative links are resolved against; nil for the story's own link.
  package var base: String?
  package var bytes: [UInt8]
  /// True where the page that it was taken from shows only the text's beginning.
  package var isCut: Bool

  package init(isHTML: Bool, base: String? = nil, bytes: [UInt8], isCut: Bool = false) {
    (self.isHTML, self.base, self.bytes, self.isCut) = (isHTML, base, bytes, isCut)
  }

  /// A hash that tells one text from another (`Item.textNumber`): 63 bits, stable, never 0.
  package var number: Int64 {
    let hash = bytes.withUnsafeBytes(Self.hash) ^ FNV1a.hash(base ?? "")
    return max(
      Int64(truncatingIfNeeded: (hash ^ hash >> 32) >> 1) ^ (isHTML ? 1 : 0) ^ (isCut ? 2 : 0),
      1,
    )
  }

  /// FNV-1a of eight bytes at once, mixed each time.
  ///
  /// PERF: byte by byte it took a tenth of a fetch.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
    let words = bytes.count / 8
    for word in 0..<words {
      let value = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
      )
      hash = (hash ^ value) &* 0x100_0000_01B3
      hash ^= hash >> 29
    }
    for byte in bytes[(words * 8)...] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }
}

extension StoryText {
  package var string: String { String(decoding: bytes, as: UTF8.self) }
}
