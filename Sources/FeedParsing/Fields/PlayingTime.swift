/// The length of an episode in seconds (`itunes:duration`): `H:MM:SS`, `MM:SS` or seconds.
enum PlayingTime {
  static func seconds(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    var parts: [Int] = []
    var part: Int?
    for byte in text {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let digit = Int(byte - UInt8(ascii: "0"))
        guard (part ?? 0) < 1_000_000_000 else { return nil }
        part = (part ?? 0) * 10 + digit
      case UInt8(ascii: ":"):
        guard let value = part, parts.count < 2 else { return nil }
        parts.append(value)
        part = nil
      case UInt8(ascii: "."):
        // Fractions of a second are left out.
        return total(parts, part)
      default: return nil
      }
    }
    return total(parts, part)
  }

  private static func total(_ parts: [Int], _ last: Int?) -> Int? {
    guard let last else { return nil }
    var total = 0
    for part in parts + [last] {
      let (product, overflow) = total.multipliedReportingOverflow(by: 60)
      let (sum, second) = product.addingReportingOverflow(part)
      guard !overflow, !second else { return nil }
      total = sum
    }
    return total
  }
}
