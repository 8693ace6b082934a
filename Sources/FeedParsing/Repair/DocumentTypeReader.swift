import System

/// Reads a DOCTYPE: finds its end, takes plain entities, and refuses everything else in it.
///
/// Feeds need none of it but for RSS 0.91's external identifier, which is never followed, and the
/// entities of HTML, which are known. What may be declared are entities of plain text; those that
/// refer to others, to files or hold markup are refused here, before any of it costs anything.
struct DocumentTypeReader {
  static let maximumLength = 64 << 10

  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private(set) var entities = DeclaredEntities()
  /// Parameter entities that stand for the entities of XHTML.
  private var knownSets: Set<[UInt8]> = []

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.maximumLength))
  }

  mutating func read() throws(FeedParsingError) -> Int? {
    position = "<!DOCTYPE".utf8.count
    while let byte = peek() {
      position += 1
      switch byte {
      case UInt8(ascii: ">"): return position
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard skip(past: byte) else { return nil }
      case UInt8(ascii: "["):
        guard try readSubset() else { return nil }
      default: break
      }
    }
    return nil
  }

  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skip(past byte: UInt8) -> Bool {
    guard let index = bytes[position...].firstIndex(of: byte) else { return false }
    position = index + 1
    return true
  }

  private mutating func skip(past mark: StaticString) -> Bool {
    guard let start = ByteScan.first(mark, in: bytes, from: position) else { return false }
    position = start + mark.utf8CodeUnitCount
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek(), byte.isXMLWhitespace { position += 1 }
  }

  private mutating func readSubset() throws(FeedParsingError) -> Bool {
    while true {
      skipSpace()
      guard let byte = peek() else { return false }
      switch byte {
      case UInt8(ascii: "]"):
        position += 1
        return true
      case UInt8(ascii: "<"):
        guard try readDeclaration() else { return false }
      case UInt8(ascii: "%"):
        guard try readParameterReference() else { return false }
      default: position += 1
      }
    }
  }

  private mutating func readDeclaration() throws(FeedParsingError) -> Bool {
    // As long as the longest keyword.
    guard position + 10 <= bytes.count else { return false }
    if bytes.hasASCII("<!--", at: position) { return skip(past: "-->") }
    if bytes.hasASCII("<?", at: position) { return skip(past: "?>") }
    for (keyword, kind) in Self.refused where bytes.hasASCII(keyword, at: position) {
      throw .declarationRefused(kind: kind)
    }
    guard bytes.hasASCII("<!ENTITY", at: position) else {
      position += 1
      return true
    }
    position += "<!ENTITY".utf8.count
    return try readEntity()
  }

  private static let refused: [(StaticString, String)] = [
    ("<!ELEMENT", "elements"), ("<!ATTLIST", "attribute lists"), ("<!NOTATION", "notations"),
    ("<![", "conditional sections"),
  ]

  private static var entityRefused: FeedParsingError { .declarationRefused(kind: "entities") }

  private mutating func readEntity() throws(FeedParsingError) -> Bool {
    skipSpace()
    let isParameter = peek() == UInt8(ascii: "%")
    if isParameter { position += 1 }
    guard let name = word(), !name.isEmpty, let byte = peek() else { return false }
    guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") else {
      return try readExternal(name, isParameter: isParameter)
    }
    guard let value = literal() else { return false }
    guard !isParameter, let text = Self.plainText(value) else { throw Self.entityRefused }
    try entities.declare(name, as: text)
    return skip(past: UInt8(ascii: ">"))
  }

  /// `PUBLIC "-//W3C//ENTITIES Latin 1 for XHTML//EN" "…"` is what some feeds of old begin with.
  private mutating func readExternal(
    _ name: [UInt8],
    isParameter: Bool,
  ) throws(FeedParsingError) -> Bool {
    guard let keyword = word(), let quote = peek() else { return false }
    guard isParameter, keyword.elementsEqual("PUBLIC".utf8),
      quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    else { throw Self.entityRefused }
    guard let identifier = literal() else { return false }
    guard identifier.starts(with: "-//W3C//ENTITIES ".utf8) else { throw Self.entityRefused }
    knownSets.insert(name)
    skipSpace()
    guard let next = peek() else { return false }
    if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
      guard literal() != nil else { return false }
    }
    return skip(past: UInt8(ascii: ">"))
  }

  private mutating func readParameterReference() throws(FeedParsingError) -> Bool {
    position += 1
    let start = position
    guard skip(past: UInt8(ascii: ";")) else { return false }
    guard knownSets.contains(Array(bytes[start..<position - 1])) else { throw Self.entityRefused }
    return true
  }

  private mutating func word() -> [UInt8]? {
    skipSpace()
    let start = position
    while let byte = peek(), !byte.isXMLWhitespace { position += 1 }
    guard position < bytes.count else { return nil }
    let word = Array(bytes[start..<position])
    skipSpace()
    return word
  }

  private mutating func literal() -> [UInt8]? {
    guard let quote = peek() else { return nil }
    position += 1
    let start = position
    guard skip(past: quote) else { return nil }
    return Array(bytes[start..<position - 1])
  }

  /// The text that an entity's value is, or nil if it is more than text.
  ///
  /// Character references are decoded twice, when the value is read and when it is used
  /// (`&#38;#160;` is how XHTML writes them).
  private static func plainText(_ value: [UInt8]) -> [UInt8]? {
    guard !value.contains(UInt8(ascii: "<")) else { return nil }
    return decoded(value).flatMap(decoded)
  }

  private static func decoded(_ value: [UInt8]) -> [UInt8]? {
    var text: [UInt8] = []
    var position = 0
    while position < value.count {
      guard value[position] == UInt8(ascii: "&") else {
        text.append(value[position])
        position += 1
        continue
      }
      guard let number = value.withUnsafeBytes({ NumericReference.read($0, at: position) }) else {
        guard !isReference(value[position...]) else { return nil }
        text.append(value[position])
        position += 1
        continue
      }
      switch number.reference {
      case .forbidden: break
      case .character(let point, _, _): text.append(codePoint: point)
      default: text.append(codePoint: number.value)
      }
      position += number.length
    }
    return text
  }

  private static func isReference(_ text: ArraySlice<UInt8>) -> Bool {
    let name = text.dropFirst().prefix(while: XMLNameScan.isASCIINameByte)
    return !name.isEmpty && name.endIndex < text.endIndex
      && text[name.endIndex] == UInt8(ascii: ";")
  }
}

