internal import System

extension ServerItemID {
  package static let prefix = "tag:google.com,2005:reader/item/"

  /// Reads the prefix followed by up to 16 or exactly 24 hexadecimal digits, such digits alone, or
  /// a decimal number, which may be signed.
  ///
  /// Returns nil for any other text.
  package init?(_ text: String) {
    let digits = text.hasPrefix(Self.prefix) ? text.dropFirst(Self.prefix.count) : text[...]
    let isNumber = digits.count == text.count && digits.utf8.count <= 20
    if isNumber, let number = UInt64(digits) ?? Int64(digits).map({ UInt64(bitPattern: $0) }) {
      self.init(low: number)
    } else if digits.utf8.allSatisfy({ $0.hexadecimalValue != nil }), !digits.isEmpty,
      let low = UInt64(digits.suffix(16), radix: 16)
    {
      guard digits.utf8.count != 24 else {
        self.init(high: UInt32(digits.prefix(8), radix: 16) ?? 0, low: low)
        return
      }
      guard digits.utf8.count <= 16 else { return nil }
      self.init(low: low)
    } else {
      return nil
    }
  }

  /// The long form, which every server accepts.
  package var text: String {
    guard high > 0 else { return Self.prefix + low.hexadecimal }
    return Self.prefix + String(UInt64(high).hexadecimal.suffix(8)) + low.hexadecimal
  }
}
