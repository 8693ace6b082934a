import System

/// A story's whole text as its feed published it.
package struct StoryText: Hashable, Sendable {
  /// Whether it is HTML, or else plain text.
  package var isHTML: Bool
  /// What its relative links are against; nil for the story's own link.
  package var base: String?
  /// UTF-8.
  package var bytes: [UInt8]
  /// Whether the page that it was taken from shows only its beginning.
  package var isCut: Bool

  package init(isHTML: Bool, base: String? = nil, bytes: [UInt8], isCut: Bool = false) {
    (self.isHTML, self.base, self.bytes, self.isCut) = (isHTML, base, bytes, isCut)
  }

  /// Tells one text from another (`Item.textNumber`): 63 bits, always the same for a text, never 0.
  package var number: Int64 {
    let hash = bytes.withUnsafeBytes(Self.hash) ^ FNV1a.hash(base ?? "")
    return max(
      Int64(truncatingIfNeeded: (hash ^ hash >> 32) >> 1) ^ (isHTML ? 1 : 0) ^ (isCut ? 2 : 0),
      1,
    )
  }

  /// PERF: FNV-1a of eight bytes at once, each time mixed; byte by byte it took a tenth of a fetch.
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
  /// The text as it was published.
  package var string: String { String(decoding: bytes, as: UTF8.self) }
}
