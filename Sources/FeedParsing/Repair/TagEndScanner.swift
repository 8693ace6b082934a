/// Finds where a start tag ends, however its attributes are written.
///
/// A `>` in a quoted value does not end the tag, unless the quote turns out to be missing: a value
/// with `>` or `<` in it whose closing quote is not followed by what may stand there.
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

  private enum State {
    case outside
    case afterEquals
    case quoted(UInt8)
    case afterQuote
  }

  private var state = State.outside
  private var position = 0
  private var endInQuote: Int?
  private var hasMarkupInQuote = false
  private(set) var hasQuotedValue = false

  /// Scans the tag that begins with some bytes' first; where it ends, or why it does not.
  mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Result {
    while position < bytes.count {
      if case .quoted(let quote) = state, position < Self.maximumLength {
        let limit = min(bytes.count, Self.maximumLength)
        position = ByteScan.first(of: (quote, 0x3C, 0x3E), in: bytes, from: position, to: limit)
        guard position < bytes.count else { break }
      }
      if position >= Self.maximumLength { return endInQuote.map(Result.end) ?? .tooLong }
      if let result = take(bytes[position]) { return result }
      position += 1
    }
    return endInQuote.map(Result.end) ?? .truncated
  }

  private mutating func take(_ byte: UInt8) -> Result? {
    switch state {
    case .quoted(let quote):
      takeQuoted(byte, quote)
    case .afterQuote:
      if hasMarkupInQuote, !Self.mayFollowQuote(byte), let endInQuote { return .end(endInQuote) }
      state = .outside
      endInQuote = nil
      return take(byte)
    case .afterEquals where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"):
      state = .quoted(byte)
      hasMarkupInQuote = false
    case .outside, .afterEquals:
      return takeOutside(byte)
    }
    return nil
  }

  private mutating func takeQuoted(_ byte: UInt8, _ quote: UInt8) {
    if byte == quote {
      state = .afterQuote
      hasQuotedValue = true
    } else if byte == UInt8(ascii: ">") {
      hasMarkupInQuote = true
      endInQuote = endInQuote ?? position + 1
    } else if byte == UInt8(ascii: "<") {
      hasMarkupInQuote = true
    }
  }

  private mutating func takeOutside(_ byte: UInt8) -> Result? {
    switch byte {
    case UInt8(ascii: ">"): return .end(position + 1)
    case UInt8(ascii: "<") where position > 0: return .interrupted(position)
    case UInt8(ascii: "="): state = .afterEquals
    case 0x20, 0x09, 0x0A, 0x0D: break
    default: state = .outside
    }
    return nil
  }

  private static func mayFollowQuote(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
      || byte == UInt8(ascii: "?")
  }
}
