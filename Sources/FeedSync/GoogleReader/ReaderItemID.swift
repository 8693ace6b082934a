internal import FeedModel
internal import System

/// Ids as the Google Reader API writes them.
extension ServerItemID {
  private static let prefix = "tag:google.com,2005:reader/item/"

  /// Reads `tag:google.com,2005:reader/item/` with 16 or 24 hexadecimal digits behind it, 24 of them
  /// alone, or a decimal number, which may be that of a signed one; nil for anything else.
  init?(_ text: String) {
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

  /// The form that every server takes.
  var text: String {
    guard high > 0 else { return Self.prefix + low.hexadecimal }
    return Self.prefix + String(UInt64(high).hexadecimal.suffix(8)) + low.hexadecimal
  }
}
