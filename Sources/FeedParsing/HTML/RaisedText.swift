/// What stands in a `<sup>`, where lines have no raised letters.
package enum RaisedText {
  /// Characters of a power that is no number.
  package static let longestPower = 12

  /// Whether it is a term such as `l+1` or `2n`, and neither a number nor a word (`1st`, `Mlle`).
  package static func isPower(_ text: String) -> Bool {
    text.count <= longestPower && text.contains(where: \.isLetter)
      && text.contains { "0123456789+-−*/=".contains($0) }
  }

  /// The same of a text in UTF-8, of which no character here has more than four bytes.
  static func isPower(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.count <= 4 * longestPower && isPower(String(decoding: bytes, as: UTF8.self))
  }
}
