#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A word to look for in folded texts.
struct SearchWord: Hashable, Sendable {
  /// Folded, in UTF-8; not empty.
  let bytes: [UInt8]
  /// The place of the byte that is rarest in texts: it alone is looked for at first.
  private let anchor: Int

  /// nil when nothing is left of the text.
  init?(_ text: String) {
    var folded = FoldedText()
    folded.append(text)
    bytes = Array(folded.bytes.dropLast())
    let frequencies = bytes.map(Self.frequency)
    guard let least = frequencies.min(), let rarest = frequencies.firstIndex(of: least) else {
      return nil
    }
    anchor = rarest
  }

  private static let rareFirst = "zxjqkgbvpywfmculdrhsnioate "

  /// How often a byte occurs in European texts, roughly; anything but a letter counts as rare.
  private static func frequency(_ byte: UInt8) -> Int {
    rareFirst.utf8.enumerated().first { $0.element == byte }?.offset ?? -1
  }

  func occurs(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    // Where the anchor may stand for the word to have room.
    var start = anchor
    let end = text.count - (bytes.count - 1 - anchor)
    while start < end {
      guard let base = text.baseAddress,
        let found = memchr(base + start, Int32(bytes[anchor]), end - start)
      else { return false }
      start = UnsafeRawPointer(found) - UnsafeRawPointer(base)
      if memcmp(base + start - anchor, bytes, bytes.count) == 0 { return true }
      start += 1
    }
    return false
  }
}
