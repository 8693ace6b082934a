import System

/// Finds the end of a start tag, however its attributes are written.
///
/// A `>` in a quoted value does not end the tag, unless the quote turns out to be missing: the
/// value has a `>` in it, and its closing quote is not followed by what may stand there.
struct TagEndScanner {
  enum Result: Hashable {
    /// The offset behind the tag's `>`.
    case end(Int)
    case interrupted(Int)
    case truncated
    case tooLong
  }

  /// The most bytes of a tag: libxml2 takes quadratic time for a longer one.
  static let maximumLength = 256 << 10

  private(set) var hasQuotedValue = false

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
