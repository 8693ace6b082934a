import System

/// A story's whole text as its feed published it.
package struct StoryText: Hashable, Sendable {
  /// Whether it is HTML, or else plain text.
  package var isHTML: Bool
  /// What its relative links are against; nil for the story's own link.
  package var base: String?
  /// UTF-8.
  package var bytes: [UInt8]

  package init(isHTML: Bool, base: String? = nil, bytes: [UInt8]) {
    (self.isHTML, self.base, self.bytes) = (isHTML, base, bytes)
  }

  /// Tells one text from another (`Item.textNumber`): 63 bits, always the same for a text, never 0.
  package var number: Int64 {
    let hash = bytes.withUnsafeBufferPointer { FNV1a.hash($0) } ^ FNV1a.hash(base ?? "")
    return max(Int64(truncatingIfNeeded: (hash ^ hash >> 32) >> 1) ^ (isHTML ? 1 : 0), 1)
  }
}
