import System

/// Finds where a start tag ends, however its attributes are written.
///
/// A `>` in a quoted value does not end the tag, unless the quote turns out to be missing: a value
/// with `>` in it whose closing quote is not followed by what may stand there.
struct TagEndScanner {
  enum Result: Hashable {
    /// The tag's last byte is before this offset, a `>`.
    case end(Int)
    case interrupted(Int)
    case truncated
    case tooLong
  }

  /// A tag longer than this is refused: libxml2 takes quadratic time for it.
  static let maximumLength = 256 << 10

  /// Says that the part that was scanned has a value in quotes.
  private(set) var hasQuotedValue = false

  /// Scans the tag that some bytes begin with, and returns where it ends, or why it does not.
  mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Result {
    let tag = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.maximumLength))
    let unended = bytes.count > tag.count ? Result.tooLong : .truncated
    var position = 1
    while position < tag.count {
      position += 1
      switch tag[position - 1] {
      case UInt8(ascii: ">"): return .end(position)
      case UInt8(ascii: "<"): return .interrupted(position - 1)
      case UInt8(ascii: "="):
        while position < tag.count, tag[position].isXMLWhitespace { position += 1 }
        guard position < tag.count, tag[position] == 0x22 || tag[position] == 0x27 else { continue }
        let rest = UnsafeRawBufferPointer(rebasing: tag[(position + 1)...])
        let length = ByteScan.first(tag[position], in: rest, from: 0)
        let value = UnsafeRawBufferPointer(rebasing: rest.prefix(length ?? rest.count))
        let mark = ByteScan.first(UInt8(ascii: ">"), in: value, from: 0)
        let endInQuote = mark.map { Result.end(position + $0 + 2) }
        guard let length else { return endInQuote ?? unended }
        hasQuotedValue = true
        position += length + 2
        let isEnded = position < tag.count && Self.mayFollowQuote(tag[position])
        if !isEnded, let endInQuote { return endInQuote }
      default: break
      }
    }
    return unended
  }

  private static func mayFollowQuote(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
      || byte == UInt8(ascii: "?")
  }
}
