/// The entities that a document's own DOCTYPE declares: plain text only, bounded in all directions.
struct DeclaredEntities: Hashable {
  /// The 253 entities of XHTML fit, written out in a DOCTYPE.
  private static let maximumCount = 512
  private static let maximumTextLength = 1024
  private static let maximumExpandedBytes = 1 << 20

  private var texts: [[UInt8]: [UInt8]] = [:]
  private var expandedBytes = 0

  /// The text of an entity, or nil when it was not declared.
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

  /// Counts what references to entities come to.
  mutating func countExpansion(of text: [UInt8]) throws(FeedParsingError) {
    expandedBytes += text.count
    guard expandedBytes <= Self.maximumExpandedBytes else {
      throw .limitExceeded(name: "bytes of entities", limit: Self.maximumExpandedBytes)
    }
  }
}
