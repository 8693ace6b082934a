import System

/// A `Content-Range` field (RFC 9110 §14.4): `bytes 100-199/200`, `bytes 100-199/*`, `bytes */200`.
struct ContentRange: Hashable, Sendable {
  /// The first byte; nil where the range that was asked for is not there.
  let start: Int?
  let size: Int?

  init?(_ field: String) {
    let words = field.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", maxSplits: 1).map(HTTPField.trimmed)
    guard parts.count == 2 else { return nil }
    size = Self.number(parts[1][...])
    start = parts[0].split(separator: "-").first.flatMap(Self.number)
    guard parts[0] == "*" ? size != nil : start != nil else { return nil }
  }

  static func number(_ text: Substring) -> Int? {
    text.utf8.decimalValue.flatMap { $0 < .max ? $0 : nil }
  }
}
