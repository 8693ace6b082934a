/// What the first bytes of a document promise.
enum DocumentKind: Hashable, Sendable {
  /// XML or HTML, possibly after some junk: for `MarkupRepair`.
  case markup
  /// A JSON object or array.
  case json

  /// - Parameter bytes: The beginning of the document in UTF-8.
  init(_ bytes: UnsafeRawBufferPointer) {
    let text = bytes.drop { $0 <= 0x20 }
    let next = text.dropFirst().drop { $0 <= 0x20 }.first
    switch (text.first, next) {
    case (UInt8(ascii: "{"), _): self = .json
    // An array begins like a log's line before the markup: [Mon Jan 01 …] PHP Warning.
    case (UInt8(ascii: "["), UInt8(ascii: "{")?), (UInt8(ascii: "["), UInt8(ascii: "]")?),
      (UInt8(ascii: "["), UInt8(ascii: "\"")?):
      self = .json
    default: self = .markup
    }
  }
}