/// The entities that a document's own DOCTYPE declares: plain text only, bounded in all directions.
struct DeclaredEntities: Hashable {
  /// The 253 entities of XHTML fit, written out in a DOCTYPE.
  private static let maximumCount = 512
  private static let maximumTextLength = 1024
  private static let maximumExpandedBytes = 1 << 20

  private var texts: [[UInt8]: [UInt8]] = [:]
  private var expandedBytes = 0

  func text(of name: UnsafeRawBufferPointer) -> [UInt8]? {
    texts.isEmpty ? nil : texts[Array(name)]
  }

  /// Declares an entity; the first declaration counts (XML 1.0 §4.2).
  mutating func declare(_ name: [UInt8], as text: [UInt8]) throws(FeedParsingError) {
    guard texts.count < Self.maximumCount else {
      throw .limitExceeded(name: "declared entities", limit: Self.maximumCount)
    }
    guard text.count <= Self.maximumTextLength else {
      throw .limitExceeded(name: "bytes of an entity", limit: Self.maximumTextLength)
    }
    if texts[name] == nil { texts[name] = text }
  }

  mutating func countExpansion(of text: [UInt8]) throws(FeedParsingError) {
    expandedBytes += text.count
    guard expandedBytes <= Self.maximumExpandedBytes else {
      throw .limitExceeded(name: "bytes of entities", limit: Self.maximumExpandedBytes)
    }
  }
}
