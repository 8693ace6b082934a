/// What a link of a feed leads to, as far as it matters here (RFC 4287 §4.2.7.2).
enum LinkRelation: Hashable, Sendable {
  case alternate
  case enclosure
  case other

  /// - Parameter rel: The attribute, a word or that word in IANA's registry; nil means `alternate`.
  init(_ rel: UnsafeBufferPointer<UInt8>?) {
    guard let rel, !rel.isEmpty, !rel.isEqual(ignoringCase: "alternate") else {
      self = .alternate
      return
    }
    // "http://www.iana.org/assignments/relation/alternate" and ".../link-relations/#alternate".
    let start = rel.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "#") }
    let word = UnsafeBufferPointer(rebasing: rel[(start.map { $0 + 1 } ?? 0)...])
    if word.isEqual(ignoringCase: "alternate") {
      self = .alternate
    } else if word.isEqual(ignoringCase: "enclosure") {
      self = .enclosure
    } else {
      self = .other
    }
  }
}
