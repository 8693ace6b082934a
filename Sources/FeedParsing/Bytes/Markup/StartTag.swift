import System

/// A start tag that XML allows, found in one pass.
struct StartTag: Hashable {
  /// Behind the `>`.
  var end: Int
  var isEmpty: Bool

  enum Reading: Hashable {
    case wellFormed(StartTag)
    /// Needs `TagEndScanner` and `TagRepair`.
    case malformed
    case tooManyAttributes
  }

  static let maximumAttributes = 250

  /// Reads what follows an element's name.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - nameEnd: Behind the name.
  ///   - declared: The entities that values may refer to.
  /// - Returns: The tag, or why there is none.
  @inline(__always)
  static func read(
    _ bytes: UnsafeRawBufferPointer,
    from nameEnd: Int,
    declared: DeclaredEntities,
  ) -> Reading {
    // Nine in ten tags of a feed have no attributes.
    if nameEnd < bytes.count, bytes[nameEnd] == UInt8(ascii: ">") {
      return .wellFormed(StartTag(end: nameEnd &+ 1, isEmpty: false))
    }
    return readAttributes(bytes, from: nameEnd, declared: declared)
  }

  private static func readAttributes(
    _ bytes: UnsafeRawBufferPointer,
    from nameEnd: Int,
    declared: DeclaredEntities,
  ) -> Reading {
    var position = nameEnd
    var attributes = 0
    while true {
      let afterSpace = skipSpace(bytes, from: position)
      guard afterSpace < bytes.count else { return .malformed }
      if let reading = readEnd(bytes, at: afterSpace) { return reading }
      guard afterSpace > position else { return .malformed }
      attributes += 1
      guard attributes <= maximumAttributes else { return .tooManyAttributes }
      switch readAttribute(bytes, from: afterSpace, declared: declared) {
      case .some(let end): position = end
      case nil: return .malformed
      }
    }
  }

  private static func readEnd(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Reading? {
    switch bytes[position] {
    case UInt8(ascii: ">"):
      return .wellFormed(StartTag(end: position + 1, isEmpty: false))
    case UInt8(ascii: "/"):
      guard position + 1 < bytes.count else { return .malformed }
      guard bytes[position + 1] == UInt8(ascii: ">") else { return .malformed }
      return .wellFormed(StartTag(end: position + 2, isEmpty: true))
    default: return nil
    }
  }

  /// Where an attribute ends; nil when it is malformed or cut off.
  private static func readAttribute(
    _ bytes: UnsafeRawBufferPointer,
    from start: Int,
    declared: DeclaredEntities,
  ) -> Int? {
    let nameEnd = XMLNameScan.end(bytes, from: start)
    guard nameEnd > start else { return nil }
    let equals = skipSpace(bytes, from: nameEnd)
    guard equals < bytes.count else { return nil }
    guard bytes[equals] == UInt8(ascii: "=") else { return nil }
    let quote = skipSpace(bytes, from: equals + 1)
    guard quote < bytes.count else { return nil }
    guard bytes[quote] == UInt8(ascii: "\"") || bytes[quote] == UInt8(ascii: "'") else {
      return nil
    }
    return readValue(bytes, from: quote + 1, quote: bytes[quote], declared: declared)
  }

  private static func readValue(
    _ bytes: UnsafeRawBufferPointer,
    from start: Int,
    quote: UInt8,
    declared: DeclaredEntities,
  ) -> Int? {
    var position = start
    while true {
      position = ByteScan.first(of: (quote, 0x3C, 0x26), in: bytes, from: position)
      guard position < bytes.count else { return nil }
      if bytes[position] == quote { return position + 1 }
      guard bytes[position] == UInt8(ascii: "&") else { return nil }
      guard
        case .legal(_, let length) = MarkupReference.read(bytes, at: position, declared: declared)
      else { return nil }
      position += length
    }
  }

  @inline(__always)
  private static func skipSpace(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var position = start
    while position < bytes.count, bytes[position].isXMLWhitespace { position &+= 1 }
    return position
  }
}
