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
    let hash = bytes.withUnsafeBytes(FNV1a.hash(words:)) ^ FNV1a.hash(base ?? "")
    return max(
      Int64(truncatingIfNeeded: (hash ^ hash >> 32) >> 1) ^ (isHTML ? 1 : 0) ^ (isCut ? 2 : 0),
      1,
    )
  }
}

extension StoryText {
  package var string: String { String(decoding: bytes, as: UTF8.self) }
}
