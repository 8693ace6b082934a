import HTMLParsing
import System

/// Reads a DOCTYPE: finds its end, takes the entities that stand for text, and skips all else.
///
/// Feeds need none of it but RSS 0.91's external identifier, which is never followed, and the
/// entities of HTML, which are known. Nothing is loaded, and a reference in the value of an entity
/// stays text, so that no entity grows.
struct DocumentTypeReader {
  static let maximumLength = 64 << 10

  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private(set) var entities = DeclaredEntities()

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.maximumLength))
  }

  mutating func read() -> Int? {
    position = "<!DOCTYPE".utf8.count
    return skipDeclaration(hasSubset: true) ? position : nil
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

  private mutating func readSubset() -> Bool {
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "]"):
        position += 1
        return true
      case UInt8(ascii: "<"):
        guard readDeclaration() else { return false }
      // A reference to a parameter entity refers to nothing known here.
      default: position += 1
      }
    }
    return false
  }

  private mutating func readDeclaration() -> Bool {
    if bytes.hasASCII("<!--", at: position) { return skip(past: "-->") }
    if bytes.hasASCII("<?", at: position) { return skip(past: "?>") }
    if bytes.hasASCII("<![", at: position) { return skip(past: "]]>") }
    guard bytes.hasASCII("<!ENTITY", at: position) else { return skipDeclaration() }
    position += "<!ENTITY".utf8.count
    guard let name = word() else { return false }
    // A parameter entity (`%`) and an external one have no quoted value behind the name.
    guard let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return skipDeclaration()
    }
    position += 1
    let start = position
    guard skip(past: quote) else { return false }
    entities.declare(name, as: Self.text(Array(bytes[start..<position - 1])))
    return skipDeclaration()
  }

  /// Skips the next `>` outside of quotes and of the subset that a DOCTYPE may have; returns false
  /// if there is none.
  private mutating func skipDeclaration(hasSubset: Bool = false) -> Bool {
    while let byte = peek() {
      position += 1
      switch byte {
      case UInt8(ascii: ">"): return true
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard skip(past: byte) else { return false }
      case UInt8(ascii: "[") where hasSubset:
        guard readSubset() else { return false }
      default: break
      }
    }
    return false
  }

  private mutating func word() -> [UInt8]? {
    skipSpace()
    let start = position
    while let byte = peek(), !byte.isXMLWhitespace, byte != UInt8(ascii: ">") { position += 1 }
    let word = Array(bytes[start..<position])
    skipSpace()
    return position < bytes.count ? word : nil
  }

  private mutating func skipSpace() {
    while let byte = peek(), byte.isXMLWhitespace { position += 1 }
  }

  /// Returns the text for which the value of an entity stands.
  ///
  /// Character references are decoded twice, when the value is read and when it is used
  /// (`&#38;#160;` is how XHTML writes them); so an entity cannot be made of such characters.
  private static func text(_ value: [UInt8]) -> [UInt8] {
    decoded(decoded(value, namesToo: false), namesToo: true)
  }

  private static func decoded(_ value: [UInt8], namesToo: Bool) -> [UInt8] {
    var text: [UInt8] = []
    var position = 0
    while let start = value[position...].firstIndex(of: UInt8(ascii: "&")) {
      text += value[position..<start]
      position = start
      let reference = value.withUnsafeBytes {
        MarkupReference.read($0, at: position, declared: DeclaredEntities())
      }
      let isNumber = position + 1 < value.count && value[position + 1] == UInt8(ascii: "#")
      guard isNumber || namesToo else {
        text.append(UInt8(ascii: "&"))
        position += 1
        continue
      }
      let characters = reference.characters
      for point in [characters.first, characters.second] where point > 0 {
        text.append(codePoint: point)
      }
      position += reference.length
    }
    return text + value[position...]
  }
}

/// The entities that a document's own DOCTYPE declares: text only, bounded in all directions.
///
/// Entities beyond a bound are not known: references to them stay text.
struct DeclaredEntities: Hashable {
  /// The 253 entities of XHTML fit, written out in a DOCTYPE.
  private static let maximumCount = 512
  private static let maximumTextLength = 1024
  private static let maximumExpandedBytes = 1 << 20

  private var texts: [[UInt8]: [UInt8]] = [:]
  var expandedBytes = 0

  func text(of name: UnsafeRawBufferPointer) -> [UInt8]? {
    texts.isEmpty || expandedBytes > Self.maximumExpandedBytes ? nil : texts[Array(name)]
  }

  /// Declares an entity; the first declaration counts (XML 1.0 §4.2).
  mutating func declare(_ name: [UInt8], as text: [UInt8]) {
    guard texts.count < Self.maximumCount, text.count <= Self.maximumTextLength else { return }
    if texts[name] == nil { texts[name] = text }
  }
}
