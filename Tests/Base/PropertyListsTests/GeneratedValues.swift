import PropertyLists
import TestSupport

/// Property lists made from a seed: of every kind, width and awkward size.
struct GeneratedValues {
  private var chance: Chance

  init(seed: UInt64) {
    chance = Chance(state: seed)
  }

  private mutating func next() -> UInt64 { chance.next() }

  private mutating func below(_ limit: Int) -> Int { chance.below(limit) }

  mutating func value(depth: Int = 0) -> PropertyListValue {
    switch below(depth < 4 ? 10 : 8) {
    case 0: return .string(text())
    case 1: return .integer(Int64(truncatingIfNeeded: next() >> UInt64(below(64))))
    case 2: return .integer(-Int64(truncatingIfNeeded: next() >> UInt64(1 + below(62))))
    case 3: return .real(Double(below(1_000_000)) / 8)
    case 4: return .boolean(below(2) == 0)
    case 5: return .date(Double(below(2_000_000_000)) - 1_000_000_000)
    case 6: return .data((0..<size()).map { _ in UInt8(truncatingIfNeeded: next()) })
    case 7: return .string(text())
    case 8: return .array((0..<size()).map { _ in value(depth: depth + 1) })
    default:
      var dictionary = PropertyListDictionary()
      for number in 0..<size() {
        dictionary["\(text())\(number)"] = value(depth: depth + 1)
      }
      return .dictionary(dictionary)
    }
  }

  /// Returns a size near those at which the format changes its form.
  private mutating func size() -> Int {
    [0, 1, 2, 3, 14, 15, 16, 17][below(8)]
  }

  private mutating func text() -> String {
    let alphabets = ["abc xyz<&>\"'", "é–ü€", "日本語", "🗞👩‍👧a"]
    let alphabet = Array(alphabets[below(alphabets.count)])
    return String(
      (0..<size() * (below(8) == 0 ? 20 : 1)).map { _ in alphabet[below(alphabet.count)] }
    )
  }
}
